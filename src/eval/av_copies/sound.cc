// SPDX-License-Identifier: Apache-2.0
#include "eval/av_copies/sound.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>

#include "base/normal.h"
#include "base/portable_trig.h"
#include "base/random.h"

namespace twinsift {
namespace {

// A filter of second order, in the transposed direct form.
struct Biquad {
  double b0 = 1, b1 = 0, b2 = 0, a1 = 0, a2 = 0;
  double s1 = 0, s2 = 0;

  double operator()(double in) {
    const double out = b0 * in + s1;
    s1 = b1 * in - a1 * out + s2;
    s2 = b2 * in - a2 * out;
    return out;
  }
};

// Half of a Butterworth filter of fourth order, by the bilinear transform; q is 1 / (2 cos of an
// eighth or of three eighths of a half turn).
Biquad butterworth(double hertz, double q, bool high) {
  const auto [sine, cosine] = portable_sine_cosine(2 * std::numbers::pi * hertz / kCopyRate);
  const double alpha = sine / (2 * q);
  const double a0 = 1 + alpha;
  const double edge = (high ? 1 + cosine : 1 - cosine) / (2 * a0);
  return {.b0 = edge,
          .b1 = high ? -2 * edge : 2 * edge,
          .b2 = edge,
          .a1 = -2 * cosine / a0,
          .a2 = (1 - alpha) / a0};
}

constexpr double kFirstQ = 0.54119610014619701;
constexpr double kSecondQ = 1.3065629648763766;

template <class Change>
Sound each_sample(const Sound& sound, Change change) {
  Sound out = sound;
  for (auto& channel : out.channels) {
    for (float& sample : channel) sample = static_cast<float>(change(sample));
  }
  return out;
}

double mean_power(const Sound& sound) {
  double sum = 0;
  for (const auto& channel : sound.channels) {
    for (const float sample : channel) sum += double{sample} * sample;
  }
  return sum / static_cast<double>(std::max<std::size_t>(1, sound.length())) /
         static_cast<double>(std::max<std::size_t>(1, sound.channels.size()));
}

double from_decibels(double decibels) { return portable_exp(decibels / 20 * std::numbers::ln10); }

// Four partials that die away with 6 nepers a second.
void add_note(double hertz, std::span<float> samples) {
  const double step = 2 * std::numbers::pi * hertz / kCopyRate;
  const double decay = portable_exp(-6.0 / kCopyRate);
  double volume = 0.1;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto [sine, cosine] = portable_sine_cosine(step * static_cast<double>(i));
    // sin((k + 1) x) = 2 cos(x) sin(k x) - sin((k - 1) x)
    double before = 0;
    double partial = sine;
    double value = 0;
    for (int k = 1; k <= 4; ++k) {
      value += partial / k;
      const double next = 2 * cosine * partial - before;
      before = partial;
      partial = next;
    }
    samples[i] += static_cast<float>(volume * value);
    volume *= decay;
  }
}

}  // namespace

Sound mono(const Sound& sound) {
  if (sound.channels.size() < 2) return sound;
  Sound out;
  out.channels.emplace_back(sound.length());
  const float share = 1.0F / static_cast<float>(sound.channels.size());
  for (const auto& channel : sound.channels) {
    for (std::size_t i = 0; i < channel.size(); ++i) out.channels[0][i] += share * channel[i];
  }
  return out;
}

Sound excerpt(const Sound& sound, std::size_t begin, std::size_t count) {
  Sound out;
  begin = std::min(begin, sound.length());
  count = std::min(count, sound.length() - begin);
  for (const auto& channel : sound.channels) {
    const auto first = channel.begin() + static_cast<std::ptrdiff_t>(begin);
    out.channels.emplace_back(first, first + static_cast<std::ptrdiff_t>(count));
  }
  return out;
}

Sound louder(const Sound& sound, double decibels) {
  const double factor = from_decibels(decibels);
  return each_sample(sound, [&](float sample) { return factor * sample; });
}

Sound noisy(const Sound& sound, double decibels, std::uint64_t seed) {
  const double sigma = std::sqrt(mean_power(sound)) * from_decibels(-decibels);
  Rng random(seed);
  return each_sample(sound, [&](float sample) { return (sample + sigma * normal(random)) / 2; });
}

Sound telephoned(const Sound& sound) {
  Sound out = sound;
  for (auto& channel : out.channels) {
    std::array filters = {butterworth(300, kFirstQ, true), butterworth(300, kSecondQ, true),
                          butterworth(3400, kFirstQ, false), butterworth(3400, kSecondQ, false)};
    for (float& sample : channel) {
      double value = sample;
      for (Biquad& filter : filters) value = filter(value);
      sample = static_cast<float>(value);
    }
  }
  return out;
}

Sound melody(double seconds, std::uint64_t seed) {
  constexpr std::array<int, 7> kScale = {0, 2, 4, 5, 7, 9, 11};
  constexpr std::size_t kBeat = kCopyRate / 4;
  Rng random(seed);
  Sound out;
  auto& samples =
      out.channels.emplace_back(static_cast<std::size_t>(std::max(0.0, seconds) * kCopyRate));
  for (std::size_t begin = 0; begin < samples.size(); begin += kBeat) {
    const std::size_t count = std::min(samples.size() - begin, 2 * kBeat);
    for (const double octave : {130.8, 261.6}) {
      const int tone = kScale[random.below(kScale.size())] + 12 * static_cast<int>(random.below(2));
      add_note(octave * portable_exp(tone * std::numbers::ln2 / 12),
               std::span(samples).subspan(begin, count));
    }
  }
  return out;
}

}  // namespace twinsift
