// SPDX-License-Identifier: Apache-2.0
// The loudness of sound by time and pitch, as the ear hears pitch: on a logarithmic scale.
//
// Sixteen times a second the amplitudes of kSoundBins pitches, a third of a semitone apart, from
// 208 to 2,690 Hz: what telephones, small loudspeakers and codecs of low rates leave alone.  Each
// is the root of the power in a triangle about its pitch, of a Hann window of 0.34 s.  On this
// scale another pitch is another place, and a change of volume a factor.
//
// Differs: fingerprints in the literature use logarithms of energies.  Amplitudes lose fewer of
//          the signs that we take (sound_print.h): of mp3 at 48 kbit/s 4.5 % against 7.2 %, of
//          white noise 28 % against 32 %.
// Cost:    half a transform of 2,048 points for each 1/16 s; the state is a few seconds.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "base/fft.h"

namespace twinsift {

inline constexpr unsigned kSoundRate = 6000;                 // samples per second
inline constexpr std::size_t kSoundHop = 375;                // samples from row to row
inline constexpr double kSoundRowSeconds = 1.0 / 16;         // the same in seconds
inline constexpr double kSoundBinStep = 1.0194406437021448;  // 2^(1/36)
inline constexpr std::size_t kSoundBins = 134;

using SoundRow = std::array<float, kSoundBins>;  // amplitudes, from low to high

// Takes samples in pieces of any size; the rows do not depend on the pieces.  The middle of row i
// is at the sample i * kSoundHop; before the first and after the last sample there is silence.
// Not for several threads at once.
class SoundSpectrum {
 public:
  using Sink = std::function<void(const SoundRow&)>;
  explicit SoundSpectrum(Sink sink);

  void add(std::span<const float> samples);
  void finish();  // gives the last rows; nothing may be added afterwards

 private:
  static constexpr std::size_t kLanes = 8;
  static constexpr std::size_t kBatch = 2 * kLanes;  // rows at a time

  // A number of each transform; in one vector.
  struct alignas(32) Row {
    std::array<float, kLanes> lanes;
  };

  // Weights of the powers first, first + 1, .. of the transform.
  struct Triangle {
    std::size_t first = 0;
    std::vector<float> weights;
  };

  void emit(std::size_t rows);  // the first so many of those that begin in samples_
  void transform();
  void take_amplitudes();

  Sink sink_;
  Fft fft_;
  std::vector<float> window_;
  std::vector<Triangle> triangles_;
  std::vector<float> samples_;  // that are still needed
  std::vector<Row> re_;
  std::vector<Row> im_;
  std::vector<SoundRow> rows_;
};

}  // namespace twinsift
