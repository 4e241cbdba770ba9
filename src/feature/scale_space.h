// SPDX-License-Identifier: Apache-2.0
// A picture at many blurs.
//
// Blurs grow by 2^(1/3) from 1.6 pixels on; when they have doubled, every second pixel is enough,
// and the next octave begins with half the width and height.  The difference of two neighbours
// responds to blobs of the size of their blur.
//
// Papers:  D. Lowe, "Distinctive Image Features from Scale-Invariant Keypoints", IJCV 60, 2004,
//          section 3.
// Cost:    105 sums of two products for each pixel of the picture.
#pragma once

#include <optional>
#include <vector>

#include "feature/blur.h"
#include "feature/grey_image.h"

namespace twinsift {

inline constexpr int kScalesPerOctave = 3;
inline constexpr double kFirstSigma = 1.6;    // of each octave, in its pixels
inline constexpr double kPictureSigma = 0.5;  // what a picture is taken to be blurred by already

struct Octave {
  int number = 0;            // its pixels are 2^number of the picture's
  std::vector<Plane> blurs;  // kScalesPerOctave + 3
  std::vector<Plane> differences;
};

// One octave at a time, from the finest.
class ScaleSpace {
 public:
  // Requires: first_octave is -1 or 0; no pixels are missing.
  ScaleSpace(const GreyView& picture, int first_octave);
  // None: the picture is too small for one more.
  std::optional<Octave> next();

 private:
  int number_;
  Plane base_;  // the first blur of the next octave
};

}  // namespace twinsift
