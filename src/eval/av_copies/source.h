// SPDX-License-Identifier: Apache-2.0
// A recording in memory, opened for decoding.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

#include "eval/av_copies/copy_wire.h"
#include "eval/av_copies/handles.h"

namespace twinsift {

class Source {
 public:
  // The bytes must outlive the source.
  static Result<Source> open(std::span<const std::byte> bytes);
  Source(Source&&) noexcept;
  Source& operator=(Source&&) noexcept;
  ~Source();

  [[nodiscard]] RecordingFacts facts() const;
  [[nodiscard]] const AVStream* sound() const;  // null: there is none
  [[nodiscard]] const AVStream* film() const;   // cover art and stills are none

  // Every frame of the stream from the beginning, until `take` fails.  Frames that cannot be
  // decoded are passed over, as players do.
  Status decode(const AVStream& stream, const std::function<Status(AVFrame&)>& take);

 private:
  struct State;
  explicit Source(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace twinsift
