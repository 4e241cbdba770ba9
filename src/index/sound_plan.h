// SPDX-License-Identifier: Apache-2.0
// From the recall that is asked for and the amount of sound to the keys of an index.
//
// Keys grow with the number of moments, so that by chance each finds as many as ever.  If a share g
// of the bits of a copy agrees, independently, a key of k bits is found with probability g^k, and
// four moments that count once (time_votes.h) vote with
//     q = 1 - (1 - g^k)^(4 tables).
// A seed needs `votes` of the 16 groups of its four seconds.  In truth errors come together, and
// keys are found more often: of the bits of tracks at 10 % more speed 87 % agree, and g^22 is 4.7
// %, while 9 % of their keys were equal.
//
// What is promised is that two recordings are compared.  Comparing decides whether they are
// reported, and does not depend on the index: what is not evident is reported by none.
#pragma once

#include <cstdint>
#include <string>

#include "index/sound_index.h"
#include "twinsift/result.h"

namespace twinsift {

struct SoundPlan {
  SoundKeys keys;
  std::uint32_t votes = 2;
  double agreement = 0.85;  // of the bits of a copy for which the promise is made
  double seconds = 0;       // that it shares at least
  double of_minute = 0;     // the agreement that suffices if it shares a minute
  double found = 0;         // compared with this probability or more
  [[nodiscard]] std::string spec() const;
  [[nodiscard]] std::string guarantee() const;
};

// Of `groups` groups of four moments that agree by so much in a row, the probability of a seed.
double seed_probability(const SoundPlan& plan, std::uint32_t groups);

// Requires: 0 < recall < 1.
SoundPlan plan_sound(std::uint64_t moments, double recall);

}  // namespace twinsift
