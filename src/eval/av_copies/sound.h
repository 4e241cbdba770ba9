// SPDX-License-Identifier: Apache-2.0
// Sound as samples, and what people do to it, one function each.
//
// All are pure functions of their arguments.  Cost: linear in the samples, stretched() some
// hundred steps for each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace twinsift {

inline constexpr int kCopyRate = 44100;  // Hz, of all sounds here

struct Sound {
  std::vector<std::vector<float>> channels;  // one or two, equally long, -1 to 1

  [[nodiscard]] std::size_t length() const { return channels.empty() ? 0 : channels[0].size(); }
  [[nodiscard]] double seconds() const { return static_cast<double>(length()) / kCopyRate; }
};

// The mean of the channels.
Sound mono(const Sound& sound);

// [begin, begin + count) of it, as far as it goes.
Sound excerpt(const Sound& sound, std::size_t begin, std::size_t count);

Sound louder(const Sound& sound, double decibels);

// With white noise whose power is `decibels` below that of the whole sound, at half the volume so
// that little is clipped.
Sound noisy(const Sound& sound, double decibels, std::uint64_t seed);

// What a telephone lets through: 300 to 3400 Hz, 24 decibels an octave beyond.
Sound telephoned(const Sound& sound);

// `tempo` times as fast at the same pitch.  Windows of 46 ms are laid over each other at half their
// length; each is taken from where it fits best to what was there before, at most 10 ms beside
// the place that the tempo gives.  So no moment is more than that from where it should be.
//
// Papers: Verhelst and Roelands, "An overlap-add technique based on waveform similarity (WSOLA) for
//   high quality time-scale modification of speech", ICASSP 1993.
// Differs: the best place is looked for at every fourth sample first.
// Requires: tempo in [0.5, 2].
Sound stretched(const Sound& sound, double tempo);

// A tune that nobody has heard before: two voices of notes with overtones that die away.
Sound melody(double seconds, std::uint64_t seed);

}  // namespace twinsift
