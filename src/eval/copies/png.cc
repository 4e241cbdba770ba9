// SPDX-License-Identifier: Apache-2.0
// PNG, by the simplified interface of libpng.
#include <png.h>

#include "eval/copies/make.h"

namespace twinsift {

Result<std::string> encode_png_copy(const RgbImage& image, int /*quality*/) {
  png_image info = {};
  info.version = PNG_IMAGE_VERSION;
  info.width = image.width;
  info.height = image.height;
  info.format = PNG_FORMAT_RGB;
  info.flags = PNG_IMAGE_FLAG_FAST;
  std::string file(PNG_IMAGE_PNG_SIZE_MAX(info), '\0');
  png_alloc_size_t size = file.size();
  if (png_image_write_to_memory(&info, file.data(), &size, 0, image.bytes.data(), 0, nullptr) ==
      0) {
    return Error{ErrorCode::kLimit, "libpng cannot write this picture"};
  }
  file.resize(size);
  return file;
}

}  // namespace twinsift
