// SPDX-License-Identifier: Apache-2.0
// Pictures to measure on, and versions of them such as people make.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/random.h"
#include "feature/grey_image.h"
#include "twinsift/eval.h"
#include "twinsift/result.h"

namespace twinsift {

// The pictures of the folder `options.images` and below, in the order of their paths, at most
// `most`: `use` gets the grey pixels, shrunk while they are at least `min_side` either way, and
// says whether the picture counts.  Files that are no pictures or cannot be read are passed over.
// Gives how many counted.  kInvalidArgument if that is fewer than kFewestPictures; kCancelled.
inline constexpr std::size_t kFewestPictures = 20;
Result<std::size_t> for_each_picture(const EvalOptions& options, std::size_t most,
                                     std::uint32_t min_side,
                                     const std::function<bool(const GreyView&)>& use);

// What is done to a picture, in this order.
struct Alteration {
  double cropped = 0;   // share of the surface that is cut off
  double contrast = 1;  // around the middle grey
  double brightness = 0;
  std::uint32_t blur = 0;  // the reach of a box, in pixels
  double noise = 0;        // standard deviation
};

// Another photograph of the scene: cropped by up to 15 %, other light, some noise.
Alteration new_view(Rng& rng);
// The same photograph after a journey: blurred, noisy, lighter or darker, at most 5 % cropped.
Alteration new_copy(Rng& rng);

GreyImage altered(const GreyView& picture, const Alteration& alteration, Rng& rng);

}  // namespace twinsift
