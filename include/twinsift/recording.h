// SPDX-License-Identifier: Apache-2.0
// A recording as a person sees it at a glance: how loud it is, and some of its frames.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace twinsift {

struct StripFrame {
  double seconds = 0;   // from the beginning
  std::string picture;  // a small JPEG or PNG
};

struct RecordingStrip {
  double seconds = 0;               // how long it is
  std::vector<std::uint8_t> peaks;  // loudness of equal stretches of time, 0 to 255; none: no sound
  std::vector<StripFrame> frames;   // none: no film
};

}  // namespace twinsift
