// SPDX-License-Identifier: Apache-2.0
// What people do to photos before they pass them on, one function each.
//
// All of them are pure functions of their arguments and give the same bytes on every machine: sums
// are whole numbers, angles are given by their sine and cosine, and randomness has a seed.
// Require, all: a picture that is not empty.
// Cost: linear in the pixels, but for blurred(), which takes 6 sigma steps for each.
#pragma once

#include <cstdint>

#include "eval/copies/rgb_image.h"

namespace twinsift {

// Frames and places: frame.cc.

// Cuts away `share` of the surface and keeps the proportions.  What stays lies off the centre,
// where exactly is decided by the seed.  Requires: 0 < share < 1.
RgbImage cropped(const RgbImage& image, double share, std::uint64_t seed);
RgbImage mirrored(const RgbImage& image);        // left to right
RgbImage quarter_turned(const RgbImage& image);  // clockwise
RgbImage bordered(const RgbImage& image);        // white, on each side an eighth of the shorter one

// New grids: resample.cc.

// The mean of what each new pixel covers.  Requires: 0 < percent <= 100.
RgbImage scaled(const RgbImage& image, std::uint32_t percent);

struct Angle {
  double cosine = 1;
  double sine = 0;
};
inline constexpr Angle kFiveDegrees = {0.99619469809174555, 0.087155742747658174};
inline constexpr Angle kTwentyFiveDegrees = {0.90630778703664994, 0.42261826174069944};

// About the centre and clockwise, bilinearly, on a canvas of the same size with black corners.
RgbImage rotated(const RgbImage& image, Angle angle);

// Tones: tone.cc.

RgbImage blurred(const RgbImage& image, double sigma);  // Gaussian; the edge goes on for ever
// Normally distributed and independent for each sample.
RgbImage noisy(const RgbImage& image, double sigma, std::uint64_t seed);
RgbImage brightened(const RgbImage& image);  // 1.2 v + 15
RgbImage grey(const RgbImage& image);        // luma of ITU-R BT.601 in all three bytes

}  // namespace twinsift
