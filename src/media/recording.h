// SPDX-License-Identifier: Apache-2.0
// Sound and film out of recordings, decoded in child processes.
//
// A recording is an audio or a video file.  As with pictures, no library for their formats is
// linked here: the open file goes to `twinsift-av-decoder`, which works under limits on time and
// memory, whatever the length, and whose answer is believed only as far as it can be checked.
// docs/media/recordings.md says what becomes of streams, clocks, channels, rotation and damage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "media/decoder_pool.h"
#include "twinsift/recording.h"
#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

enum class RecordingKind : std::uint8_t {
  kNone,
  kIso,       // MP4, MOV, M4A, 3GP
  kMatroska,  // WebM, too
  kRiff,      // AVI, WAV
  kOgg,       // Vorbis, Opus, Theora
  kFlac,
  kMp3,  // and all that begins with an ID3 tag
  kAdts,
  kAc3,
  kDts,
  kAiff,
  kAsf,  // WMA, WMV
  kMpegPs,
  kMpegTs,
  kFlv,
  kOther,  // AU, AMR, CAF, WavPack, Monkey's Audio, DSF, Musepack, TTA, RealMedia, IVF, MXF, W64
};

// By the first bytes, never by a name; 64 KiB are plenty.  Text and pictures are kNone.
RecordingKind recognise_recording(std::span<const std::byte> head);

// What is kept of sound and film, by which recordings are compared.
enum class SoundBy : std::uint8_t {
  kPrint,        // feature/sound_print.h
  kFooid,        // feature/fooid.h: a set
  kChromaprint,  // feature/chroma_print.h: a set
};
enum class FilmBy : std::uint8_t {
  kCodes,      // feature/film_print.h
  kKeyFrames,  // the same, of key frames alone: much faster, and less is found
  kHsv,        // feature/hsv_frames.h: a set
};
struct RecordingBy {
  SoundBy sound = SoundBy::kPrint;
  FilmBy film = FilmBy::kCodes;
};

struct Recording {
  double seconds = 0;  // as decoded, whatever the container says
  bool has_sound = false;
  bool has_film = false;
  std::uint32_t width = 0;  // as a person sees it: after rotation
  std::uint32_t height = 0;
  double frame_rate = 0;  // 0: unknown
  std::uint32_t sample_rate = 0;
  std::uint32_t channels = 0;
  std::uint64_t damaged = 0;         // packets that could not be decoded
  std::vector<std::uint64_t> sound;  // as RecordingBy says; empty: nothing to hear
  std::vector<std::uint64_t> film;
  std::vector<Fact> facts;  // {"format", "mp4"}, {"duration", "3:05"}, ...
};

struct StripRequest {
  std::uint32_t frames = 12;  // at most so many
  std::uint32_t side = 160;   // and their longer side at most so long
  std::uint32_t peaks = 1000;
};
inline constexpr std::uint32_t kMostStripFrames = 100;
inline constexpr std::uint32_t kMostStripPeaks = 4000;

// What one recording may cost.
struct RecordingLimits {
  DecodeLimits process = {.time = std::chrono::seconds(30),
                          .stall = std::chrono::seconds(20),
                          .memory = 300ULL << 20,
                          .output = 64ULL << 20};
  std::uint64_t bytes_per_second = 50'000;  // more time for larger files: one second for so many
};

// Decodes recordings in children of its own.  Reads Input::file or, if there is none,
// Input::bytes.  Thread-safe.
class RecordingDecoder {
 public:
  explicit RecordingDecoder(const RecordingLimits& limits = {});

  // The message begins with a short reason.  kCorrupt: damaged, or the decoder crashed on it;
  // kUnsupported: "encrypted", "unusual: ...", "nothing to hear or see: ..."; kLimit: a limit
  // stopped it; kNotFound: there is no decoder.
  [[nodiscard]] Result<Recording> describe(const Input& input, const RecordingBy& by = {});

  // What a person sees of it at a glance.  Costs about as much for ten hours as for one.
  [[nodiscard]] Result<RecordingStrip> strip(const Input& input, const StripRequest& request = {});

  // Which formats can be read, and by which libraries.
  [[nodiscard]] Result<std::vector<Fact>> formats();

 private:
  Result<Parts> ask(const Input& input, const Question& question);

  DecoderPool pool_;
  RecordingLimits limits_;
};

}  // namespace twinsift
