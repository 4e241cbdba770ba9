// SPDX-License-Identifier: Apache-2.0
#include "index/film_index.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <tuple>

#include "base/bit_code.h"
#include "base/tails.h"
#include "index/hamming.h"

namespace twinsift {
namespace {

constexpr std::size_t kCodeWords = kImageCodeBits / 64;
constexpr double kBucket = 16;  // codes
constexpr std::uint32_t kNarrowest = 4;
constexpr std::uint32_t kWidest = 24;
constexpr std::uint32_t kFewestTables = 8;
constexpr std::uint32_t kMostTables = 64;
constexpr std::int64_t kHitsNeeded = 2;
constexpr double kEvidence = 6;

// Bits within which frames count as a hit, and what they are then worth; as in the second look
// (verify/film_lines.h), which comes later.
constexpr std::uint32_t kHitBits = 88;
double worth(std::uint32_t bits) { return std::min(6.0, (100.0 - bits) / 10); }

// Hits at offsets within one cell are about the same stretch, at a speed near 1.
constexpr double kCell = 16;  // seconds

// A short film gives more frames than one a second.
constexpr double kFramesOfShort = 120;
constexpr double kLeastInterval = 0.12;

}  // namespace

double film_code_found(std::uint32_t bits, std::uint32_t width, std::uint32_t tables) {
  double equal = 1;
  for (std::uint32_t i = 0; i < width; ++i) {
    equal *=
        static_cast<double>(kImageCodeBits - bits - i) / static_cast<double>(kImageCodeBits - i);
  }
  return 1 - std::pow(1 - equal, tables);
}

FilmIndexPlan plan_film_index(std::uint64_t codes, double recall) {
  const double wide = std::log2(std::max(1.0, static_cast<double>(codes) / kBucket));
  auto width = std::clamp(static_cast<std::uint32_t>(wide), kNarrowest, kWidest);
  for (;; --width) {
    for (std::uint32_t tables = kFewestTables; tables <= kMostTables; ++tables) {
      const double p = film_code_found(kPromisedBits, width, tables);
      const double found = binomial_at_least(kPromisedSeconds, p, kHitsNeeded);
      if (found >= recall || (width == kNarrowest && tables == kMostTables)) {
        return {width, tables, found};
      }
    }
  }
}

std::vector<std::uint32_t> indexed_frames(const FilmPrint& film) {
  const double interval = std::clamp(film.seconds / kFramesOfShort, kLeastInterval, 1.0);
  std::vector<std::uint32_t> chosen;
  double next = 0;
  for (std::uint32_t i = 0; i < film.frames.size(); ++i) {
    if (film.frames.middle(i) < next) continue;
    next = film.frames.middle(i) + interval;
    chosen.push_back(i);
  }
  return chosen;
}

void FilmIndex::add(ItemId film, const FilmPrint& print) {
  for (const std::uint32_t frame : indexed_frames(print)) {
    const auto code = print.frames.code(frame);
    words_.insert(words_.end(), code.begin(), code.end());
    owners_.push_back({film, static_cast<float>(print.frames.middle(frame))});
  }
}

void FilmIndex::build(double recall, std::uint64_t seed) {
  plan_ = plan_film_index(owners_.size(), recall);
  for (const auto& bits : draw_coordinates(kImageCodeBits, plan_.width, plan_.tables, seed)) {
    Table table{.masks = std::vector<std::uint64_t>(kCodeWords), .starts = {}, .rows = {}};
    for (const std::uint32_t bit : bits) table.masks[bit / 64] |= std::uint64_t{1} << bit % 64;
    tables_.push_back(std::move(table));
  }
  const std::size_t keys = std::size_t{1} << plan_.width;
  std::vector<std::uint32_t> key_of(owners_.size());
  for (Table& table : tables_) {
    table.starts.assign(keys + 1, 0);
    for (std::size_t row = 0; row < key_of.size(); ++row) {
      const auto code = std::span(words_).subspan(row * kCodeWords, kCodeWords);
      key_of[row] = static_cast<std::uint32_t>(select_bits(code, table.masks));
      ++table.starts[key_of[row] + 1];
    }
    for (std::size_t key = 0; key < keys; ++key) table.starts[key + 1] += table.starts[key];
    std::vector<std::uint32_t> next(table.starts.begin(), table.starts.end() - 1);
    table.rows.resize(key_of.size());
    for (std::uint32_t row = 0; row < key_of.size(); ++row) table.rows[next[key_of[row]]++] = row;
  }
}

void FilmIndex::hits_of(const FilmCodes& codes, std::vector<Hit>& hits) const {
  std::vector<NearRow> near;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    for (const Table& table : tables_) {
      const auto key = static_cast<std::size_t>(select_bits(codes.code(i), table.masks));
      const std::uint32_t from = table.starts[key];
      const std::uint32_t count = table.starts[key + 1] - from;
      if (count == 0) continue;
      near.resize(std::max<std::size_t>(near.size(), count + std::size_t{1}));
      const std::size_t found =
          near_rows(codes.code(i), words_.data(), std::span(table.rows).subspan(from, count),
                    kHitBits, near.data());
      for (std::size_t k = 0; k < found; ++k) {
        hits.push_back({near[k].row, static_cast<std::uint16_t>(near[k].distance),
                        static_cast<float>(codes.middle(i))});
      }
    }
  }
}

void FilmIndex::add_candidates(std::vector<Hit>& hits,
                               std::vector<FilmCandidate>& candidates) const {
  // The best for each row, which belongs to one film at one time.
  std::ranges::sort(hits, {}, [](const Hit& h) { return std::tuple(h.row, h.bits, h.seconds); });
  const auto same_row = [](const Hit& x, const Hit& y) { return x.row == y.row; };
  hits.erase(std::unique(hits.begin(), hits.end(), same_row), hits.end());
  struct Vote {
    ItemId film;
    std::int64_t cell;
    double worth;
  };
  std::vector<Vote> votes;
  for (const Hit& hit : hits) {
    const Owner& owner = owners_[hit.row];
    const double place = (double{owner.seconds} - double{hit.seconds}) / (kCell / 2);
    const auto cell = static_cast<std::int64_t>(std::floor(place));
    // Cells overlap by half, so that no border parts what belongs together.
    votes.push_back({owner.film, cell, worth(hit.bits)});
    votes.push_back({owner.film, cell - 1, worth(hit.bits)});
  }
  std::ranges::sort(votes, {}, [](const Vote& v) { return std::tuple(v.film, v.cell, v.worth); });
  for (std::size_t i = 0; i < votes.size();) {
    const std::size_t first = i;
    double sum = 0;
    for (; i < votes.size() && votes[i].film == votes[first].film &&
           votes[i].cell == votes[first].cell;
         ++i) {
      sum += votes[i].worth;
    }
    if (sum >= kEvidence) candidates.push_back({votes[first].film, sum});
  }
}

std::vector<FilmCandidate> FilmIndex::ask(const FilmPrint& print, std::size_t most) const {
  std::vector<FilmCandidate> candidates;
  const auto ask_with = [&](const FilmCodes& codes) {
    std::vector<Hit> hits;
    hits_of(codes, hits);
    add_candidates(hits, candidates);
  };
  ask_with(print.frames);
  ask_with(print.mirrored);
  // Films that show a part of this one; those of which this one shows a part find it themselves.
  for (const FilmCodes& part : print.cropped) ask_with(part);
  // The best of each film, and then the best films.
  std::ranges::sort(candidates, {},
                    [](const FilmCandidate& c) { return std::tuple(c.film, -c.evidence); });
  const auto same = [](const FilmCandidate& x, const FilmCandidate& y) { return x.film == y.film; };
  candidates.erase(std::unique(candidates.begin(), candidates.end(), same), candidates.end());
  std::ranges::sort(candidates, {},
                    [](const FilmCandidate& c) { return std::tuple(-c.evidence, c.film); });
  if (candidates.size() > most) candidates.resize(most);
  return candidates;
}

std::size_t FilmIndex::bytes() const {
  std::size_t sum = words_.size() * sizeof(std::uint64_t) + owners_.size() * sizeof(Owner);
  for (const Table& table : tables_) sum += 4 * (table.starts.size() + table.rows.size());
  return sum;
}

}  // namespace twinsift
