// SPDX-License-Identifier: Apache-2.0
// No input may crash our side of libav: what it gives is described or refused, frames have the size
// that they claim, and prints can be unpacked.
//
// libav's own faults show here, too; they belong to its authors, and in life end a child only.
#include <cstdlib>
#include <new>

#include <sys/mman.h>

#include "base/fd.h"
#include "media/av/describe.h"
#include "media/recording_wire.h"

namespace {

// Every sink at once, the small sizes keep the fuzzer off mere work.
void decode(int file, std::uint64_t size) {
  using namespace twinsift;
  const auto source = open_source(file, size);
  if (!source) return;
  RecordingSinks sinks;
  sinks.sound_rate = 6000;
  sinks.sound = [](std::span<const float> samples) {
    if (samples.empty()) std::abort();
  };
  sinks.colour_side = 16;
  double last = 0;
  sinks.frame = [&](double seconds, const Frame& frame) {
    if (!(seconds >= last)) std::abort();
    last = seconds;
    if (frame.luma.pixels.size() != std::size_t{frame.luma.width} * frame.luma.height) std::abort();
    if (frame.colour.width > 16 || frame.colour.height > 16) std::abort();
  };
  const auto decoded = decode_recording(**source, sinks);
  if (decoded && !decoded->has_sound && !decoded->has_film) std::abort();
}

void describe(int file, std::uint64_t size, const twinsift::RecordingBy& by) {
  using namespace twinsift;
  const auto recording = describe_recording(file, size, by, {});
  if (!recording) return;
  if (!recording_from_parts(to_parts(*recording), by)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace twinsift;
  if (recognise_recording(std::as_bytes(std::span(data, size))) == RecordingKind::kNone) return 0;
  const Fd file(memfd_create("recording", MFD_CLOEXEC));
  if (!write_all(file.get(), {reinterpret_cast<const char*>(data), size}, "recording")) return 0;
  try {
    decode(file.get(), size);
    describe(file.get(), size, {});
    describe(file.get(), size, {SoundBy::kFooid, FilmBy::kHsv});
    describe(file.get(), size, {SoundBy::kChromaprint, FilmBy::kKeyFrames});
    (void)make_strip(file.get(), size, {.frames = 2, .side = 16, .peaks = 8}, {});
  } catch (const std::bad_alloc&) {  // the limit on memory
  }
  return 0;
}
