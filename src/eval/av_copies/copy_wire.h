// SPDX-License-Identifier: Apache-2.0
// What twinsift-av-copies is asked about a recording, and what it answers.
//
//   kFacts    RecordingFacts
//   kSound    CopyMap, then the file of kSoundAttacks[attack], empty if its encoder is missing
//   kFilm     CopyMap, then the file of kFilmAttacks[attack], empty if its encoder is missing
//   kSamples  floats, mono, at kRawRate
//   kFrames   RawFramesHead, then RGB bytes of small frames, kRawFrameRate a second
//
// The item is the recording.  Attacks that mix two have the other one behind it.
#pragma once

#include <cstdint>

namespace twinsift {

enum class RecordingTask : std::uint8_t { kFacts, kSound, kFilm, kSamples, kFrames };

inline constexpr int kRawRate = 11025;  // Hz
inline constexpr double kRawFrameRate = 4;
inline constexpr unsigned kRawSide = 64;        // pixels of the longer side
inline constexpr double kMostRawSeconds = 300;  // that are given

struct RecordingQuestion {
  RecordingTask task = RecordingTask::kFacts;
  std::uint8_t attack = 0;
  std::uint64_t seed = 0;
  std::uint64_t first_size = 0;  // bytes of the recording; the rest is the other one
};

struct RawFramesHead {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
};

struct RecordingFacts {
  double seconds = 0;  // 0: unknown
  bool sound = false;
  bool film = false;
};

}  // namespace twinsift
