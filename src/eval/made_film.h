// SPDX-License-Identifier: Apache-2.0
// Small films, made up from a seed, and what may become of them.  The same pixels on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "feature/pdq.h"

namespace twinsift {

// A film at a few frames a second, small as fingerprints of colours need it.
struct Film {
  static constexpr double kRate = 4;  // frames a second
  std::uint32_t width = 64;
  std::uint32_t height = 40;
  std::vector<std::vector<std::uint8_t>> frames{};  // R, G, B, row by row

  [[nodiscard]] double seconds() const { return static_cast<double>(frames.size()) / kRate; }
  [[nodiscard]] RgbPixels frame(std::size_t i) const { return {frames[i], width, height}; }
};

// Shots of 2 to 6 s: coloured shapes that move over a background, in light that changes, all in the
// colours of the film.
Film make_film(double seconds, std::uint64_t seed);

// From one second to another.
Film part_of(const Film& film, double begin, double end);

// What a lossy codec leaves: blocks of 8 x 8, whose cosine terms are rounded to multiples of a
// step, larger for higher terms and for colour.  Requires: sides that are multiples of 8.
Film recoded(Film film, double step);
Film brighter(Film film, double factor, double more);
// Black bars over so much of the height, half above and half below; nothing is scaled.
Film barred(Film film, double share);

}  // namespace twinsift
