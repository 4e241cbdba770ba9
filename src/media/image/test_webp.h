// SPDX-License-Identifier: Apache-2.0
// Writes WebP files for tests.
#pragma once

#include <string>

#include <webp/encode.h>
#include <webp/mux.h>

#include "media/image/test_pictures.h"

namespace twinsift {

inline std::string encode_webp(const Drawing& drawing, bool lossless) {
  const int width = static_cast<int>(drawing.width);
  const int height = static_cast<int>(drawing.height);
  const std::uint8_t* data = drawing.pixels.data();
  std::uint8_t* out = nullptr;
  std::size_t size = 0;
  if (drawing.channels == 4) {
    size = lossless ? WebPEncodeLosslessRGBA(data, width, height, 4 * width, &out)
                    : WebPEncodeRGBA(data, width, height, 4 * width, 90, &out);
  } else {
    size = lossless ? WebPEncodeLosslessRGB(data, width, height, 3 * width, &out)
                    : WebPEncodeRGB(data, width, height, 3 * width, 90, &out);
  }
  std::string file(reinterpret_cast<const char*>(out), size);
  WebPFree(out);
  return file;
}

inline WebPData webp_data(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

inline std::string assembled(WebPMux* mux) {
  WebPData data = {};
  WebPMuxAssemble(mux, &data);
  std::string file(reinterpret_cast<const char*>(data.bytes), data.size);
  WebPDataClear(&data);
  WebPMuxDelete(mux);
  return file;
}

// The picture twice, each time a little to the right of the left upper corner of the canvas.
inline std::string animated_webp(const std::string& picture, int width, int height) {
  WebPMux* mux = WebPMuxNew();
  WebPMuxSetCanvasSize(mux, width, height);
  for (int i = 0; i < 2; ++i) {
    WebPMuxFrameInfo frame = {};
    frame.bitstream = webp_data(picture);
    frame.x_offset = 4 + 2 * i;
    frame.y_offset = 2;
    frame.duration = 100;
    frame.id = WEBP_CHUNK_ANMF;
    WebPMuxPushFrame(mux, &frame, 1);
  }
  const WebPMuxAnimParams parameters = {0xFFFFFFFF, 0};
  WebPMuxSetAnimationParams(mux, &parameters);
  return assembled(mux);
}

inline std::string webp_with_exif(const std::string& picture, const std::string& exif) {
  const WebPData image = webp_data(picture);
  WebPMux* mux = WebPMuxCreate(&image, 1);
  const WebPData data = webp_data(exif);
  WebPMuxSetChunk(mux, "EXIF", &data, 1);
  return assembled(mux);
}

}  // namespace twinsift
