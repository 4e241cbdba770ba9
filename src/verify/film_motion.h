// SPDX-License-Identifier: Apache-2.0
// Do two films move alike?  A close look at the small pictures of their first seconds.
//
// Codes tell what a picture shows, and little of what moves in it: two recordings of one person
// before one wall differ no more than a recording and its copy that was cropped or has a logo.
//
// First, which part of one picture is the other?  The means over time of both are laid over each
// other: 91 windows of one, then the best of them moved and stretched as long as it gains, by the
// correlation of their gradients.  Then each picture is replaced by what its film's mean picture,
// brightened and with more or less contrast, does not explain of it, so that fades and flicker
// vanish.  How these rests change from picture to picture is what moves.  In copies the changes
// correlate over all pixels and times, whatever was cut off or laid over; in two recordings of one
// scene they hardly do.  (The rests themselves do: somebody raises a hand in both.)
//
// Where nothing moves, the films are as good as pictures, and are compared as such: the mean
// pictures are aligned (verify/alignment.h).
//
// Cost: 1 to 2 ms for two films.
#pragma once

#include <cstddef>
#include <optional>

#include "feature/film_print.h"
#include "verify/film_lines.h"

namespace twinsift {

struct FilmMotion {
  double likeness = 0;  // correlation of the gradients of the means, one laid over the other
  double moves = 0;     // grey levels by which the rests change, of the film where it is less
  double together = 0;  // correlation of these changes
  double aligned = 0;   // score of the alignment of the means, if next to nothing moves

  // Whether they show the same.
  [[nodiscard]] bool agrees() const;
};

// Films that are compared along a line from begin_a to end_a; `mirrored`: a is.
struct FilmMotionTask {
  const FilmPrint& a;
  const FilmPrint& b;
  bool mirrored = false;
};

// Nothing if there are too few pictures of the same moments.
std::optional<FilmMotion> look_closely(const FilmMotionTask& films, const FilmLine& line,
                                       double begin_a, double end_a);

}  // namespace twinsift
