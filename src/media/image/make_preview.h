// SPDX-License-Identifier: Apache-2.0
// Previews: a picture made small, and written as a file again.
#pragma once

#include <cstdint>
#include <string>

#include "media/image/decoders.h"

namespace twinsift {

// RGB pixels shrunk so that the longer side has at most this length, by the mean of the area that
// becomes one pixel; those of a small picture stay as they are.  Requires: channels == 3, side > 0.
Picture shrunk_to(Picture picture, std::uint32_t side);

// The pixels as a file.  Deterministic for one version of the library.
Result<std::string> write_jpeg(const Picture& picture);
Result<std::string> write_png(const Picture& picture);

// decode_picture(), and the preview that is asked for; nothing is decoded twice for that alone.
Result<Picture> decode_with_preview(PictureKind kind, Bytes bytes, const PictureRequest& request,
                                    std::uint64_t pixel_limit);

}  // namespace twinsift
