// SPDX-License-Identifier: Apache-2.0
// What twinsift-copy-set is asked about a photo, and what it answers: PhotoSize, then the files of
// the versions that are wanted, in their order, empty where this build lacks the library.
#pragma once

#include <cstdint>

#include "media/picture.h"

namespace twinsift {

struct CopyQuestion {
  PictureKind kind = PictureKind::kNone;
  std::uint8_t first = 0;  // versions[first, last) are wanted
  std::uint8_t last = 0;
  std::uint64_t seed = 0;
  std::uint64_t pixels = 0;  // at most so many
};

struct PhotoSize {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
};

}  // namespace twinsift
