// SPDX-License-Identifier: Apache-2.0
// Two recordings laid against each other along a line in time, at a shift in pitch: how much of
// their sound agrees, and whether that could be chance.
//
// Bits of unrelated sounds agree by halves.  What neighbouring moments say is not independent, so
// the agreement of n moments spreads as sd / sqrt(n) with an sd far above that of 128 coins;
// Spread measures it for the two recordings in question, by laying them against each other at
// random.  Their excess over chance in such units,
//     z = (agreements - n * mean) / (sd * sqrt(n)),
// is the evidence.  Recordings of low information (hums, beats of a clock) agree at many places,
// have a large sd, and so prove nothing.
//
// Papers:  Desolneux, Moisan, Morel, "Meaningful Alignments", IJCV 2000 (evidence against chance).
// Cost:    2 ns for each pair of moments where the processor counts bits, 10 ns elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "feature/sound_print.h"

namespace twinsift {

// A print, and which of its moments say anything.
struct Hearing {
  explicit Hearing(const SoundPrint& print);
  [[nodiscard]] std::ptrdiff_t size() const { return static_cast<std::ptrdiff_t>(codes.size()); }

  std::span<const SoundCode> codes;
  std::vector<std::uint8_t> heard;
};

// Moment j of y, at bit i + shift, is moment speed * j + offset of x at bit i.
struct SoundLine {
  int shift = 0;
  double speed = 1;
  double offset = 0;
  [[nodiscard]] double at(double j) const { return speed * j + offset; }
};

// Moments [from, to) of y, each stride-th of them.
struct Moments {
  std::ptrdiff_t from = 0;
  std::ptrdiff_t to = 0;
  std::ptrdiff_t stride = 1;
};

struct Agreement {
  double sum = 0;           // of the shares of bits that agree
  std::uint32_t count = 0;  // moments of y that are heard and meet one of x that is
  [[nodiscard]] double mean() const { return count == 0 ? 0 : sum / count; }
};

Agreement agreement_along(const Hearing& x, const Hearing& y, const SoundLine& line,
                          const Moments& moments);

// The share of bits in which moment j of y agrees with the one of x that it meets; below 0 if they
// do not say anything.
double agreement_at(const Hearing& x, const Hearing& y, const SoundLine& line, std::ptrdiff_t j);

// How moments agree by chance: of music and speech, unless it is measured.
struct Spread {
  double mean = 0.5;
  double sd = 0.132;
  [[nodiscard]] double z(const Agreement& agreement) const;
};
// At the pitch of a line, anywhere but beside it: what is to be proved must not count as chance.
// Short recordings have few such places, which prove as little: there the usual spread counts too.
Spread spread_of(const Hearing& x, const Hearing& y, const SoundLine& line);

}  // namespace twinsift
