// SPDX-License-Identifier: Apache-2.0
#include "sketch/labels.h"

#include <algorithm>
#include <bit>
#include <cassert>

#include "base/hash.h"
#include "base/permute.h"
#include "sketch/set_sketch.h"

namespace twinsift {
namespace {

// The keys of the sketches come after those of all tables.
constexpr std::uint64_t kSketchKeys = std::uint64_t{kMaxTables} * kMaxHashes;

// Of the minimum itself only the high bits are random: small ones have leading zeros.
std::uint64_t bits_of(std::uint64_t minimum) { return mix64(minimum ^ kGolden); }

void append_bits(std::uint64_t bits, std::uint32_t width, std::size_t& used, std::string& out) {
  for (std::uint32_t i = 0; i < width; ++i, ++used) {
    if (used % 8 == 0) out.push_back('\0');
    const auto bit = static_cast<unsigned>(bits >> i & 1U) << (used % 8);
    out.back() = static_cast<char>(static_cast<unsigned char>(out.back()) | bit);
  }
}

}  // namespace

std::uint32_t agreeing_bits(const LabelSketch& a, const LabelSketch& b) {
  std::uint32_t agreeing = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    agreeing += static_cast<std::uint32_t>(std::popcount(~(a[i] ^ b[i])));
  }
  return agreeing;
}

std::size_t LabelMinima::grow(std::span<const std::uint64_t> set, const LabelShape& shape) {
  assert(!set.empty() && shape.hashes <= kMaxHashes && shape.labels <= kMaxTables);
  if (tables_.size() < shape.labels) tables_.resize(shape.labels);
  std::span<const std::uint64_t> premixed;
  std::size_t computed = 0;
  for (std::uint32_t j = 0; j < shape.labels; ++j) {
    std::vector<std::uint64_t>& minima = tables_[j];
    for (std::size_t i = minima.size(); i < shape.hashes; ++i, ++computed) {
      if (premixed.empty()) premixed = premix_all(set);
      minima.push_back(min_permuted(premixed, seed_key(seed_, std::uint64_t{j} * kMaxHashes + i)));
    }
  }
  return computed;
}

std::string LabelMinima::label(const LabelShape& shape, std::uint32_t table) const {
  assert(table < tables_.size() && tables_[table].size() >= shape.hashes);
  assert(shape.width >= 1 && shape.width <= 64);
  std::string label;
  std::size_t used = 0;
  for (std::uint32_t i = 0; i < shape.hashes; ++i) {
    append_bits(bits_of(tables_[table][i]), shape.width, used, label);
  }
  return label;
}

LabelSketch label_sketch(std::span<const std::uint64_t> set, std::uint64_t seed,
                         std::uint32_t which) {
  assert(!set.empty() && which < kSketches);
  const std::span<const std::uint64_t> premixed = premix_all(set);
  const std::uint64_t first = kSketchKeys + std::uint64_t{which} * kSketchBits;
  LabelSketch sketch{};
  for (std::uint32_t i = 0; i < kSketchBits; ++i) {
    const std::uint64_t minimum = min_permuted(premixed, seed_key(seed, first + i));
    sketch[i / 64] |= (bits_of(minimum) & 1U) << (i % 64);
  }
  return sketch;
}

std::vector<LabelSketch> label_sketches(std::span<const std::uint64_t> set, std::uint64_t seed,
                                        std::uint32_t labels) {
  std::vector<LabelSketch> sketches;
  for (std::uint32_t which = 0; which < sketches_of(labels); ++which) {
    sketches.push_back(label_sketch(set, seed, which));
  }
  return sketches;
}

}  // namespace twinsift
