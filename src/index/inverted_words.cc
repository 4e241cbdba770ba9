// SPDX-License-Identifier: Apache-2.0
#include "index/inverted_words.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "base/bit_code.h"
#include "base/portable_math.h"

namespace twinsift {
namespace {

// A hit in 64 bits, so that sorting brings those of a picture together: picture, key point of the
// question, cell of direction and scale.
constexpr unsigned kCellBits = 9;
constexpr unsigned kPointBits = 23;
constexpr std::uint32_t kTurns = 16;
constexpr std::uint32_t kScales = 32;
constexpr std::uint32_t kBlock = 4;  // cells in a row of a block

std::uint64_t pack(std::uint32_t picture, std::uint32_t point, std::uint32_t cell) {
  return std::uint64_t{picture} << 32U | std::uint64_t{point} << kCellBits | cell;
}
std::uint32_t picture_of(std::uint64_t hit) { return static_cast<std::uint32_t>(hit >> 32U); }
std::uint32_t point_of(std::uint64_t hit) {
  return static_cast<std::uint32_t>(hit >> kCellBits) & ((1U << kPointBits) - 1);
}
std::uint32_t cell_of(std::uint64_t hit) {
  return static_cast<std::uint32_t>(hit) & ((1U << kCellBits) - 1);
}

// Scales that differ by eight octaves or more share the last cells.
std::uint32_t cell_between(const LocalWord& from, std::uint16_t scale, std::uint16_t angle) {
  const auto turn = static_cast<std::uint16_t>(angle - from.angle);
  const int octaves = std::clamp(int{scale} - int{from.scale} + 2048, 0, 4095);
  return (static_cast<std::uint32_t>(octaves) >> 7U) * kTurns + (turn >> 12U);
}

// Key points of the question, of which some may have found several partners.
std::uint32_t distinct_points(std::span<const std::uint64_t> hits) {
  std::uint32_t count = 1;
  for (std::size_t i = 1; i < hits.size(); ++i) {
    if (point_of(hits[i]) != point_of(hits[i - 1])) ++count;
  }
  return count;
}

}  // namespace

InvertedWords::InvertedWords(std::span<const LocalWords> pictures,
                             const InvertedWordsOptions& options)
    : options_(options), pictures_(pictures.size()) {
  std::uint32_t vocabulary = 0;
  std::size_t total = 0;
  for (const LocalWords& picture : pictures) {
    sizes_.push_back(static_cast<std::uint32_t>(picture.words.size()));
    total += picture.words.size();
    if (!picture.words.empty()) vocabulary = std::max(vocabulary, picture.words.back().word + 1);
  }
  assert(vocabulary <= kMostWords && total <= UINT32_MAX);
  starts_.resize(std::size_t{vocabulary} + 1);
  for (const LocalWords& picture : pictures) {
    for (const LocalWord& word : picture.words) ++starts_[word.word + 1];
  }
  for (std::size_t word = 0; word < vocabulary; ++word) starts_[word + 1] += starts_[word];

  owners_.resize(total);
  signatures_.resize(2 * total);
  placed_.resize(total);
  std::vector<std::uint32_t> next(starts_.begin(), starts_.end() - 1);
  std::vector<std::uint32_t> having(vocabulary);  // pictures
  for (std::uint32_t i = 0; i < pictures.size(); ++i) {
    for (const LocalWord& word : pictures[i].words) {
      const std::uint32_t at = next[word.word]++;
      if (at == starts_[word.word] || owners_[at - 1] != i) ++having[word.word];
      owners_[at] = i;
      signatures_[2 * std::size_t{at}] = word.signature[0];
      signatures_[2 * std::size_t{at} + 1] = word.signature[1];
      placed_[at] = {word.scale, word.angle};
    }
  }
  // One more than there are, so that a word that all have still has a vote.
  for (const std::uint32_t count : having) {
    const double share = count > 0 ? (static_cast<double>(pictures_) + 1) / count : 1;
    idf_.push_back(static_cast<float>(portable_log(share)));
  }
}

std::vector<std::uint64_t> InvertedWords::hits_of(const LocalWords& words, std::uint32_t end,
                                                  std::size_t& left_out) const {
  assert(words.words.size() < 1U << kPointBits);
  std::vector<std::uint64_t> hits;
  std::vector<NearRow> near;
  for (std::uint32_t point = 0; point < words.words.size(); ++point) {
    const LocalWord& word = words.words[point];
    if (word.word + std::size_t{1} >= starts_.size()) break;  // and so are all that follow
    const std::uint32_t first = starts_[word.word];
    std::uint32_t count = starts_[word.word + 1] - first;
    if (count > options_.longest) {
      ++left_out;
      continue;
    }
    if (end < pictures_) {
      const auto begin = owners_.begin() + first;
      count = static_cast<std::uint32_t>(std::lower_bound(begin, begin + count, end) - begin);
    }
    if (count == 0) continue;
    near.resize(std::max<std::size_t>(near.size(), count));
    const std::size_t found =
        near_range(word.signature, signatures_.data(), first, count, options_.radius, near.data());
    for (std::size_t i = 0; i < found; ++i) {
      const Placed& placed = placed_[near[i].row];
      hits.push_back(
          pack(owners_[near[i].row], point, cell_between(word, placed.scale, placed.angle)));
    }
  }
  std::ranges::sort(hits);
  return hits;
}

bool InvertedWords::consistent(std::span<const std::uint64_t> hits) const {
  std::array<std::uint32_t, std::size_t{kTurns} * kScales> cells{};
  for (const std::uint64_t hit : hits) ++cells[cell_of(hit)];
  // Rows of a block first: directions go round, scales do not.
  std::array<std::uint32_t, kTurns * kScales> rows{};
  for (std::uint32_t scale = 0; scale < kScales; ++scale) {
    for (std::uint32_t turn = 0; turn < kTurns; ++turn) {
      for (std::uint32_t k = 0; k < kBlock; ++k) {
        rows[scale * kTurns + turn] += cells[scale * kTurns + (turn + k) % kTurns];
      }
    }
  }
  for (std::uint32_t scale = 0; scale + kBlock <= kScales; ++scale) {
    for (std::uint32_t turn = 0; turn < kTurns; ++turn) {
      std::uint32_t sum = 0;
      for (std::uint32_t k = 0; k < kBlock; ++k) sum += rows[(scale + k) * kTurns + turn];
      if (sum >= options_.least) return true;
    }
  }
  return false;
}

std::vector<double> InvertedWords::weights_of(const LocalWords& words) const {
  std::vector<double> weights;
  for (std::size_t i = 0; i < words.words.size();) {
    std::size_t last = i;
    const std::uint32_t word = words.words[i].word;
    while (last < words.words.size() && words.words[last].word == word) ++last;
    const double idf = word < idf_.size() ? idf_[word] : 0;
    weights.resize(last, idf * idf / static_cast<double>(last - i));
    i = last;
  }
  return weights;
}

WordCandidates InvertedWords::query(const LocalWords& words, std::uint32_t end) const {
  std::size_t left_out = 0;
  const std::vector<std::uint64_t> hits = hits_of(words, end, left_out);
  const std::vector<double> weights = weights_of(words);
  WordCandidates found;
  found.capped = 4 * left_out > words.words.size();
  for (std::size_t i = 0; i < hits.size();) {
    std::size_t last = i;
    const std::uint32_t picture = picture_of(hits[i]);
    while (last < hits.size() && picture_of(hits[last]) == picture) ++last;
    const std::span<const std::uint64_t> own(&hits[i], last - i);
    i = last;
    if (own.size() < options_.least) continue;
    const std::uint32_t agreeing = distinct_points(own);
    if (agreeing < options_.least || (options_.weak_geometry && !consistent(own))) continue;
    double vote = 0;
    for (const std::uint64_t hit : own) vote += weights[point_of(hit)];
    found.pictures.push_back(
        {picture, agreeing, vote / std::sqrt(static_cast<double>(sizes_[picture]))});
  }
  if (found.pictures.size() > options_.most) {
    found.capped = true;
    std::ranges::stable_sort(found.pictures, std::ranges::greater{}, &WordCandidate::vote);
    found.pictures.resize(options_.most);
    std::ranges::sort(found.pictures, {}, &WordCandidate::picture);
  }
  return found;
}

std::size_t InvertedWords::bytes() const {
  return starts_.capacity() * sizeof(std::uint32_t) + owners_.capacity() * sizeof(std::uint32_t) +
         signatures_.capacity() * sizeof(std::uint64_t) + placed_.capacity() * sizeof(Placed) +
         idf_.capacity() * sizeof(float) + sizes_.capacity() * sizeof(std::uint32_t);
}

}  // namespace twinsift
