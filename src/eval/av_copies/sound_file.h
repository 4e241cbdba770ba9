// SPDX-License-Identifier: Apache-2.0
// Sound from recordings, and sound as the bytes of a file.
#pragma once

#include <span>
#include <string>

#include "eval/av_copies/attacks.h"
#include "eval/av_copies/sound.h"
#include "eval/av_copies/source.h"
#include "eval/av_copies/writer.h"

namespace twinsift {

// At most so many seconds of it: what goes on is cut off.  More than two channels become one.
Result<Sound> decode_sound(Source& source, double most_seconds);

// The same at another rate.  Played at kCopyRate it takes to / from times as long, so this also
// changes speeds.
Result<Sound> resampled(const Sound& sound, int from, int to);

// A file of its own.  kNotFound if libav was built without the encoder.
Result<std::string> encode_sound(const Sound& sound, SoundFormat format, int kilobits);

// Sound as one stream of a file.
class SoundStream {
 public:
  // Before Writer::begin().
  static Result<SoundStream> add(Writer& writer, const Sound& sound, SoundFormat format,
                                 int kilobits);
  // After it: all of the sound.
  Status write(Writer& writer);

 private:
  SoundStream(CodecHandle codec, int number, Sound sound);

  CodecHandle codec_;
  int number_;
  Sound sound_;
};

}  // namespace twinsift
