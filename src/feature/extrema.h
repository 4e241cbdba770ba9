// SPDX-License-Identifier: Apache-2.0
// The places of a picture that stand out from their surroundings.
//
// A value of a difference of blurs that is larger, or smaller, than all 26 around it, in place and
// in blur, is an extremum; the parabola through them gives its place between the pixels.  Those
// with little contrast, and those on edges, along which they may slide, are dropped.
//
// Papers:  D. Lowe, "Distinctive Image Features from Scale-Invariant Keypoints", IJCV 60, 2004,
//          sections 3.1 and 4.
// Differs: of equal neighbours the last is the extremum, so that a blob right between two pixels is
//          found, and once.
#pragma once

#include <cstdint>
#include <vector>

#include "feature/scale_space.h"

namespace twinsift {

// In pixels of its octave.
struct Extremum {
  float x = 0;
  float y = 0;
  float blur = 0;      // of Octave::blurs, between two of them
  float contrast = 0;  // how far it stands out, of 255
};

struct ExtremumLimits {
  float contrast = 0;  // at least this
  float edge = 10;     // at most this ratio of the curvatures along and across
};

// In order of blur, y and x.
std::vector<Extremum> find_extrema(const Octave& octave, const ExtremumLimits& limits);

// A row of a difference, its neighbours below and above in blur.
struct RowOfThree {
  const Plane& lower;
  const Plane& middle;
  const Plane& upper;
  std::uint32_t y = 0;
};

// Appends the x of those values of the row that are extrema and at least `floor` from 0: the loop
// that takes the time.  Requires: 0 < y < height - 1, width >= 3, floor > 0.
void scan_row(const RowOfThree& row, float floor, std::vector<std::uint32_t>& found);

// The same, without SIMD: the reference.
void scan_row_scalar(const RowOfThree& row, float floor, std::vector<std::uint32_t>& found);

}  // namespace twinsift
