// SPDX-License-Identifier: Apache-2.0
// Attacked copies of recordings, made by twinsift-av-copies in child processes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "eval/av_copies/attacks.h"
#include "eval/av_copies/copy_wire.h"
#include "eval/made_film.h"
#include "media/decoder_pool.h"
#include "twinsift/result.h"

namespace twinsift {

struct AttackedCopy {
  CopyMap map;
  std::string file;  // empty: the encoder is missing
};

// Thread-safe.
class RecordingMaker {
 public:
  RecordingMaker();
  // kNotFound, with what to do about it, if the program is missing.
  static Status check();

  Result<RecordingFacts> facts(std::span<const std::byte> recording);
  // `attack` is a place in kSoundAttacks or, for RecordingTask::kFilm, in kFilmAttacks.
  Result<AttackedCopy> copy(std::span<const std::byte> recording, RecordingTask task,
                            std::size_t attack, std::uint64_t seed);
  // The pictures of the one with the sound of the other.
  Result<AttackedCopy> mixed(std::span<const std::byte> pictures, std::span<const std::byte> sound,
                             std::size_t attack, std::uint64_t seed);

  // What fingerprints are made of: mono samples at kRawRate, and small frames at kRawFrameRate.
  Result<std::vector<float>> samples(std::span<const std::byte> recording);
  Result<Film> frames(std::span<const std::byte> recording);

 private:
  Result<AttackedCopy> ask(std::span<const std::byte> item, const RecordingQuestion& question);

  DecoderPool pool_;
};

}  // namespace twinsift
