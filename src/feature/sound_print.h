// SPDX-License-Identifier: Apache-2.0
// What is kept of the sound of a recording: sixteen codes of 128 bits for each second.
//
// Bit i of a code tells the sign of how the loudness A (sound_spectrum.h) turns in time and pitch:
//     D_t[i] = sum_{j=1..3} A_t[i+j] - A_t[i-j]
//     bit i  = D_{t+1}[i] + D_t[i] - D_{t-1}[i] - D_{t-2}[i] > 2^-12 max(A)
// Differences in pitch do not hear a filter, differences in time do not hear what lasts, and signs
// do not hear the volume.  The bound on the right side makes steady sound silent: its bits are 0.
// A bit stands for a small neighbourhood in time and pitch, so that copies that run 10 % faster, or
// lie between two pitches, keep most of theirs; and a transposed copy has shifted codes.
//
// Papers:  Haitsma, Kalker, "A Highly Robust Audio Fingerprinting System", ISMIR 2002 (signs of
//          differences in time and frequency); Ke, Hoiem, Sukthankar, "Computer Vision for Music
//          Identification", CVPR 2005 (box filters of spectrograms).
// Differs: four times finer in pitch and over five times longer in time than the former, on a
//          scale where pitch is a place, so that all pitches are compared with one print.
// Cost:    see sound_spectrum.h; 0.92 MB for an hour of sound.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "feature/sound_code.h"
#include "feature/sound_spectrum.h"
#include "twinsift/result.h"

namespace twinsift {

struct SoundPrint {
  std::uint64_t samples = 0;  // at kSoundRate
  std::vector<SoundCode> codes;

  [[nodiscard]] double seconds() const { return static_cast<double>(samples) / kSoundRate; }
  friend bool operator==(const SoundPrint&, const SoundPrint&) = default;
};

// Where code i lies, in seconds: it looks at four rows.
inline double code_seconds(double i) { return (i + 1.5) * kSoundRowSeconds; }

// Hears a recording from its beginning to its end; keeps the codes, and two seconds of sound.
// Not for several threads at once.
class SoundPrinter {
 public:
  SoundPrinter();
  SoundPrinter(const SoundPrinter&) = delete;
  SoundPrinter& operator=(const SoundPrinter&) = delete;
  ~SoundPrinter() = default;

  // Samples of one channel at kSoundRate, in pieces of any size.
  void add(std::span<const float> mono);

  // The packed print, and empty if there is nothing to hear: no moment that is neither silent nor
  // a steady sound.  Nothing may be added afterwards.
  std::vector<std::uint64_t> finish();

 private:
  void take(const SoundRow& row);

  struct Slopes {
    std::array<float, kSoundBits> values{};
    float loudest = 0;
  };
  SoundPrint print_;
  std::array<Slopes, 4> slopes_{};  // of the last rows; row i at i % 4
  std::size_t rows_ = 0;
  SoundSpectrum spectrum_;
};

std::vector<std::uint64_t> pack_sound_print(const SoundPrint& print);

// kCorrupt if these are not the words of a print.
Result<SoundPrint> unpack_sound_print(std::span<const std::uint64_t> words);

}  // namespace twinsift
