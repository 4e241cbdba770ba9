// SPDX-License-Identifier: Apache-2.0
// A recording from its first packet to its last, given to sinks as it is decoded.  What is kept
// meanwhile does not depend on its length.
#pragma once

#include <cstdint>

#include "media/av/sinks.h"
#include "media/av/source.h"
#include "twinsift/result.h"

namespace twinsift {

struct DecodedRecording {
  double seconds = 0;        // as decoded, whatever the container says
  bool has_sound = false;    // something was heard
  unsigned sample_rate = 0;  // Hz
  unsigned channels = 0;
  bool has_film = false;    // something was seen
  std::uint32_t width = 0;  // upright
  std::uint32_t height = 0;
  double frame_rate = 0;      // 0: unknown
  std::uint64_t frames = 0;   // that were decoded
  std::uint64_t damaged = 0;  // packets that could not be decoded, and frames with faults
};

// Goes on after damage; an error only if nothing at all can be decoded.  Of two streams one may
// fail.  Throws std::bad_alloc.
Result<DecodedRecording> decode_recording(Source& source, const RecordingSinks& sinks);

}  // namespace twinsift
