// SPDX-License-Identifier: Apache-2.0
// Votes of equal keys for where moments of one recording lie among those of others.
//
// Moment j of y and moment i of x, which have an equal key at some shift in pitch, vote for the
// offset i - j.  If y is a copy at another speed, the offset drifts; so votes are counted in cells
// of a few seconds of y and half a second of offsets, over which 12 % do not drift out.  A seed is
// a block of two cells by two.  Moments next to each other are alike, and four of them count once.
//
// Under noise only a few keys of a whole recording survive, too far apart for any cell; but copies
// of the same speed have them all at one offset.  So the votes of offsets are also counted over all
// of y, and those are seeds that have more than chance gives to any of so many offsets.
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
  std::uint32_t votes = 0;  // of 16 in a block of cells; more if counted over all of y
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

  // Blocks of cells with so many votes at least; then offsets beyond chance, if there are `offsets`
  // of them and not 0, each at that of its cells that has most votes.  Takes the votes.
  std::vector<SoundSeed> seeds(std::uint32_t least, std::uint64_t offsets);

 private:
  struct Cell;
  [[nodiscard]] SoundSeed seed_at(std::uint64_t cell) const;
  void add_blocks(const std::vector<Cell>& cells, std::uint32_t least,
                  std::vector<SoundSeed>& seeds) const;
  void add_offsets(const std::vector<Cell>& cells, std::uint32_t least,
                   std::vector<SoundSeed>& seeds) const;

  std::ptrdiff_t length_;
  std::vector<std::uint64_t> votes_;
};

}  // namespace twinsift
