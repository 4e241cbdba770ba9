// SPDX-License-Identifier: Apache-2.0
// Made-up sound for tests: music, and what is done to copies of it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <span>
#include <vector>

#include "base/normal.h"
#include "base/random.h"
#include "feature/sound_print.h"

namespace twinsift {

using Samples = std::vector<float>;

// Notes of random pitch, length and loudness, five begin in each second; each has three partials
// and fades away.
inline Samples made_up_music(std::uint64_t seed, double seconds) {
  Rng rng(seed);
  Samples music(static_cast<std::size_t>(seconds * kSoundRate), 0.0F);
  const auto notes = static_cast<int>(5 * seconds);
  for (int note = 0; note < notes; ++note) {
    const auto begin = static_cast<std::size_t>(rng.uniform() * static_cast<double>(music.size()));
    const double pitch = 110 * std::pow(2.0, rng.below(44) / 12.0);
    const double fade = 1.5 + 6 * rng.uniform();
    const double loud = 0.05 + 0.1 * rng.uniform();
    for (std::size_t i = begin; i < std::min(music.size(), begin + 2 * kSoundRate); ++i) {
      const double t = static_cast<double>(i - begin) / kSoundRate;
      const double angle = 2 * std::numbers::pi * pitch * t;
      const double wave = std::sin(angle) + 0.5 * std::sin(2 * angle) + 0.3 * std::sin(3 * angle);
      music[i] += static_cast<float>(loud * std::exp(-fade * t) * wave);
    }
  }
  return music;
}

inline Samples white_noise(std::uint64_t seed, double seconds, double loud) {
  Rng rng(seed);
  Samples noise(static_cast<std::size_t>(seconds * kSoundRate));
  for (float& sample : noise) sample = static_cast<float>(loud * normal(rng));
  return noise;
}

inline Samples tone(double pitch, double seconds, double phase) {
  Samples samples(static_cast<std::size_t>(seconds * kSoundRate));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double t = static_cast<double>(i) / kSoundRate;
    samples[i] = static_cast<float>(0.5 * std::sin(2 * std::numbers::pi * pitch * t + phase));
  }
  return samples;
}

inline Samples cut(const Samples& from, double begin, double seconds) {
  const auto first = static_cast<std::ptrdiff_t>(begin * kSoundRate);
  const auto count = static_cast<std::ptrdiff_t>(seconds * kSoundRate);
  return {from.begin() + first, from.begin() + first + count};
}

inline Samples with_noise(Samples samples, std::uint64_t seed, double decibels) {
  double power = 0;
  for (const float sample : samples) power += static_cast<double>(sample) * sample;
  power /= static_cast<double>(samples.size());
  Rng rng(seed);
  const double loud = std::sqrt(power) * std::pow(10.0, -decibels / 20);
  for (float& sample : samples) sample += static_cast<float>(loud * normal(rng));
  return samples;
}

// Time and pitch together, as of a tape that runs faster: samples between samples by straight
// lines.
inline Samples faster(const Samples& from, double speed) {
  Samples samples(static_cast<std::size_t>(static_cast<double>(from.size() - 1) / speed));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double at = static_cast<double>(i) * speed;
    const auto before = static_cast<std::size_t>(at);
    const auto share = static_cast<float>(at - static_cast<double>(before));
    samples[i] = from[before] * (1 - share) + from[before + 1] * share;
  }
  return samples;
}

inline std::vector<std::uint64_t> words_of(std::span<const float> samples) {
  SoundPrinter printer;
  printer.add(samples);
  return printer.finish();
}

inline SoundPrint print_of(std::span<const float> samples) {
  return *unpack_sound_print(words_of(samples));
}

}  // namespace twinsift
