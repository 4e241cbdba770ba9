// SPDX-License-Identifier: Apache-2.0
// Codes for the tests of their indexes, and the oracle: a scan.
#pragma once

#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "index/code_index.h"

namespace twinsift {

using Codes = std::vector<std::uint64_t>;

inline Codes row(const Codes& codes, std::size_t words, std::size_t i) {
  const auto at = codes.begin() + static_cast<std::ptrdiff_t>(i * words);
  return {at, at + static_cast<std::ptrdiff_t>(words)};
}

inline Codes make_random_codes(std::size_t words, std::size_t count, std::uint64_t seed) {
  Rng rng(seed);
  Codes codes(words * count);
  for (auto& word : codes) word = rng.next();
  return codes;
}

// Another code at exactly this distance.
inline Codes flipped(Codes code, std::uint32_t distance, Rng& rng) {
  const Codes before = code;
  while (hamming_distance_scalar(before, code) < distance) {
    const auto bit = rng.below(static_cast<std::uint32_t>(code.size() * 64));
    const std::uint64_t mask = std::uint64_t{1} << (bit % 64);
    code[bit / 64] = (code[bit / 64] & ~mask) | (~before[bit / 64] & mask);
  }
  return code;
}

// Half of them random, half near the first of eight.
inline Codes make_test_codes(std::size_t words, std::size_t count, std::uint64_t seed) {
  Codes codes = make_random_codes(words, count, seed);
  Rng rng(seed + 1);
  for (std::size_t i = 0; i < count; ++i) {
    if (i % 16 == 0 || i % 16 > 8) continue;
    const Codes near = flipped(row(codes, words, i / 16 * 16),
                               rng.below(static_cast<std::uint32_t>(words * 10)), rng);
    std::copy(near.begin(), near.end(), codes.begin() + static_cast<std::ptrdiff_t>(i * words));
  }
  return codes;
}

// A question at up to this distance of a stored code.
inline Codes near_code(const Codes& codes, std::size_t words, std::uint32_t distance, Rng& rng) {
  const auto count = static_cast<std::uint32_t>(codes.size() / words);
  return flipped(row(codes, words, rng.below(count)), rng.below(distance + 1), rng);
}

inline std::vector<CodeMatch> scan(const Codes& codes, const Codes& question,
                                   std::uint32_t radius) {
  std::vector<CodeMatch> found;
  for (std::size_t i = 0; i < codes.size() / question.size(); ++i) {
    const auto distance = hamming_distance_scalar(question, row(codes, question.size(), i));
    if (distance <= radius) found.push_back({static_cast<ItemId>(i), distance});
  }
  return found;
}

inline std::vector<CodeMatch> answers(const CodeIndex& index, const Codes& question,
                                      std::uint32_t radius) {
  std::vector<CodeMatch> out = {{7, 7}};  // is replaced
  EXPECT_TRUE(index.near(question, radius, out));
  return out;
}

}  // namespace twinsift
