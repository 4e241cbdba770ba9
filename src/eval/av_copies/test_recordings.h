// SPDX-License-Identifier: Apache-2.0
// Made-up recordings: tunes, and films in which a bright square wanders over a pattern.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>

#include "base/hash.h"
#include "eval/av_copies/film_file.h"
#include "eval/av_copies/sound_file.h"

namespace twinsift {

// Damaged recordings would fill the screen.
inline const bool kQuiet = [] {
  av_log_set_level(AV_LOG_QUIET);
  return true;
}();

inline std::string tune_file(double seconds, std::uint64_t seed) {
  return *encode_sound(melody(seconds, seed), SoundFormat::kMp2, 192);
}

// The pattern depends on the seed, the place of the square on the moment: it is in the column
// 8 + 80 * share of 96, where share is how much of the film has passed.
inline PictureFrame scene(double share, std::uint64_t seed) {
  PictureFrame frame(96, 64);
  for (std::size_t y = 0; y < 64; ++y) {
    for (std::size_t x = 0; x < 96; ++x) {
      const std::uint64_t cell = seed_key(seed, (y / 16) * 6 + x / 16);
      frame.planes[0].row(y)[x] = static_cast<std::uint8_t>(40 + cell % 80);
    }
  }
  const auto centre = static_cast<std::size_t>(8 + 80 * share);
  for (std::size_t y = 24; y < 40; ++y) {
    for (std::size_t x = centre - 8; x < centre + 8; ++x) frame.planes[0].row(y)[x] = 230;
  }
  return frame;
}

inline std::string film_file(double seconds, std::uint64_t seed, bool sound = false) {
  FilmFile file(FilmFormat::kMpeg4, 3);
  if (sound) file.set_sound(melody(seconds, seed));
  const int frames = static_cast<int>(std::lround(seconds * 25));
  for (int i = 0; i < frames; ++i) {
    if (!file.add(i / 25.0, scene(static_cast<double>(i) / frames, seed))) return "";
  }
  return *file.finish();
}

}  // namespace twinsift
