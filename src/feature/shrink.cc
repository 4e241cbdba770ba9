// SPDX-License-Identifier: Apache-2.0
#include "feature/shrink.h"

#include <algorithm>

#include "feature/box_sums.h"

namespace twinsift {
GreyImage shrunk(const GreyView& picture, std::uint32_t longest) {
  const std::uint64_t side = std::max(picture.width, picture.height);
  GreyImage out{{}, picture.width, picture.height};
  if (side <= longest) {
    out.pixels.assign(picture.pixels.begin(), picture.pixels.end());
    return out;
  }
  const auto scaled = [&](std::uint32_t length) {
    return static_cast<std::uint32_t>(
        std::max<std::uint64_t>(1, (std::uint64_t{length} * longest + side / 2) / side));
  };
  out.width = scaled(picture.width);
  out.height = scaled(picture.height);
  out.pixels = box_means(picture, out.width, out.height);
  return out;
}

}  // namespace twinsift
