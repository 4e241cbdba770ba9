// SPDX-License-Identifier: Apache-2.0
// Whatever the key points of two pictures are, comparing them ends with numbers that are finite.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <tuple>

#include "verify/local_match.h"

namespace {

using namespace twinsift;

// Sizes, then eight bytes for each point: few words and signatures, so that points do match.
LocalWords words_from(const std::uint8_t* data, std::size_t size) {
  LocalWords words;
  std::uint16_t sides[2] = {};
  std::memcpy(sides, data, sizeof sides);
  words.width = sides[0] + 1U;
  words.height = sides[1] + 1U;
  for (std::size_t at = 4; at + 8 <= size; at += 8) {
    std::uint16_t numbers[4] = {};
    std::memcpy(numbers, data + at, sizeof numbers);
    words.words.push_back({.word = numbers[0] % 64U,
                           .x = numbers[0],
                           .y = numbers[1],
                           .scale = numbers[2],
                           .angle = numbers[3],
                           .signature = {numbers[0] % 64U, 0}});
  }
  std::ranges::sort(words.words, {},
                    [](const LocalWord& word) { return std::tuple(word.word, word.x, word.y); });
  return words;
}

bool in_unit(double value) { return value >= 0 && value <= 1; }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 16) return 0;
  const std::size_t half = size / 2;
  const LocalWords a = words_from(data, half);
  const LocalWords b = words_from(data + half, size - half);
  for (const LocalWords* other : {&b, &a}) {
    LocalMatchOptions all;
    all.least_score = 0;
    const auto match = match_local_or_mirrored(a, *other, b, all);
    if (!match) continue;
    if (!in_unit(match->score) || !in_unit(match->agreement)) std::abort();
    if (!std::isfinite(match->evidence)) std::abort();
    const Placement& placement = match->placement;
    for (const double value : placement.a_to_b) {
      if (!std::isfinite(value)) std::abort();
    }
    if (!in_unit(placement.covered_a) || !in_unit(placement.covered_b)) std::abort();
    if (!std::isfinite(placement.scale) || !std::isfinite(placement.turned)) std::abort();
  }
  return 0;
}
