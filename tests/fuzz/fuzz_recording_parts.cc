// SPDX-License-Identifier: Apache-2.0
// Whatever a decoder answers, the parent gets a recording or a strip that makes sense, or an error;
// and whatever a file begins with, it is recognised as something or nothing.
#include <cmath>
#include <cstdlib>

#include "media/recording_wire.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace twinsift;
  recognise_recording(std::as_bytes(std::span(data, size)));
  // Parts of at most 255 bytes, each after its length; but a header may come first and whole.
  for (const std::size_t header : {sizeof(RecordingHeader), sizeof(double)}) {
    std::string_view text(reinterpret_cast<const char*>(data), size);
    Parts parts = {std::string(text.substr(0, header))};
    text.remove_prefix(parts[0].size());
    while (!text.empty()) {
      const std::size_t length = static_cast<unsigned char>(text[0]);
      parts.emplace_back(text.substr(1, length));
      text.remove_prefix(std::min(text.size(), length + 1));
    }
    constexpr RecordingBy kSets = {.sound = SoundBy::kFooid, .film = FilmBy::kHsv};
    static_cast<void>(recording_from_parts(parts, {}));
    if (const auto recording = recording_from_parts(parts, kSets)) {
      if (!std::isfinite(recording->seconds) || recording->seconds < 0) std::abort();
      if (!recording->has_sound && !recording->has_film) std::abort();
      if (recording->has_film != (recording->width > 0)) std::abort();
      if (recording->has_sound != (recording->channels > 0)) std::abort();
    }
    const StripRequest request = {.frames = 2, .side = 16, .peaks = 8};
    if (const auto strip = strip_from_parts(parts, request)) {
      if (strip->frames.size() > 2 || strip->peaks.size() > 8) std::abort();
    }
  }
  return 0;
}
