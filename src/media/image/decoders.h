// SPDX-License-Identifier: Apache-2.0
// The decoders of twinsift-image-decoder: bytes of one format in, rows of pixels out.
//
// They are pure functions of their input.  Pixels are limited by PictureBuilder::begin, time and
// memory by the process around them; they may throw std::bad_alloc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "media/image/builder.h"
#include "media/picture.h"
#include "twinsift/result.h"

namespace twinsift {

using Bytes = std::span<const std::byte>;

Result<Picture> decode_jpeg(Bytes bytes, PictureBuilder& builder);
Result<Picture> decode_png(Bytes bytes, PictureBuilder& builder);
Result<Picture> decode_webp(Bytes bytes, PictureBuilder& builder);
Result<Picture> decode_gif(Bytes bytes, PictureBuilder& builder);
Result<Picture> decode_tiff(Bytes bytes, PictureBuilder& builder);
Result<Picture> decode_bmp(Bytes bytes, PictureBuilder& builder);
Result<Picture> decode_pnm(Bytes bytes, PictureBuilder& builder);
Result<Picture> decode_heif(Bytes bytes, PictureBuilder& builder);
Result<Picture> decode_jp2(Bytes bytes, PictureBuilder& builder);
Result<Picture> decode_raw(Bytes bytes, PictureBuilder& builder);

// Any of them.
Result<Picture> decode_picture(PictureKind kind, Bytes bytes, const PictureRequest& request,
                               std::uint64_t pixel_limit);

// What can be read and by which library; an empty value: not in this build.
std::vector<Fact> picture_formats();

}  // namespace twinsift
