// SPDX-License-Identifier: Apache-2.0
// What two recordings have in common to the ear: which stretches, at what speed and pitch.
//
// Equal keys propose places (index/sound_index.h); lines are fitted to them and grow (sound_fit.h);
// what is then further from chance than unrelated recordings ever are (sound_line.h) is a stretch.
// The longest one tells speed and pitch, and others must have the same: so a copy with a piece cut
// out or put in has two stretches.
//
// Finds the same recording: other encodings, volume, noise, filters, excerpts, speeds from 0.88 to
// 1.14, pitches up to 10 % away.  Does not find the same music played again.
//
// Papers:  Haitsma, Kalker, "Speed-change Resistant Audio Fingerprinting Using Auto-correlation",
//          ISMIR 2003; Six, Leman, "Panako", ISMIR 2014 (time and pitch changed apart).
// Differs: both make one invariant print; here all pitches and speeds are tried on one that varies,
//          which keeps what they throw away.
// Cost:    2 to 5 ms for two tracks of four minutes.
#pragma once

#include <optional>

#include "feature/sound_print.h"
#include "twinsift/types.h"

namespace twinsift {

struct SoundMatchOptions {
  double least_z = 9;            // evidence for a stretch, see sound_line.h
  double least_agreement = 0.6;  // of its bits
  unsigned most_stretches = 16;
};

// Nothing if there is no evidence.  match_sound(b, a) is the same, told from the other side.
std::optional<Timeline> match_sound(const SoundPrint& a, const SoundPrint& b,
                                    const SoundMatchOptions& options = {});

}  // namespace twinsift
