// SPDX-License-Identifier: Apache-2.0
// Along a line in the plane of two clocks: from when to when are two films the same, and is it
// sure?
//
// Each frame of a is compared with the frame of b at its time.  The stretches are the runs whose
// sum of (level - bits) is largest, all of them at once by the algorithm of Ruzzo and Tompa; the
// level lies half way between the distance of good frames and that of strangers.
//
// A stretch is believed if
//   * its evidence suffices: the sum over the different things that it shows, each counted once,
//   * and time agrees: let m be the mean distance of frames at the same time, B that of frames at
//     different times of the stretch, and S that of a's own frames at these different times.  Noise
//     that flips m of 256 bits makes B = m + S (1 - m / 128) of a copy, so that
//         contrast = (B - m) / S
//     is near 1 - m / 128 for copies, and near 0 for two recordings of the same scene: whatever
//     moves in it moves at other times.  Where nothing moves (small S), time proves nothing, and
//     the pictures must agree better.
//
// Papers:  W. Ruzzo, M. Tompa, "A linear time algorithm for finding all maximal scoring
//          subsequences", ISMB 1999.
// Cost:    a few comparisons of codes for each frame.
#pragma once

#include <cstdint>
#include <vector>

#include "feature/film_print.h"
#include "twinsift/types.h"
#include "verify/film_lines.h"

namespace twinsift {

struct FilmStretch {
  double begin_a = 0;  // seconds
  double end_a = 0;
  double bits = 0;      // m, above
  double motion = 0;    // S
  double contrast = 0;  // as a share of what noise leaves of it; 1 if nothing moves
  double evidence = 0;
  double together = 0;  // correlation of what moves, if a close look was taken and agreed
  std::uint32_t frames = 0;

  [[nodiscard]] bool believed() const;
};

struct FilmPair {
  const FilmCodes& a;
  const FilmCodes& b;
  double seconds_a = 0;
  double seconds_b = 0;
};

// In the order of time, whether they are believed or not.
std::vector<FilmStretch> stretches_along(const FilmPair& films, const FilmLine& line);

// Both ends in both films.
Stretch placed(const FilmStretch& stretch, const FilmLine& line, const FilmPair& films);

}  // namespace twinsift
