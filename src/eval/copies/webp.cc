// SPDX-License-Identifier: Apache-2.0
#include <webp/encode.h>

#include "eval/copies/make.h"

namespace twinsift {

Result<std::string> encode_webp_copy(const RgbImage& image, int quality) {
  std::uint8_t* data = nullptr;
  const int width = static_cast<int>(image.width);
  const int height = static_cast<int>(image.height);
  const std::size_t size = WebPEncodeRGB(image.bytes.data(), width, height, 3 * width,
                                         static_cast<float>(quality), &data);
  std::string file;
  if (size > 0) file.assign(reinterpret_cast<const char*>(data), size);
  WebPFree(data);
  if (size == 0) return Error{ErrorCode::kLimit, "libwebp cannot write this picture"};
  return file;
}

}  // namespace twinsift
