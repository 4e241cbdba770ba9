// SPDX-License-Identifier: Apache-2.0
// Two recordings laid against each other at every offset, at their own speed and pitch, by a sample
// of their moments.
//
// Keys of twenty bits find what agrees by 70 % and more.  Of noise that is as loud as the music 63
// % may be left: then hardly a key of a whole track is equal, but a hundred moments that agree by
// that much are ten standard deviations from chance.  And where many places agree, because the
// music is made of loops, the one at which most of it does is the right one.
//
// Cost:    24 comparisons of moments for each offset, and 96 for one of a hundred: 40 microseconds
//          for a track of two and a half minutes.
#pragma once

#include <cstddef>
#include <optional>

#include "verify/sound_line.h"

namespace twinsift {

struct SoundOffset {
  std::ptrdiff_t offset = 0;  // moment j of y is moment j + offset of x
  double z = 0;               // of the sample, by the usual spread
};

// The offset at which the sum of what agrees beyond chance is largest, if that is no chance; at
// least half of the sample of y must lie in x.  Nothing for y of a few seconds.
std::optional<SoundOffset> scan_offsets(const Hearing& x, const Hearing& y);

}  // namespace twinsift
