// SPDX-License-Identifier: Apache-2.0
// No input may crash the readers of EXIF and of other things that stand beside pixels.
#include <cstdlib>

#include "media/image/bmp_rle.h"
#include "media/image/exif.h"
#include "media/image/gif_frames.h"
#include "media/image/png_chunks.h"
#include "media/tiff_head.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  const twinsift::Exif exif = twinsift::read_exif(bytes);
  if (exif.orientation < 1 || exif.orientation > 8) std::abort();
  twinsift::tiff_is_raw(bytes);
  twinsift::count_gif_frames(bytes);
  twinsift::read_png_chunks(bytes);
  for (const bool nibbles : {false, true}) {
    if (twinsift::unpack_bmp_rle({30, 20, nibbles}, bytes).rows > 20) std::abort();
  }
  return 0;
}
