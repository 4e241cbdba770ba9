// SPDX-License-Identifier: Apache-2.0
// What is kept of a whole picture: its code, by which it is found, and its thumbnail, by which it
// is compared.
//
// A picture with too little in it (blank, flat, a mere gradient) has a code that means nothing:
// of such a plain one the digest of its pixels is kept instead.
#pragma once

#include <array>
#include <cstdint>

#include "feature/thumbnail.h"
#include "feature/weights.h"
#include "feature/whole_image.h"
#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

struct PicturePrint {
  ImageCode code{};
  std::uint32_t width = 0;  // of the original
  std::uint32_t height = 0;
  bool plain = false;
  std::array<std::uint64_t, 2> pixels{};  // digest at full size, if plain; zeros if unknown
  Thumbnail thumbnail{};
  friend bool operator==(const PicturePrint&, const PicturePrint&) = default;
};

// 520 words: the code, width and height, 1 if plain, the digest, and the thumbnail.
Packed pack(const PicturePrint& print);

// kCorrupt if these are not the words of a print.
Result<PicturePrint> unpack_print(SetView packed);

}  // namespace twinsift
