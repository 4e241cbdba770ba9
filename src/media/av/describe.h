// SPDX-License-Identifier: Apache-2.0
// The answers of twinsift-av-decoder.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "media/av/decode.h"
#include "media/recording.h"
#include "twinsift/result.h"

namespace twinsift {

// `progress` is called whenever the recording gets on; it may be empty.
Result<Recording> describe_recording(int file, std::uint64_t size, const RecordingBy& by,
                                     std::function<void()> progress);
Result<RecordingStrip> make_strip(int file, std::uint64_t size, const StripRequest& request,
                                  std::function<void()> progress);

// What a person wants to know: format, duration, codecs, tags, damage.
std::vector<Fact> recording_facts(const Source& source, const DecodedRecording& recording);

// The libraries with their versions, and the codecs that matter; an empty value: not in this build.
std::vector<Fact> recording_formats();

}  // namespace twinsift
