// SPDX-License-Identifier: Apache-2.0
// What fingerprints are made of, for evaluations that try several of them: samples, and small
// frames.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "twinsift/result.h"

namespace twinsift {

// Mono samples at kRawRate as floats, of the first kMostRawSeconds.
Result<std::string> raw_samples(std::span<const std::byte> recording);

// kRawFrameRate frames a second, of the first kMostRawSeconds: RGB bytes of one frame after the
// other, the longer side kRawSide pixels.  `width` and `height` are those of a frame.
struct RawFrames {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::string pixels;
};
Result<RawFrames> raw_frames(std::span<const std::byte> recording);

}  // namespace twinsift
