// SPDX-License-Identifier: Apache-2.0
// Writes GIF files for tests.
#pragma once

#include <string>
#include <vector>

#include <gif_lib.h>

#include "media/image/test_pictures.h"

namespace twinsift {

struct GifOptions {
  int transparent = NO_TRANSPARENT_COLOR;
  bool interlaced = false;
  int left = 0, top = 0;   // of the picture on a screen that is as much larger on each side
  std::size_t frames = 1;  // all the same
};

// A grey drawing; the palette has its values in red and their complements in green.
inline std::string encode_gif(const Drawing& drawing, const GifOptions& options = {}) {
  std::string file;
  int error = 0;
  GifFileType* gif = EGifOpen(
      &file,
      [](GifFileType* out, const GifByteType* data, int size) {
        static_cast<std::string*>(out->UserData)
            ->append(reinterpret_cast<const char*>(data), static_cast<std::size_t>(size));
        return size;
      },
      &error);
  std::vector<GifColorType> colours(256);
  for (std::size_t i = 0; i < 256; ++i) {
    colours[i] = {static_cast<GifByteType>(i), static_cast<GifByteType>(255 - i), 7};
  }
  ColorMapObject* map = GifMakeMapObject(256, colours.data());
  const int width = static_cast<int>(drawing.width);
  const int height = static_cast<int>(drawing.height);
  EGifSetGifVersion(gif, true);
  EGifPutScreenDesc(gif, width + 2 * options.left, height + 2 * options.top, 8, 0, map);
  for (std::size_t frame = 0; frame < options.frames; ++frame) {
    if (options.transparent != NO_TRANSPARENT_COLOR) {
      const GraphicsControlBlock control = {0, false, 10, options.transparent};
      GifByteType bytes[4];
      EGifGCBToExtension(&control, bytes);
      EGifPutExtension(gif, GRAPHICS_EXT_FUNC_CODE, 4, bytes);
    }
    EGifPutImageDesc(gif, options.left, options.top, width, height, options.interlaced, nullptr);
    std::vector<GifByteType> pixels(drawing.pixels.begin(), drawing.pixels.end());
    const int starts[] = {0, 4, 2, 1};
    const int steps[] = {8, 8, 4, 2};
    for (int pass = 0; pass < (options.interlaced ? 4 : 1); ++pass) {
      for (int y = options.interlaced ? starts[pass] : 0; y < height;
           y += options.interlaced ? steps[pass] : 1) {
        EGifPutLine(gif, pixels.data() + std::ptrdiff_t{width} * y, width);
      }
    }
  }
  GifFreeMapObject(map);
  EGifCloseFile(gif, &error);
  return file;
}

}  // namespace twinsift
