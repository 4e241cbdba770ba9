// SPDX-License-Identifier: Apache-2.0
// Frames of any pixel format become grey and, if asked for, small coloured pictures, upright.
#pragma once

#include <string>

#include "media/av/libav.h"
#include "media/av/sinks.h"

namespace twinsift {

struct FrameWishes {
  unsigned orientation = 1;  // as EXIF numbers it: media/image/orient.h
  bool luma = true;
  unsigned colour_side = 0;  // at most so long; 0: no colour
};

// Keeps its buffers from frame to frame.
class FrameConverter {
 public:
  // The views hold until the next call.  Empty ones: libav does not know the pixel format.
  Frame convert(const AVFrame& frame, const FrameWishes& wishes);

 private:
  bool copy_luma(const AVFrame& frame);
  bool scale(const AVFrame& frame, AVPixelFormat format, int width, int height, std::string& out);

  ScalerPtr to_grey_, to_colour_;
  std::string grey_, colour_;
};

}  // namespace twinsift
