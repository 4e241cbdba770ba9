// SPDX-License-Identifier: Apache-2.0
// Laying one picture over another: are they the same picture, and how does one lie in the other?
//
// Two thumbnails are registered from coarse to fine (16, 32, 64 pixels) over all affine maps, from
// the identity and, if that fails, from the best of some crops, borders and turns.  Then the finer
// one is laid over the coarser one and the details are correlated in 8 x 8 blocks.  A quarter of
// the content may disagree, because a caption, a logo or black corners cover it; blocks without
// content do not count.  What pictures have in common by their kind (bright above, dark below) is
// not in the details.
//
// Papers:  see verify/registration.h.
// Differs: the score is of our own making; docs/algorithms/alignment.md has its calibration.
// Cost:    about 0.4 ms for two versions of a picture, 0.1 ms for others on the average.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "feature/thumbnail.h"
#include "twinsift/types.h"
#include "verify/affine.h"

namespace twinsift {

// A score from here on means the same picture: re-encoded, resized, cropped by up to a fifth,
// turned by a few degrees, captioned, recoloured a little.
inline constexpr double kSamePicture = 0.8;

// A thumbnail and the size of the picture it was made of.  It refers to the thumbnail.
struct SizedThumbnail {
  const Thumbnail& thumbnail;
  std::uint32_t width = 0;
  std::uint32_t height = 0;
};

// How b lies over `oriented(a, orientation)`.
struct Alignment {
  int orientation = 0;
  double correlation = 0;     // of the grey levels, zero-mean, over what both show; 0 if flat
  Affine a_to_b = kIdentity;  // places of the oriented a in b
  double overlap_a = 0;       // share of a that b shows
  double overlap_b = 0;
  double score = 0;  // 0 to 1, rounded to 1e-6
  bool converged = false;
};

// The best of the given orientations of a, the first of equals.  The score for (b, a) and the
// inverse orientations is the same to the last bit.  Requires: sizes other than 0.
Alignment align(const SizedThumbnail& a, const SizedThumbnail& b,
                std::span<const int> orientations);

// As they are.
Alignment align(const SizedThumbnail& a, const SizedThumbnail& b);

// The same as a place of b in a, orientation included.
Placement placement_of(const Alignment& alignment, const SizedThumbnail& a,
                       const SizedThumbnail& b);

}  // namespace twinsift
