// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "base/hash.h"
#include "eval/av_copies/make.h"
#include "eval/av_copies/sound_file.h"

namespace twinsift {
namespace {

constexpr double kMostSeconds = 1200;  // which take 400 MB

std::size_t samples_in(double seconds) {
  return static_cast<std::size_t>(std::lround(seconds * kCopyRate));
}

Result<Sound> faster(const Sound& sound, double speed) {
  return resampled(sound, static_cast<int>(std::lround(kCopyRate * speed)), kCopyRate);
}

ChangedSound part_of(const Sound& sound, std::size_t begin, std::size_t count) {
  return {.map = {.offset = static_cast<double>(begin) / kCopyRate},
          .sound = excerpt(sound, begin, count)};
}

Result<ChangedSound> at_speed(const Sound& sound, double speed) {
  ChangedSound out = {.map = {.speed = speed, .pitch = speed}, .sound = {}};
  TWINSIFT_TRY(out.sound, faster(sound, speed));
  return out;
}

// Slower at the same pitch, and then faster with everything.
Result<ChangedSound> at_pitch(const Sound& sound, double pitch) {
  ChangedSound out = {.map = {.pitch = pitch}, .sound = {}};
  TWINSIFT_TRY(out.sound, faster(stretched(sound, 1 / pitch), pitch));
  return out;
}

Result<ChangedSound> change(const Sound& sound, const SoundAttack& attack, std::uint64_t seed) {
  const std::size_t length = sound.length();
  switch (attack.change) {
    case SoundChange::kNone:
      break;
    case SoundChange::kVolume:
      return ChangedSound{.map = {}, .sound = louder(sound, attack.amount)};
    case SoundChange::kNoise:
      return ChangedSound{.map = {}, .sound = noisy(sound, attack.amount, seed)};
    case SoundChange::kDrop:
      return part_of(sound, samples_in(attack.amount), length);
    case SoundChange::kMiddle: {
      const std::size_t count = std::min(length, samples_in(attack.amount));
      return part_of(sound, (length - count) / 2, count);
    }
    case SoundChange::kTelephone:
      return ChangedSound{.map = {}, .sound = telephoned(sound)};
    case SoundChange::kPitch:
      return at_pitch(sound, attack.amount);
    case SoundChange::kSpeed:
      return at_speed(sound, attack.amount);
    case SoundChange::kTempo:
      return ChangedSound{.map = {.speed = attack.amount},
                          .sound = stretched(sound, attack.amount)};
  }
  return ChangedSound{.map = {}, .sound = sound};
}

}  // namespace

Result<ChangedSound> changed(const Sound& sound, const SoundAttack& attack, std::uint64_t seed) {
  // What only saves it badly keeps both channels: sharing bits among them is part of the attack.
  const bool whole = attack.change == SoundChange::kNone;
  const auto number = static_cast<std::uint64_t>(std::lround(std::abs(attack.amount) * 100));
  TWINSIFT_TRY(ChangedSound out,
               change(whole ? sound : mono(sound), attack, seed_key(seed, number)));
  out.map.seconds = out.sound.seconds();
  return out;
}

Result<MadeCopy> make_sound_copy(std::span<const std::byte> recording, const SoundAttack& attack,
                                 std::uint64_t seed) {
  TWINSIFT_TRY(Source source, Source::open(recording));
  TWINSIFT_TRY(const Sound sound, decode_sound(source, kMostSeconds));
  TWINSIFT_TRY(const ChangedSound copy, changed(sound, attack, seed));
  MadeCopy out = {.map = copy.map, .file = {}};
  TWINSIFT_TRY(out.file, encode_sound(copy.sound, attack.format, attack.kilobits));
  return out;
}

}  // namespace twinsift
