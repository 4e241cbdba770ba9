// SPDX-License-Identifier: Apache-2.0
// What recordings of tests let hear and see: tunes and films by the number, which share nothing.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "base/hash.h"
#include "media/av/test_recordings.h"

namespace twinsift {

// Two voices with a new note each quarter of a second, whose overtones die away.
inline double tune(std::uint64_t seed, double t) {
  const auto beat = static_cast<std::uint64_t>(t * 4);
  const double passed = t - static_cast<double>(beat) / 4;
  double sum = 0;
  for (const std::uint64_t voice : {0U, 1U}) {
    const auto tone = static_cast<double>(seed_key(seed, 2 * beat + voice) % 24);
    const double pitch = 2 * std::numbers::pi * (voice == 0 ? 131 : 523) * std::exp2(tone / 12);
    for (const double overtone : {1, 2, 3}) sum += std::sin(overtone * pitch * t) / overtone;
  }
  return 0.2 * sum * std::exp(-4 * passed);
}

// A stretch of the tune.
inline TestSound tune_of(std::uint64_t seed, double seconds = 10, double begin = 0) {
  return {.rate = 16000, .seconds = seconds, .wave = [=](double t, int) {
            return tune(seed, begin + t);
          }};
}

// Spots that wander, each on a path of its own, and others after every two seconds.
inline int spots(std::uint64_t seed, double t, double x, double y) {
  const auto scene = static_cast<std::uint64_t>(t / 2);
  double light = 60;
  for (std::uint64_t i = 0; i < 6; ++i) {
    const std::uint64_t key = seed_key(seed + scene, i);
    const double at_x = static_cast<double>(key % 97) / 97 + 0.1 * std::sin(t + double(i));
    const double at_y = static_cast<double>(key / 97 % 89) / 89 + 0.1 * std::cos(t * 2 + double(i));
    const double far = (x - at_x) * (x - at_x) + (y - at_y) * (y - at_y);
    light += (key % 2 == 0 ? 120 : -60) * std::exp(-40 * far);
  }
  return static_cast<int>(std::clamp(light, 20.0, 230.0));
}

inline TestFilm spots_of(std::uint64_t seed, double seconds = 6, int width = 96, int height = 64) {
  return {.width = width,
          .height = height,
          .frames = static_cast<int>(seconds * 25),
          .luma = [=](int frame, int x, int y) {
            return spots(seed, frame / 25.0, double(x) / width, double(y) / height);
          }};
}

}  // namespace twinsift
