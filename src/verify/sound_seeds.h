// SPDX-License-Identifier: Apache-2.0
// Where two recordings may have sound in common: places at which many of their keys are equal.
//
// A key is some bits of one or two moments (feature/sound_code.h), at each shift in pitch.  Equal
// keys vote for their shift and for where in x they are when in y a few seconds pass: over so short
// a time copies of another speed still lie in the same cell.
//
// Cost:    a constant number of equal keys by chance, whatever the lengths: keys grow with them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "verify/sound_line.h"

namespace twinsift {

inline constexpr std::ptrdiff_t kSeedLength = 64;  // moments of y
inline constexpr std::ptrdiff_t kSeedWidth = 8;    // moments of x

// Moments [at_y, at_y + kSeedLength) of y may be those of x from about at_y + offset on, where
// offset lies in [offset, offset + 2 * kSeedWidth).
struct SoundSeed {
  std::uint32_t votes = 0;
  int shift = 0;
  std::ptrdiff_t at_y = 0;
  std::ptrdiff_t offset = 0;
};

// The best, at most so many, in the order of their votes.
std::vector<SoundSeed> find_seeds(const Hearing& x, const Hearing& y, std::size_t most);

}  // namespace twinsift
