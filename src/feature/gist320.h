// SPDX-License-Identifier: Apache-2.0
// GIST: what a scene looks like from afar, as 320 numbers.
//
// The picture's grey, squeezed into 128 x 128 and stretched to its full range, is freed of slow
// changes of light: from the logarithm its smoothed self is taken off, and the rest is divided by
// its local spread.  Then 20 Gabor filters, 8, 8 and 4 orientations at frequencies of 0.3, 0.162
// and 0.088 cycles for each pixel, are applied in the frequency domain,
//     G(f, t) = exp(-3.5 (f / f_0 - 1)^2 - 2 pi (16 o^2 / 32^2) (t - t_0)^2),
// o the orientations of the scale, and the strength of each is averaged over a grid of 4 x 4.
//
// Papers:  Oliva, Torralba, "Modeling the Shape of the Scene: A Holistic Representation of the
//          Spatial Envelope", IJCV 2001.  The numbers are those of its authors' program.  As used
//          here (320 numbers): Douze, Jegou, Sandhawalia, Amsaleg, Schmid, "Evaluation of GIST
//          Descriptors for Web-Scale Image Search", CIVR 2009.
// Differs: borders are mirrored for the smoothing, too, and to 256 x 256, a power of two, for the
//          filters, where the authors have 32 pixels; strengths are taken at every second pixel,
//          which costs a fourth (the spectrum, folded, gives these exactly).
// Cost:    one transform of 256 x 256 and 20 of 128 x 128.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/fft.h"
#include "feature/grey_image.h"

namespace twinsift {

inline constexpr std::size_t kGist320Size = 320;

// The first 16 numbers are those of filter 0, row by row of the grid; filters 0 to 7 and 8 to 15
// are turned by multiples of 22.5 degrees, 16 to 19 of 45.
using Gist320 = std::array<float, kGist320Size>;

// The bank of filters, which takes 5 MB.  Immutable: threads may share one.
class GistBank {
 public:
  static constexpr std::size_t kFilters = 20;
  static constexpr std::size_t kCells = 4;  // of a side of the grid

  GistBank();

  // All numbers are 0 if all pixels are the same.  Requires: neither width nor height is 0.
  [[nodiscard]] Gist320 gist_of(const GreyView& picture) const;

 private:
  Fft whole_;
  Fft folded_;
  std::vector<std::vector<float>> filters_;  // in the order of frequencies of the transform
};

// The picture in 128 x 128 after the first two steps, row by row; all 0 if it is flat.
std::vector<float> gist_prefilter(const GreyView& picture);

}  // namespace twinsift
