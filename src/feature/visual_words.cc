// SPDX-License-Identifier: Apache-2.0
#include "feature/visual_words.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>
#include <numbers>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <xxhash.h>

#include "base/crc32c.h"
#include "base/hash.h"
#include "base/portable_math.h"
#include "base/random.h"
#include "feature/models.h"
#include "feature/sift_descriptor.h"

namespace twinsift {
namespace {

constexpr std::string_view kMagic = "TWSWORDS";
constexpr std::size_t kEntries = std::tuple_size_v<SiftDescriptor>;
constexpr std::size_t kHeadBytes = 8 + 3 * 4;
constexpr std::size_t kCellBytes = 4 + kEntries;

Error corrupt(std::string_view what) {
  return {ErrorCode::kCorrupt, fmt::format("the vocabulary is damaged: {}", what)};
}

void append_u32(std::string& bytes, std::uint32_t value) {
  for (unsigned shift = 0; shift < 32; shift += 8) {
    bytes.push_back(static_cast<char>(value >> shift & 0xFFU));
  }
}

void append_descriptor(std::string& bytes, const SiftDescriptor& descriptor) {
  bytes.append(reinterpret_cast<const char*>(descriptor.data()), descriptor.size());
}

// Requires: that much is left.
std::uint32_t take_u32(std::span<const std::byte>& bytes) {
  std::uint32_t value = 0;
  for (unsigned i = 0; i < 4; ++i) value |= std::to_integer<std::uint32_t>(bytes[i]) << 8 * i;
  bytes = bytes.subspan(4);
  return value;
}

SiftDescriptor take_descriptor(std::span<const std::byte>& bytes) {
  SiftDescriptor descriptor;
  std::memcpy(descriptor.data(), bytes.data(), descriptor.size());
  bytes = bytes.subspan(descriptor.size());
  return descriptor;
}

// Whether word and cell counts fit each other and the length of the file.
Status check_sizes(std::size_t length, std::uint32_t words, std::uint32_t cells) {
  if (words == 0 || words > Vocabulary::kMostWords || cells == 0 || cells > words) {
    return corrupt("it cannot have that many words");
  }
  const std::size_t needed =
      kHeadBytes + std::size_t{cells} * kCellBytes + std::size_t{words} * kEntries + 4;
  if (length != needed) return corrupt(fmt::format("{} bytes instead of {}", length, needed));
  return ok();
}

const std::array<std::int32_t, kEntries>& entry_signs() {
  static const auto signs = [] {
    constexpr std::uint64_t kSeed = 1;  // fixed for ever
    std::array<std::int32_t, kEntries> made{};
    Rng rng(kSeed);
    for (auto& sign : made) sign = rng.next() >> 63U != 0 ? 1 : -1;
    return made;
  }();
  return signs;
}

// The fast Walsh-Hadamard transform, in place.
void hadamard(std::array<std::int32_t, kEntries>& values) {
  for (std::size_t half = 1; half < kEntries; half *= 2) {
    for (std::size_t begin = 0; begin < kEntries; begin += 2 * half) {
      for (std::size_t i = begin; i < begin + half; ++i) {
        const std::int32_t a = values[i];
        const std::int32_t b = values[i + half];
        values[i] = a + b;
        values[i + half] = a - b;
      }
    }
  }
}

// A share of the whole as 16 bits.
std::uint16_t as_16_bits(double share) {
  return static_cast<std::uint16_t>(std::clamp(share * 65536, 0.0, 65535.0));
}

LocalWord placed(const KeyPoint& point, const KeyPoints& picture) {
  const double scale = portable_log(std::max(double{point.scale}, 1e-3)) / std::numbers::ln2;
  return {.word = 0,
          .x = as_16_bits((double{point.x} + 0.5) / picture.width),
          .y = as_16_bits((double{point.y} + 0.5) / picture.height),
          .scale = static_cast<std::uint16_t>(std::clamp(scale * 256 + 4096.5, 0.0, 65535.0)),
          .angle = as_16_bits(double{point.angle} / (2 * std::numbers::pi)),
          .signature = {}};
}

}  // namespace

Vocabulary::Vocabulary(WordTree tree) : tree_(std::move(tree)) {
  assert(!tree_.words.empty() && !tree_.middles.empty());
  const std::string bytes = serialise();
  spec_ = fmt::format("words{}:n={},id={:016x}", kVersion, size(),
                      XXH3_64bits(bytes.data(), bytes.size()));
}

Result<Vocabulary> Vocabulary::parse(std::span<const std::byte> bytes) {
  const std::span<const std::byte> all = bytes;
  if (all.size() < kHeadBytes + 4 || std::memcmp(all.data(), kMagic.data(), kMagic.size()) != 0) {
    return Error{ErrorCode::kCorrupt, "this is no vocabulary of visual words"};
  }
  bytes = bytes.subspan(kMagic.size());
  const std::uint32_t version = take_u32(bytes);
  if (version != kVersion) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("the vocabulary has version {}, but this program reads version {}",
                             version, kVersion)};
  }
  const std::uint32_t words = take_u32(bytes);
  const std::uint32_t cells = take_u32(bytes);
  TWINSIFT_TRY([[maybe_unused]] const auto fits, check_sizes(all.size(), words, cells));
  auto tail = all.last(4);
  if (crc32c(all.first(all.size() - 4)) != take_u32(tail)) return corrupt("its checksum differs");
  WordTree tree;
  for (std::uint32_t i = 0; i < cells; ++i) {
    const std::uint32_t end = take_u32(bytes);
    const std::uint32_t begin = tree.ends.empty() ? 0 : tree.ends.back();
    if (end <= begin || end > words) return corrupt("a cell of it has no words");
    tree.ends.push_back(end);
    tree.middles.push_back(take_descriptor(bytes));
  }
  if (tree.ends.back() != words) return corrupt("some of its words have no cell");
  tree.words.reserve(words);
  for (std::uint32_t i = 0; i < words; ++i) tree.words.push_back(take_descriptor(bytes));
  return Vocabulary(std::move(tree));
}

std::string Vocabulary::serialise() const {
  std::string bytes(kMagic);
  append_u32(bytes, kVersion);
  append_u32(bytes, size());
  append_u32(bytes, static_cast<std::uint32_t>(tree_.middles.size()));
  for (std::size_t i = 0; i < tree_.middles.size(); ++i) {
    append_u32(bytes, tree_.ends[i]);
    append_descriptor(bytes, tree_.middles[i]);
  }
  for (const SiftDescriptor& word : tree_.words) append_descriptor(bytes, word);
  append_u32(bytes, crc32c(std::as_bytes(std::span(bytes))));
  return bytes;
}

std::array<std::uint64_t, 2> Vocabulary::signature(const SiftDescriptor& descriptor,
                                                   std::uint32_t word) const {
  const SiftDescriptor& middle = tree_.words[word];
  std::array<std::int32_t, kEntries> sums{};
  for (std::size_t i = 0; i < kEntries; ++i) {
    sums[i] = (descriptor[i] - middle[i]) * entry_signs()[i];
  }
  hadamard(sums);
  std::array<std::uint64_t, 2> bits{};
  for (std::size_t i = 0; i < kEntries; ++i) {
    if (sums[i] > 0) bits[i / 64] |= std::uint64_t{1} << i % 64;
  }
  return bits;
}

LocalWords Vocabulary::words_of(const KeyPoints& points) const {
  LocalWords found{.width = points.width, .height = points.height, .words = {}};
  found.words.reserve(points.points.size());
  for (std::size_t i = 0; i < points.points.size(); ++i) {
    LocalWord word = placed(points.points[i], points);
    word.word = tree_.nearest(points.descriptors[i]).index;
    word.signature = signature(points.descriptors[i], word.word);
    found.words.push_back(word);
  }
  std::ranges::sort(found.words, {}, [](const LocalWord& one) {
    return std::tuple(one.word, one.y, one.x, one.scale, one.angle, one.signature);
  });
  return found;
}

LocalWords Vocabulary::mirrored_words_of(const KeyPoints& points) const {
  return words_of(mirrored(points));
}

DenseVector Vocabulary::bag_of_features(const LocalWords& words) const {
  DenseVector bag(size());
  for (const LocalWord& word : words.words) bag[word.word] += 1;
  double sum = 0;
  for (const float count : bag) sum += double{count} * double{count};
  if (sum > 0) {
    for (float& count : bag) count = static_cast<float>(double{count} / std::sqrt(sum));
  }
  return bag;
}

TokenSet word_set(const LocalWords& words) {
  TokenSet set;
  for (const LocalWord& word : words.words) set.push_back(premix64(word.word));
  std::ranges::sort(set);
  set.erase(std::unique(set.begin(), set.end()), set.end());
  return set;
}

KeyPoints mirrored(const KeyPoints& points) {
  constexpr float kTurn = 2 * std::numbers::pi_v<float>;
  KeyPoints result = points;
  for (KeyPoint& point : result.points) {
    point.x = static_cast<float>(points.width) - 1 - point.x;
    point.angle = kTurn / 2 - point.angle;
    if (point.angle < 0) point.angle += kTurn;
  }
  for (SiftDescriptor& descriptor : result.descriptors) descriptor = mirrored(descriptor);
  return result;
}

const Vocabulary& shipped_vocabulary() {
  static const Vocabulary vocabulary = [] {
    auto parsed = Vocabulary::parse(word_model());
    assert(parsed.has_value());  // it is part of the program, and a test reads it
    return *std::move(parsed);
  }();
  return vocabulary;
}

}  // namespace twinsift
