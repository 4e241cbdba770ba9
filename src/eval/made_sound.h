// SPDX-License-Identifier: Apache-2.0
// Sounds that nobody has to own: made up from a seed, and what may become of them.  The same
// numbers on every machine.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace twinsift {

using Sound = std::vector<float>;  // mono, from -1 to 1

Sound make_tone(double frequency, double seconds, std::uint32_t rate);
// White, with a standard deviation of 0.1.
Sound make_noise(double seconds, std::uint32_t rate, std::uint64_t seed);
// Four voices, a bass and beats: notes of a key of its own with overtones, that die away and are
// repeated in bars, as music is, over a little noise.
Sound make_music(double seconds, std::uint32_t rate, std::uint64_t seed);

// White noise so many dB below the sound, of which there must be some.
Sound with_noise(Sound sound, double decibels_below, std::uint64_t seed);
Sound louder(Sound sound, double factor);
Sound without_beginning(const Sound& sound, double seconds, std::uint32_t rate);
// What a telephone leaves: second-order edges at 300 and 3,400 Hz, twice.
Sound telephone(Sound sound, std::uint32_t rate);
// Faster, and higher by as much: 1.03 for 3 %.
Sound sped_up(const Sound& sound, double factor, std::uint32_t rate);
// What a lossy codec leaves: spectra of 1,024 overlapping samples, rounded to multiples of `step`
// times the mean of their band, nothing above `highest` Hz.
Sound transcoded(const Sound& sound, double step, double highest, std::uint32_t rate);

}  // namespace twinsift
