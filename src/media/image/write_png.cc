// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <png.h>

#include "media/image/make_preview.h"

namespace twinsift {

Result<std::string> write_png(const Picture& picture) {
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  image.width = picture.columns;
  image.height = picture.rows;
  image.format = PNG_FORMAT_RGB;
  // What cannot be compressed becomes longer by some bytes for each block, and by one for each row.
  const std::size_t raw = picture.bytes.size() + picture.rows;
  std::string file(raw + raw / 100 + 4096, '\0');
  png_alloc_size_t size = file.size();
  if (png_image_write_to_memory(&image, file.data(), &size, 0, picture.bytes.data(), 0, nullptr) ==
      0) {
    return Error{ErrorCode::kUnsupported, fmt::format("no preview: {}", image.message)};
  }
  file.resize(size);
  return file;
}

}  // namespace twinsift
