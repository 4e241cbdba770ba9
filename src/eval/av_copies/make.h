// SPDX-License-Identifier: Apache-2.0
// From a recording to the file of one attacked copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "eval/av_copies/attacks.h"
#include "eval/av_copies/sound.h"
#include "twinsift/result.h"

namespace twinsift {

struct ChangedSound {
  CopyMap map;
  Sound sound;
};

struct MadeCopy {
  CopyMap map;
  std::string file;
};

// Before it is saved.  The seed is that of the recording.  Requires: a channel at least.
Result<ChangedSound> changed(const Sound& sound, const SoundAttack& attack, std::uint64_t seed);

// kNotFound if libav was built without the encoder.
Result<MadeCopy> make_sound_copy(std::span<const std::byte> recording, const SoundAttack& attack,
                                 std::uint64_t seed);

// The copy has no sound, so that the pictures alone are judged, but for the attacks that are about
// sound: these take that of `other`, or a melody if it has none.
Result<MadeCopy> make_film_copy(std::span<const std::byte> recording,
                                std::span<const std::byte> other, const FilmAttack& attack,
                                std::uint64_t seed);

}  // namespace twinsift
