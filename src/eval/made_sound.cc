// SPDX-License-Identifier: Apache-2.0
#include "eval/made_sound.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numbers>

#include "base/fft.h"
#include "base/normal.h"
#include "base/portable_trig.h"
#include "base/random.h"
#include "feature/resample.h"

namespace twinsift {
namespace {

std::size_t samples_of(double seconds, std::uint32_t rate) {
  return static_cast<std::size_t>(seconds * rate);
}

struct Note {
  double frequency = 0;
  double begin = 0;  // seconds
  double length = 0;
  double loudness = 0;
};

// Five overtones, each weaker than the one before; the sine of a sum of angles is a rotation, so
// that none is computed twice.
void play(const Note& note, std::uint32_t rate, Sound& sound) {
  const std::size_t first = samples_of(note.begin, rate);
  const std::size_t last = std::min(sound.size(), samples_of(note.begin + note.length, rate));
  for (int overtone = 1; overtone <= 5; ++overtone) {
    const double frequency = overtone * note.frequency;
    if (frequency > 0.45 * rate) break;
    const SineCosine turn = portable_sine_cosine(2 * std::numbers::pi * frequency / rate);
    double sine = 0;
    double cosine = note.loudness / overtone;
    for (std::size_t i = first; i < last; ++i) {
      const double next = sine * turn.cosine + cosine * turn.sine;
      cosine = cosine * turn.cosine - sine * turn.sine;
      sine = next;
      const double left = static_cast<double>(last - i) / static_cast<double>(last - first);
      sound[i] += static_cast<float>(sine * left);
    }
  }
}

void beat(double begin, double seconds, std::uint32_t rate, Rng& rng, Sound& sound) {
  const std::size_t first = samples_of(begin, rate);
  const std::size_t last = std::min(sound.size(), samples_of(begin + seconds, rate));
  for (std::size_t i = first; i < last; ++i) {
    const double left = static_cast<double>(last - i) / static_cast<double>(last - first);
    sound[i] += static_cast<float>(0.1 * left * left * left * normal(rng));
  }
}

double pitch_of(std::uint32_t key, std::uint32_t degree) {
  constexpr std::array<std::uint32_t, 7> kMinor = {0, 2, 3, 5, 7, 8, 10};
  const std::uint32_t semitones = key + kMinor[degree % 7] + 12 * (degree / 7);
  return 55 * portable_exp(semitones * std::numbers::ln2 / 12);
}

double power_of(std::span<const float> sound) {
  double sum = 0;
  for (const float x : sound) sum += double{x} * double{x};
  return sound.empty() ? 0 : sum / static_cast<double>(sound.size());
}

// A second-order filter of Butterworth's kind, in place.
void second_order(Sound& sound, double frequency, bool high_pass, std::uint32_t rate) {
  const auto [sine, cosine] = portable_sine_cosine(2 * std::numbers::pi * frequency / rate);
  const double alpha = sine / std::numbers::sqrt2;
  const double edge = high_pass ? (1 + cosine) / 2 : (1 - cosine) / 2;
  const double middle = high_pass ? -2 * edge : 2 * edge;
  const double a0 = 1 + alpha;
  std::array<double, 2> x{};
  std::array<double, 2> y{};
  for (float& sample : sound) {
    const double now = sample;
    const double out =
        (edge * now + middle * x[0] + edge * x[1] + 2 * cosine * y[0] - (1 - alpha) * y[1]) / a0;
    x = {now, x[0]};
    y = {out, y[0]};
    sample = static_cast<float>(out);
  }
}

// Rounds the bins of each band, which are a third of an octave wide, to steps of their own.
void round_spectrum(std::span<float> re, std::span<float> im, double step, std::size_t highest) {
  const std::size_t half = re.size() / 2;
  for (std::size_t begin = 1; begin < half;) {
    const std::size_t end = std::min(half, std::max(begin + 4, begin + begin / 4));
    const auto part = [&](std::span<float> of) { return of.subspan(begin, end - begin); };
    const double mean = std::sqrt((power_of(part(re)) + power_of(part(im))) / 2) * step;
    for (const std::span<float> values : {part(re), part(im)}) {
      for (float& value : values) {
        value = mean > 0 ? static_cast<float>(std::round(double{value} / mean) * mean) : 0.0F;
      }
    }
    begin = end;
  }
  for (std::size_t i = 0; i <= half; ++i) {
    if (i >= highest) re[i] = im[i] = 0;
    if (i > 0 && i < half) {
      re[re.size() - i] = re[i];
      im[im.size() - i] = -im[i];
    }
  }
}

}  // namespace

Sound make_tone(double frequency, double seconds, std::uint32_t rate) {
  Sound sound(samples_of(seconds, rate));
  for (std::size_t i = 0; i < sound.size(); ++i) {
    double whole = 0;
    const double turns = std::modf(frequency * static_cast<double>(i) / rate, &whole);
    sound[i] = static_cast<float>(0.5 * portable_sine_cosine(2 * std::numbers::pi * turns).sine);
  }
  return sound;
}

Sound make_noise(double seconds, std::uint32_t rate, std::uint64_t seed) {
  Rng rng(seed);
  Sound sound(samples_of(seconds, rate));
  for (float& x : sound) x = static_cast<float>(0.1 * normal(rng));
  return sound;
}

Sound make_music(double seconds, std::uint32_t rate, std::uint64_t seed) {
  Rng rng(seed_key(seed, 0));
  Sound sound = louder(make_noise(seconds, rate, seed_key(seed, 1)), 0.01);
  const std::uint32_t key = rng.below(12);
  const double step = 0.15 + 0.15 * rng.uniform();               // seconds: a quarter of a beat
  for (double begin = 0; begin < seconds; begin += 16 * step) {  // a bar
    const std::uint32_t chord = rng.below(7);
    play({pitch_of(key, chord), begin, 8 * step, 0.15}, rate, sound);
    play({pitch_of(key, chord), begin + 8 * step, 8 * step, 0.12}, rate, sound);
    for (std::uint32_t voice = 0; voice < 4; ++voice) {
      for (std::uint32_t at = 0; at < 16;) {
        const std::uint32_t length = 1 + rng.below(6);
        const std::uint32_t degree = 7 + chord + 2 * rng.below(7) + 7 * (voice / 2);
        play({pitch_of(key, degree), begin + at * step, length * step, 0.06}, rate, sound);
        at += length;
      }
    }
    for (std::uint32_t at = 0; at < 16; at += 4) beat(begin + at * step, step, rate, rng, sound);
  }
  return sound;
}

Sound with_noise(Sound sound, double decibels_below, std::uint64_t seed) {
  const double ratio = portable_exp(-decibels_below * std::numbers::ln10 / 20);
  const double deviation = std::sqrt(power_of(sound)) * ratio;
  Rng rng(seed);
  for (float& x : sound) x += static_cast<float>(deviation * normal(rng));
  return sound;
}

Sound louder(Sound sound, double factor) {
  for (float& x : sound) x = static_cast<float>(double{x} * factor);
  return sound;
}

Sound without_beginning(const Sound& sound, double seconds, std::uint32_t rate) {
  const std::size_t first = std::min(sound.size(), samples_of(seconds, rate));
  return {sound.begin() + static_cast<std::ptrdiff_t>(first), sound.end()};
}

Sound telephone(Sound sound, std::uint32_t rate) {
  for (int i = 0; i < 2; ++i) {
    second_order(sound, 300, true, rate);
    second_order(sound, std::min(3400.0, 0.45 * rate), false, rate);
  }
  return sound;
}

Sound sped_up(const Sound& sound, double factor, std::uint32_t rate) {
  const auto from = static_cast<std::uint32_t>(std::lround(factor * rate / 100));
  Resampler resampler(from, rate / 100);  // coarse rates keep the table of taps small
  Sound out;
  resampler.add(sound, out);
  resampler.finish(out);
  return out;
}

Sound transcoded(const Sound& sound, double step, double highest, std::uint32_t rate) {
  constexpr std::size_t kFrame = 1024;
  const Fft fft(kFrame);
  const auto last_bin = static_cast<std::size_t>(highest * kFrame / rate);
  Sound window;
  for (std::size_t i = 0; i < kFrame; ++i) {
    const double angle = std::numbers::pi * (static_cast<double>(i) + 0.5) / kFrame;
    window.push_back(static_cast<float>(portable_sine_cosine(angle).sine));
  }
  Sound out(sound.size());
  for (std::size_t begin = 0; begin + kFrame <= sound.size(); begin += kFrame / 2) {
    Sound re(kFrame);
    Sound im(kFrame);
    for (std::size_t i = 0; i < kFrame; ++i) re[i] = window[i] * sound[begin + i];
    fft.forward(re, im, 1);
    round_spectrum(re, im, step, last_bin);
    fft.backward(re, im, 1);
    for (std::size_t i = 0; i < kFrame; ++i) out[begin + i] += window[i] * re[i] / kFrame;
  }
  return out;
}

}  // namespace twinsift
