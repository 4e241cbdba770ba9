// SPDX-License-Identifier: Apache-2.0
// The file of a recording, written into memory stream by stream.
#pragma once

#include <memory>
#include <string>

#include "eval/av_copies/handles.h"

namespace twinsift {

class Writer {
 public:
  // `container`: libav's name of it, as in "matroska".
  static Result<Writer> make(const char* container);
  Writer(Writer&&) noexcept;
  Writer& operator=(Writer&&) noexcept;
  ~Writer();

  // An encoder for the next stream, to be set up by the caller.  kNotFound if there is none.
  Result<CodecHandle> encoder(const char* name);
  // Opens the encoder and makes its stream.  Gives the number of the stream.
  Result<int> add(AVCodecContext& codec, AVDictionary** options);
  // After all streams were added.
  Status begin();
  // Encodes and writes; null is the end of the stream.  Requires: begin().
  Status write(AVCodecContext& codec, int stream, const AVFrame* frame);
  // The bytes of the file.
  Result<std::string> finish();

 private:
  struct State;
  explicit Writer(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace twinsift
