// SPDX-License-Identifier: Apache-2.0
// JPEG as libjpeg writes it by default: YCbCr, colours at half the resolution.
#include <csetjmp>
#include <cstdio>
#include <cstdlib>

#include <jpeglib.h>

#include "eval/copies/make.h"

namespace twinsift {
namespace {

struct Errors {
  jpeg_error_mgr manager;
  std::jmp_buf escape;
};

[[noreturn]] void leave(j_common_ptr info) {
  std::longjmp(reinterpret_cast<Errors*>(info->err)->escape, 1);
}

// The objects with destructors live in the caller: longjmp would pass them over.
bool compress(const RgbImage& image, int quality, unsigned char** buffer, unsigned long* size) {
  jpeg_compress_struct info = {};
  Errors errors = {};
  info.err = jpeg_std_error(&errors.manager);
  errors.manager.error_exit = leave;
  errors.manager.output_message = [](j_common_ptr) {};
  if (setjmp(errors.escape) != 0) {  // NOLINT(cert-err52-cpp): libjpeg knows no other way
    jpeg_destroy_compress(&info);
    return false;
  }
  jpeg_create_compress(&info);
  jpeg_mem_dest(&info, buffer, size);
  info.image_width = image.width;
  info.image_height = image.height;
  info.input_components = 3;
  info.in_color_space = JCS_RGB;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, quality, TRUE);
  jpeg_start_compress(&info, TRUE);
  while (info.next_scanline < info.image_height) {
    auto* row = const_cast<JSAMPROW>(image.at(0, info.next_scanline));
    jpeg_write_scanlines(&info, &row, 1);
  }
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  return true;
}

}  // namespace

Result<std::string> encode_jpeg_copy(const RgbImage& image, int quality) {
  unsigned char* buffer = nullptr;
  unsigned long size = 0;
  const bool done = compress(image, quality, &buffer, &size);
  std::string file;
  if (done) file.assign(reinterpret_cast<const char*>(buffer), size);
  std::free(buffer);
  if (!done) return Error{ErrorCode::kLimit, "libjpeg cannot write this picture"};
  return file;
}

}  // namespace twinsift
