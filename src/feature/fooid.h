// SPDX-License-Identifier: Apache-2.0
// fooid: the fingerprint of a song in 424 bytes, and what POND makes of it.
//
// The first 89 s of the song, at 8,000 Hz, are 87 frames of 8,192 samples.  Of each frame it keeps
//     fit   for each of 16 bands, how well a straight line describes the powers in dB: the fourth
//           root of r^2, in four levels (0 noise-like, 3 sloping or silent), and
//     dom   where the spectrum is highest, in 64 steps.
// After a head of 10 bytes (version, length of the song, means of both) come 1,392 two-bit levels
// and 88 six-bit steps.
//
// Its own comparison is a weighted count of differing codes without any alignment.  POND takes each
// byte with its place for one id of a set: two songs with m equal bytes have the Jaccard similarity
// m / (848 - m).
//
// Papers:  [POND] Papapetrou et al., "Optimizing Near Duplicate Detection for P2P Networks", 2010,
//          sec. III-B.  Of libFooID 1.0 (2006) itself there is no paper.
// Differs: sound begins at the first sample of the mean of all channels that is not silent (there:
//          of any channel).
// Errata:  [POND] calls the 424 bytes 424 fingerprints, one for each dimension.  A byte holds four
//          levels or parts of two steps, so that one code that differs spoils its neighbours.
// Cost:    87 transforms of 8,192 numbers; 424 bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "feature/frame_spectra.h"
#include "feature/resample.h"
#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

inline constexpr std::string_view kFooidSpec = "fooid1";

using FooidPrint = std::array<std::uint8_t, 424>;

// For one song; not for two threads at a time.
class FooidPrinter {
 public:
  static constexpr std::size_t kFrames = 87;
  static constexpr std::size_t kBands = 16;

  // kInvalidArgument if the rate is 0 or above Resampler::kMostRate.
  static Result<FooidPrinter> make(std::uint32_t rate);

  // The next samples, mono, from -1 to 1.  Most of a long song is not looked at.
  void add(std::span<const float> mono);
  // Whether more samples would change anything.
  [[nodiscard]] bool full() const;

  // `seconds` is the length of the whole song.  kUnsupported: less than 10 s of it were heard, or
  // nothing but silence.
  Result<FooidPrint> finish(double seconds);

 private:
  explicit FooidPrinter(std::uint32_t rate);
  void feed();
  void describe(std::span<const float> power);

  Resampler resampler_;
  FrameSpectra spectra_;
  std::vector<float> sound_;  // at 8,000 Hz, not yet fed
  std::size_t samples_ = 0;   // at 8,000 Hz so far
  bool heard_ = false;
  std::vector<std::array<std::uint8_t, kBands>> levels_;  // a frame each
  std::vector<std::uint8_t> steps_;
};

// 0 to 1: unrelated songs reach 0.65 and more, so that only values near 1 mean anything.
double fooid_confidence(const FooidPrint& a, const FooidPrint& b);

// Whether the lengths of the songs differ by at most a tenth of the shorter one, without which
// players did not compare them.
bool fooid_lengths_agree(const FooidPrint& a, const FooidPrint& b);

// How many of the 1,392 levels and 87 steps are equal: {levels, steps}.
std::pair<std::uint32_t, std::uint32_t> fooid_equal_codes(const FooidPrint& a, const FooidPrint& b);

// POND's 424 strings "place:value", hashed: a set.
TokenSet fooid_set(const FooidPrint& print);

}  // namespace twinsift
