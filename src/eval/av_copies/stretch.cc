// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/portable_trig.h"
#include "eval/av_copies/sound.h"

namespace twinsift {
namespace {

using Samples = std::vector<float>;

constexpr std::ptrdiff_t kWindow = 2048;
constexpr std::ptrdiff_t kHop = kWindow / 2;
constexpr std::ptrdiff_t kReach = kCopyRate / 100;
constexpr std::ptrdiff_t kCoarse = 4;

float at(const Samples& samples, std::ptrdiff_t i) {
  return i < 0 || i >= std::ssize(samples) ? 0.0F : samples[static_cast<std::size_t>(i)];
}

// How well the windows at a and b go on alike, looking at every step-th sample.
double likeness(const Samples& samples, std::ptrdiff_t a, std::ptrdiff_t b, std::ptrdiff_t step) {
  double product = 0;
  double power = 1e-9;
  for (std::ptrdiff_t i = 0; i < kHop; i += step) {
    const double other = at(samples, b + i);
    product += double{at(samples, a + i)} * other;
    power += other * other;
  }
  return product / std::sqrt(power);
}

// The place within `reach` of `goal` at which the sound is most like that at `natural`; among equal
// ones, as in silence, the nearest.
std::ptrdiff_t best_place(const Samples& samples, std::ptrdiff_t natural, std::ptrdiff_t goal,
                          std::ptrdiff_t reach, std::ptrdiff_t step) {
  std::ptrdiff_t best = goal;
  double most = likeness(samples, natural, goal, step);
  for (std::ptrdiff_t away = step; away <= reach; away += step) {
    for (const std::ptrdiff_t place : {goal - away, goal + away}) {
      const double value = likeness(samples, natural, place, step);
      if (value <= most) continue;
      most = value;
      best = place;
    }
  }
  return best;
}

std::ptrdiff_t best_place(const Samples& samples, std::ptrdiff_t natural, std::ptrdiff_t goal) {
  const std::ptrdiff_t coarse = best_place(samples, natural, goal, kReach - kCoarse, kCoarse);
  return best_place(samples, natural, coarse, kCoarse - 1, 1);
}

Samples rising_half() {
  Samples half(kHop);
  for (std::size_t i = 0; i < half.size(); ++i) {
    const double angle = std::numbers::pi * (static_cast<double>(i) + 0.5) / kHop;
    half[i] = static_cast<float>((1 - portable_sine_cosine(angle).cosine) / 2);
  }
  return half;
}

}  // namespace

Sound stretched(const Sound& sound, double tempo) {
  const Sound guide = mono(sound);
  const Samples half = rising_half();
  const auto length = static_cast<std::size_t>(static_cast<double>(sound.length()) / tempo);
  Sound out;
  out.channels.assign(sound.channels.size(), Samples(length));
  // The window at `before` is dying away while that at `place` begins.
  std::ptrdiff_t before = 0;
  for (std::size_t begin = 0; begin < length; begin += kHop) {
    const auto goal = static_cast<std::ptrdiff_t>(static_cast<double>(begin) * tempo);
    const std::ptrdiff_t place = begin == 0 ? 0 : best_place(guide.channels[0], before, goal);
    const std::size_t end = std::min<std::size_t>(length, begin + kHop);
    for (std::size_t c = 0; c < out.channels.size(); ++c) {
      for (std::size_t i = begin; i < end; ++i) {
        const auto step = static_cast<std::ptrdiff_t>(i - begin);
        const float share = half[i - begin];
        out.channels[c][i] = (1 - share) * at(sound.channels[c], before + step) +
                             share * at(sound.channels[c], place + step);
      }
    }
    before = place + kHop;
  }
  return out;
}

}  // namespace twinsift
