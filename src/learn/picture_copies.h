// SPDX-License-Identifier: Apache-2.0
// Photos out of large pictures, and copies of photos as people and programs make them.
//
// What is fitted to tell copies from other pictures needs both in thousands.  A photo here is a
// random part of a picture, shrunk; a copy is cropped, slightly turned, toned, blurred, compressed,
// noisy or captioned, each with a probability of its own.  Only +, -, *, / and random numbers of a
// seed, so that they are the same on every machine.
#pragma once

#include <cstdint>

#include "base/random.h"
#include "feature/grey_image.h"

namespace twinsift {

// A part of the picture with sides of ratio 1:2 to 2:1, at most 160 pixels long.
// Requires: neither side of the picture is shorter than 16 pixels.
GreyImage random_photo(const GreyView& picture, Rng& rng);

GreyImage random_copy(const GreyView& photo, Rng& rng);

// Up to half of the surface cropped, turned by up to 30 degrees, in a border, captioned twice.
GreyImage random_hard_copy(const GreyView& photo, Rng& rng);

}  // namespace twinsift
