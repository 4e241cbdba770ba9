// SPDX-License-Identifier: Apache-2.0
#include "feature/thumbnail.h"

#include "feature/box_sums.h"

namespace twinsift {

Thumbnail thumbnail_of(const GreyView& picture) {
  const std::uint64_t area = std::uint64_t{picture.width} * picture.height;
  Thumbnail thumbnail{};
  std::size_t i = 0;
  for (const std::uint64_t sum : box_sums(picture, kThumbnailSide)) {
    thumbnail[i++] = static_cast<std::uint8_t>((sum + area / 2) / area);
  }
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
