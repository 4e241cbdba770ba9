// SPDX-License-Identifier: Apache-2.0
// Writes HEIC and AVIF files for tests, if the library has the encoders.
#pragma once

#include <cstring>
#include <string>

#include <libheif/heif.h>

#include "media/image/test_pictures.h"

namespace twinsift {

// Empty if there is no such encoder.
inline std::string encode_heif(const Drawing& drawing, heif_compression_format format) {
  heif_context* context = heif_context_alloc();
  heif_encoder* encoder = nullptr;
  std::string file;
  if (heif_context_get_encoder_for_format(context, format, &encoder).code == heif_error_Ok) {
    heif_encoder_set_lossy_quality(encoder, 95);
    const bool alpha = drawing.channels == 4;
    const int width = static_cast<int>(drawing.width);
    const int height = static_cast<int>(drawing.height);
    heif_image* image = nullptr;
    heif_image_create(width, height, heif_colorspace_RGB,
                      alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB, &image);
    heif_image_add_plane(image, heif_channel_interleaved, width, height, 8);
    int stride = 0;
    std::uint8_t* plane = heif_image_get_plane(image, heif_channel_interleaved, &stride);
    const std::size_t length = std::size_t{drawing.width} * drawing.channels;
    for (std::uint32_t y = 0; y < drawing.height; ++y) {
      std::memcpy(plane + std::ptrdiff_t{stride} * y, drawing.pixels.data() + length * y, length);
    }
    heif_context_encode_image(context, image, encoder, nullptr, nullptr);
    heif_writer writer = {1, [](heif_context*, const void* data, std::size_t size, void* out) {
                            static_cast<std::string*>(out)->assign(static_cast<const char*>(data),
                                                                   size);
                            return heif_error{heif_error_Ok, heif_suberror_Unspecified, ""};
                          }};
    heif_context_write(context, &writer, &file);
    heif_image_release(image);
    heif_encoder_release(encoder);
  }
  heif_context_free(context);
  return file;
}

}  // namespace twinsift
