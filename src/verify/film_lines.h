// SPDX-License-Identifier: Apache-2.0
// Where one film may lie in another: lines in the plane of their two clocks.
//
// Frames of two films whose codes are near are a hit, a point (t_a, t_b).  If b is a copy of a part
// of a at another speed, the hits lie on a line t_a = slope t_b + offset.  Each hit votes, for each
// of 25 slopes, for the offset of the line through it (a Hough transform); a frame of a votes once
// for a cell, so that one that resembles all of a still scene weighs no more than others.  The
// fullest cells are fitted to their hits by least squares, again and again with the hits that the
// better line passes, until it gains no more.
//
// Papers:  P. Hough, "Method and means for recognizing complex patterns", US 3,069,654, 1962.
//          M. Douze, H. Jegou, C. Schmid, "An image-based approach to video copy detection with
//          spatio-temporal post-filtering", IEEE Trans. Multimedia 12(4), 2010: votes for the
//          offset, at one speed.
// Differs: any speed from 0.79 to 1.27.
// Cost:    a scan of b's codes for each frame of a that votes, 1.5 ns a pair; at most four a
//          second vote, and fewer of long films.
#pragma once

#include <cstdint>
#include <vector>

#include "feature/film_print.h"

namespace twinsift {

// seconds of a = slope * seconds of b + offset
struct FilmLine {
  double slope = 1;
  double offset = 0;
  double votes = 0;
  [[nodiscard]] double in_a(double b) const { return slope * b + offset; }
  [[nodiscard]] double in_b(double a) const { return (a - offset) / slope; }
};

// Bits in which frames of copies differ at most, nearly always: those of which a fifth of each
// side was cut off differ by 70 on the average.  One of 3,000 pairs of frames of different films
// is as near.
inline constexpr std::uint32_t kHitBits = 88;

// What codes at this distance are worth as evidence for a copy, in powers of ten: by how much rarer
// they are among strangers.
double evidence_of(double bits);

struct FilmHit {
  double a = 0;  // seconds
  double b = 0;
  double weight = 0;
  std::uint32_t frame = 0;  // of a
};

// By ascending frames.
std::vector<FilmHit> find_hits(const FilmCodes& a, const FilmCodes& b);

struct LineSearch {
  double seconds_a = 0;
  double seconds_b = 0;
  double slope = 0;  // other than 0: only lines at this one
};

// The most likely lines, the best first.
std::vector<FilmLine> propose_lines(const std::vector<FilmHit>& hits, const LineSearch& search);

}  // namespace twinsift
