// SPDX-License-Identifier: Apache-2.0
// Films from recordings, frame by frame, and films as the bytes of a file.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "eval/av_copies/attacks.h"
#include "eval/av_copies/picture_frame.h"
#include "eval/av_copies/sound_file.h"
#include "eval/av_copies/source.h"

namespace twinsift {

// Upright, with the longer side scaled to 640 pixels if it is more; seconds from the first frame.
using TakeFrame = std::function<Status(double seconds, PictureFrame frame)>;
// Gives how long the film is, with the last frame.
Result<double> decode_film(Source& source, const TakeFrame& take);

// The same, of the frames that are shown at each tick of a clock with so many a second.
Result<double> decode_thinned(Source& source, double rate, const TakeFrame& take);

PictureFrame scaled(const PictureFrame& frame, std::size_t height);

// A Matroska file, made as frames come.  Moments must grow.
class FilmFile {
 public:
  // kNotFound, when the first frame comes, if libav was built without the encoder.
  FilmFile(FilmFormat format, int quality) : format_(format), quality_(quality) {}

  // Before the first frame.
  void set_sound(Sound sound) { sound_ = std::move(sound); }
  Status add(double seconds, const PictureFrame& frame);
  Result<std::string> finish();

 private:
  Status start(const PictureFrame& first);

  FilmFormat format_;
  int quality_;
  Sound sound_;
  std::optional<Writer> writer_;
  CodecHandle codec_;
  int stream_ = 0;
  std::int64_t last_ = -1;
};

}  // namespace twinsift
