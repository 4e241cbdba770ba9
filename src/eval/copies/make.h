// SPDX-License-Identifier: Apache-2.0
// From a photo to the file of one of its versions.
#pragma once

#include <cstdint>
#include <string>

#include "eval/copies/rgb_image.h"
#include "eval/copies/versions.h"
#include "twinsift/result.h"

namespace twinsift {

// The pixels of a version, before they are saved.  The seed is that of the photo: it places crops,
// makes noise and chooses words.
RgbImage changed(const RgbImage& photo, const CopyVersion& version, std::uint64_t seed);

// The bytes of a file.  kUnsupported if the library of the format was missing from the build.
Result<std::string> encoded(const RgbImage& image, CopyFormat format, int quality);

// Of single formats; each exists only if its library was there.
Result<std::string> encode_jpeg_copy(const RgbImage& image, int quality);
Result<std::string> encode_png_copy(const RgbImage& image, int quality);
Result<std::string> encode_webp_copy(const RgbImage& image, int quality);

}  // namespace twinsift
