// SPDX-License-Identifier: Apache-2.0
// What is done with a recording while it is decoded: the caller gives functions, and only what they
// want is made for them.
//
// Sound and film share one clock, which begins with the earlier of the two.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "feature/grey_image.h"

namespace twinsift {

struct RgbView {
  std::span<const std::uint8_t> pixels;  // R, G, B, row by row from the top, without gaps
  std::uint32_t width = 0;
  std::uint32_t height = 0;
};

// A frame as a person sees it: turned as the container says.  Pixels are taken as they are stored,
// be they square or not; of interlaced frames both fields together.
struct Frame {
  GreyView luma;  // 0 is black and 255 white, whatever range the film uses
  RgbView colour;
};

struct RecordingSinks {
  // Mono, the mean of all channels, in pieces of any length.  Absent: no sound is decoded.
  unsigned sound_rate = 0;  // Hz; 0: that of the recording
  std::function<void(std::span<const float> samples)> sound;
  bool hasty_sound = false;  // faster, and right up to 0.45 of the rate: enough for fingerprints

  // Absent: no film is decoded.  Times never go back.
  std::function<void(double seconds, const Frame& frame)> frame;
  // Frames that are not wanted are not converted and, as far as the codec allows, not even decoded.
  // Absent: all are wanted.  Once it says no to a time, it must not want that later on.
  std::function<bool(double seconds)> wants_frame;
  bool luma = true;
  unsigned colour_side = 0;  // the longer side of Frame::colour is at most this; 0: none
  bool key_frames_only = false;
  bool skip_loop_filter = false;  // faster, and blocks become visible: enough for fingerprints

  // Called whenever a recording gets on.  What does not get on is stopped by somebody else.
  std::function<void()> progress;
};

}  // namespace twinsift
