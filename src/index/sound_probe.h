// SPDX-License-Identifier: Apache-2.0
// One recording that is looked for in many, which come one after another and are not kept.
//
// A SoundIndex keeps the keys of many recordings, and the one that is asked for looks up its own at
// every shift in pitch.  Here it is the other way round: the one keeps its keys at every shift, and
// each of the many looks up its own once.  The same moments meet, so that the same seeds come out,
// at an eleventh of the look-ups and without memory for the many.
//
// Cost:    88 bytes for each moment of the one and table; a look-up for each moment of the others
//          and table.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/sound_keys.h"
#include "index/time_votes.h"

namespace twinsift {

// Threads may ask at the same time.
class SoundProbe {
 public:
  // Requires: below 2^28 moments.
  SoundProbe(std::span<const SoundCode> codes, const SoundKeys& keys);

  // At most `most` seeds with `votes` votes of the probe, as y, in `item`, as x; the best first.
  [[nodiscard]] std::vector<SoundSeed> seeds_in(std::span<const SoundCode> item,
                                                std::uint32_t votes, std::size_t most) const;

 private:
  SoundKeys keys_;
  std::size_t length_;
  std::vector<SoundKeyTable> tables_;
};

}  // namespace twinsift
