// SPDX-License-Identifier: Apache-2.0
// One picture of a film, squeezed into a square, and the bars around what it shows.
//
// A film is shown with bars above and below, or beside it, where its shape is not that of the
// screen.  They say nothing about the film.  A side has a bar as far as its rows are of one
// brightness; the bar is clear if it ends abruptly.  A dark scene may look as if it had bars, and a
// bar is not to be seen in a dark scene: feature/film_printer.h looks at several seconds to tell.
//
// Cost: one multiplication and one addition a pixel.
#pragma once

#include <array>
#include <cstdint>

#include "feature/grey_image.h"
#include "feature/thumbnail.h"

namespace twinsift {

inline constexpr std::uint32_t kStillSide = 128;

// Row by row from the top; each pixel is the mean of what it covers.
using FilmStill = std::array<std::uint8_t, std::size_t{kStillSide} * kStillSide>;

// Requires: neither width nor height is 0.
FilmStill still_of(const GreyView& picture);

// The same in the plainest way: the reference, and for pictures whose sums need 64 bits.
FilmStill still_of_large(const GreyView& picture);

// How wide something is on each side, in rows and columns of a still: above, below, left, right.
using Sides = std::array<std::uint8_t, 4>;

// What may be bars, and what of them clearly is.
struct Bars {
  Sides possible{};
  Sides clear{};
};

// No side has more than this.
inline constexpr std::uint8_t kWidestBar = 48;

Bars bars_of(const FilmStill& still);

// What lies within the bars, or within other margins.  Requires: those of opposite sides leave
// something.
Thumbnail within_bars(const FilmStill& still, const Sides& bars);

}  // namespace twinsift
