// SPDX-License-Identifier: Apache-2.0
// What is kept of a recording: what is heard (feature/sound_print.h) and what is seen of it
// (feature/film_print.h), on one clock.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "feature/weights.h"
#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

struct RecordingPrint {
  double seconds = 0;       // how long it is
  std::uint32_t width = 0;  // of its film; 0, 0: it has none
  std::uint32_t height = 0;
  std::vector<std::uint64_t> sound{};  // packed; empty: nothing to hear
  std::vector<std::uint64_t> film{};   // packed; empty: nothing to see
  friend bool operator==(const RecordingPrint&, const RecordingPrint&) = default;
};

// The same, in words that somebody else keeps.
struct RecordingView {
  double seconds = 0;
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::span<const std::uint64_t> sound{};
  std::span<const std::uint64_t> film{};
};

// Microseconds, width and height, both counts, then the words of sound and film.
Packed pack(const RecordingPrint& print);

// kCorrupt if these are not the words of a recording.  What is in sound and film is not looked at.
Result<RecordingView> view_recording(SetView packed);

}  // namespace twinsift
