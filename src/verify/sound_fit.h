// SPDX-License-Identifier: Apache-2.0
// From a seed to a stretch: the line in time along which two recordings agree best, and how far.
//
// About the seed every speed from 0.88 to 1.14 is tried; then the stretch grows in both directions
// as long as more agrees than half of what agreed so far, over gaps of two seconds; and the line is
// fitted again to what it now covers, until nothing grows.
#pragma once

#include <cstddef>
#include <optional>

#include "index/time_votes.h"
#include "verify/sound_line.h"

namespace twinsift {

struct SoundStretch {
  SoundLine line;
  Moments moments;  // of y
  Agreement agreement;
};

// The best line about a seed; if `speed` is given, only of that speed.
SoundStretch fit_seed(const Hearing& x, const Hearing& y, const SoundSeed& seed,
                      std::optional<double> speed);

// Whether a seed is more than what chance proposes, so that the recordings are worth comparing as
// wholes.
bool is_worth_comparing(const Hearing& x, const Hearing& y, const SoundSeed& seed);

// The line through a stretch that agrees best; if `turn` is false, at the same speed.
SoundLine refine_line(const Hearing& x, const Hearing& y, const SoundStretch& stretch, bool turn);

// All of the stretch of which a part is given.
SoundStretch grow(const Hearing& x, const Hearing& y, SoundStretch stretch, bool turn);

// With the silence of both recordings before it, if that reaches the beginning of one of them, and
// after it, if that reaches an end.
Moments with_silence(const Hearing& x, const Hearing& y, const SoundStretch& stretch);

}  // namespace twinsift
