// SPDX-License-Identifier: Apache-2.0
// Fits the planes of the codes of whole pictures (feature/whole_image.h).
//
// Photos are random parts of the pictures given, copies are made of them (picture_copies.h).  With
// T, the scatter of the gists of photos, and N, that of the differences between copies and their
// photos, the planes are normal to the 256 axes a with the largest a'Ta / a'Na, and pass through
// the mean.  Both scatters are averaged over the eight orientations, so that none is preferred.
// A share of the mean of N is added to its diagonal: the fit may not rely on a direction in which
// its own copies happen not to differ.
//
// Differs: rotating the axes to spread their information evenly over the bits, as ITQ does, made
//          every figure worse here.  docs/models.md has them.
// Cost:    for the shipped model (6,000 photos, 4 copies each) about 15 seconds.
#pragma once

#include <cstdint>
#include <span>

#include "feature/grey_image.h"
#include "feature/whole_image.h"

namespace twinsift {

struct CodeFitOptions {
  std::uint32_t photos = 6000;
  std::uint32_t copies = 4;  // of each
  double share = 0.03;       // of the mean of N's diagonal that is added to it
  std::uint64_t seed = 1;
};

struct CodeFit {
  CodeModel::Planes planes;
  std::uint32_t photos = 0;  // which had information enough
};

// The same for the same pictures and options.  Photos are taken of the pictures in turn.
// Requires: a picture, each with sides of 16 pixels or more.
CodeFit fit_codes(std::span<const GreyImage> pictures, const CodeFitOptions& options);

}  // namespace twinsift
