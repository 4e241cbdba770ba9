// SPDX-License-Identifier: Apache-2.0
// What EXIF tells about a photo that matters here: how it was held, and by what, when and where
// it was taken.  A reader of our own because these are seven tags.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "media/image/builder.h"

namespace twinsift {

struct Exif {
  unsigned orientation = 1;  // 1 to 8
  std::string date;          // "2019-05-03 12:33:01": of the exposure, else of the file
  std::string camera;        // maker and model
  std::string lens;
  std::string gps;  // degrees north and east: "48.858370,2.294480"
};

// `tiff`: from its byte order mark on, or from the "Exif\0\0" before that.  What is damaged is left
// out.
Exif read_exif(std::span<const std::byte> tiff);

void add_facts(const Exif& exif, PictureBuilder& builder);

}  // namespace twinsift
