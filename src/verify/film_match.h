// SPDX-License-Identifier: Apache-2.0
// Two films: which stretches of one are stretches of the other, at which speed, mirrored or not?
//
// The lines of verify/film_lines.h are followed as verify/film_stretch.h tells, and the one with
// the best stretches is taken.  Then, at its speed, other lines for what is left: parts that come
// in another order, or before and after something that was cut out.
//
// docs/algorithms/film.md has the measurements.
#pragma once

#include <optional>

#include "feature/film_print.h"
#include "twinsift/types.h"

namespace twinsift {

struct FilmMatchOptions {
  bool mirrored = true;  // look for mirrored copies too
  double least = 0.5;    // seconds that a stretch lasts at least
  std::size_t most_stretches = 32;
};

// Nothing if no stretch is believed.  For (b, a) it is the same the other way round.
std::optional<Timeline> match_film(const FilmPrint& a, const FilmPrint& b,
                                   const FilmMatchOptions& options = {});

}  // namespace twinsift
