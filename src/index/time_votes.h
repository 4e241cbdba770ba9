// SPDX-License-Identifier: Apache-2.0
// Votes of equal keys for where moments of one recording lie among those of others.
//
// Moment j of y and moment i of x, which have an equal key at some shift in pitch, vote for the
// offset i - j.  If y is a copy at another speed, the offset drifts; so votes are counted in cells
// of a few seconds of y and half a second of offsets, over which 12 % do not drift out.  A seed is
// a block of two cells by two.  Moments next to each other are alike, and four of them count once.
//
// Cost:    a radix sort of the votes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace twinsift {

inline constexpr std::ptrdiff_t kSeedLength = 64;  // moments of y
inline constexpr std::ptrdiff_t kSeedWidth = 16;   // offsets

// Moments [at_y, at_y + kSeedLength) of y may be those of x an offset later that lies in
// [offset, offset + kSeedWidth).
struct SoundSeed {
  std::uint32_t votes = 0;  // of 16
  std::uint32_t hits = 0;   // equal keys
  int shift = 0;
  std::ptrdiff_t at_y = 0;
  std::ptrdiff_t offset = 0;
  friend bool operator==(const SoundSeed&, const SoundSeed&) = default;
};

class TimeVotes {
 public:
  // Moments of y are numbered below `length`.  Requires: length < 2^30.
  explicit TimeVotes(std::size_t length) : length_(static_cast<std::ptrdiff_t>(length)) {}

  // Requires: -8 <= shift < 8; i < 2^33; j < length.
  void add(int shift, std::uint64_t i, std::size_t j);

  // All with so many votes at least, by shift, offset and place; takes the votes.
  std::vector<SoundSeed> seeds(std::uint32_t least);

 private:
  std::ptrdiff_t length_;
  std::vector<std::uint64_t> votes_;
};

}  // namespace twinsift
