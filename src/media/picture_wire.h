// SPDX-License-Identifier: Apache-2.0
// What twinsift-image-decoder is asked, and how its answer travels: PictureHeader, pixels, preview,
// facts.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "media/decoder_parts.h"
#include "media/picture.h"

namespace twinsift {

struct PictureQuestion {
  PictureKind kind = PictureKind::kNone;  // kNone: which formats can be read?
  PictureRequest request;
  std::uint64_t pixels = 0;  // at most so many
};

struct PictureHeader {
  std::uint32_t width = 0, height = 0, columns = 0, rows = 0, channels = 0;
  std::uint32_t has_digest = 0;
  PixelDigest digest = {};
};

inline Parts to_parts(Picture picture) {
  const PictureHeader header = {
      .width = picture.width,
      .height = picture.height,
      .columns = picture.columns,
      .rows = picture.rows,
      .channels = picture.channels,
      .has_digest = picture.digest.has_value(),
      .digest = picture.digest.value_or(PixelDigest{}),
  };
  Parts parts = {std::string(reinterpret_cast<const char*>(&header), sizeof(header)),
                 std::move(picture.bytes), std::move(picture.preview)};
  append_facts(parts, std::move(picture.facts));
  return parts;
}

// Refuses whatever does not fit the request.
Result<Picture> picture_from_parts(Parts parts, const PictureRequest& request);

}  // namespace twinsift
