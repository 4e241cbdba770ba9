// SPDX-License-Identifier: Apache-2.0
#include "feature/thumbnail.h"

#include <algorithm>

#include "feature/box_sums.h"
#include "feature/squeeze.h"

namespace twinsift {
Thumbnail thumbnail_of(const GreyView& picture) {
  return can_be_squeezed(picture) ? squeezed<kThumbnailSide>(picture) : thumbnail_of_large(picture);
}

Thumbnail thumbnail_of_large(const GreyView& picture) {
  Thumbnail thumbnail{};
  std::ranges::copy(box_means(picture, kThumbnailSide, kThumbnailSide), thumbnail.begin());
  return thumbnail;
}

Thumbnail oriented(const Thumbnail& thumbnail, int orientation) {
  constexpr std::uint32_t kLast = kThumbnailSide - 1;
  Thumbnail out{};
  for (std::uint32_t y = 0; y < kThumbnailSide; ++y) {
    for (std::uint32_t x = 0; x < kThumbnailSide; ++x) {
      // Where (x, y) comes from: back by the turn, then back by the mirror.
      std::uint32_t from_x = x;
      std::uint32_t from_y = y;
      for (int turn = 0; turn < orientation % 4; ++turn) {
        const std::uint32_t old_x = from_x;
        from_x = from_y;
        from_y = kLast - old_x;
      }
      if (orientation >= 4) from_x = kLast - from_x;
      out[y * kThumbnailSide + x] = thumbnail[from_y * kThumbnailSide + from_x];
    }
  }
  return out;
}

int inverse_orientation(int orientation) {
  // A mirrored picture that is turned right and mirrored again has been turned left.
  return orientation >= 4 ? orientation : (4 - orientation) % 4;
}

}  // namespace twinsift
