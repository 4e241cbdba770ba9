// SPDX-License-Identifier: Apache-2.0
// Chromaprint: a 32-bit code of the last 2.6 s of a sound for every 0.124 s.
//
// The spectrum of each frame is folded to the 12 notes of the octave, smoothed over 5 frames and
// scaled to length 1.  Over 16 such rows, 16 filters compare the sums of two sets of rectangles,
//     log((1 + a) / (1 + b)),
// and each result becomes two bits by three thresholds, in Gray code.  Filters and thresholds were
// chosen by machine learning and are a part of the format.
//
// The codes are those of libchromaprint 1.5's default algorithm ("test2"), so that they can be
// compared with what AcoustID and players know; `fpcalc -raw -length 0` prints them.  Here they are
// a set, too: each distinct code once, which forgets order and time, but goes through every sketch
// and index.
//
// Papers:  Y. Ke, D. Hoiem, R. Sukthankar, "Computer Vision for Music Identification", CVPR 2005.
//          D. Jang et al., "Pairwise Boosted Audio Fingerprint", IEEE TIFS 2009.
// Differs: sound may be as long or as short as it likes; fewer than 20 frames (2.7 s) have no code.
// Cost:    one transform of 4,096 numbers for each code; 4 bytes a code, 110 kB an hour.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "feature/frame_spectra.h"
#include "twinsift/types.h"

namespace twinsift {

inline constexpr std::string_view kChromaprintSpec = "chromaprint1";
inline constexpr std::uint32_t kChromaRate = 11025;  // Hz

// For one sound; not for two threads at a time.
class ChromaPrinter {
 public:
  ChromaPrinter();

  // The next samples, mono, at kChromaRate, from -1 to 1.
  void add(std::span<const float> mono);
  // The codes of all that was added, in their order.  Nothing may be added after it.
  std::vector<std::uint32_t> finish();

 private:
  static constexpr std::size_t kNotes = 12;
  static constexpr std::size_t kSmoothed = 5;  // frames
  static constexpr std::size_t kRows = 16;     // of a code
  using Notes = std::array<double, kNotes>;
  using Sums = std::array<double, kNotes + 1>;  // of the notes before each

  void take_frame(std::span<const float> power);
  void take_row(const Notes& notes);
  [[nodiscard]] std::uint32_t code() const;
  [[nodiscard]] double filter(const struct ChromaFilter& filter) const;

  FrameSpectra spectra_;
  std::vector<std::uint8_t> note_of_bin_;
  std::size_t first_bin_ = 0;
  std::vector<Notes> frames_;  // the last few
  std::vector<Sums> rows_;     // the last few
  std::vector<std::uint32_t> codes_;
};

// Each distinct code once, hashed: a set.
TokenSet chroma_set(std::span<const std::uint32_t> codes);

// The share of differing bits, and where b begins in a, in codes.
struct ChromaAlignment {
  double bit_errors = 1;
  std::int64_t offset = 0;
};

// The best of all offsets at which `overlap` codes or more meet; nobody's if neither has so many.
// Costs the product of their lengths: a yardstick for evaluations, not a search.
// Requires: overlap > 0.
ChromaAlignment best_chroma_alignment(std::span<const std::uint32_t> a,
                                      std::span<const std::uint32_t> b, std::size_t overlap);

}  // namespace twinsift
