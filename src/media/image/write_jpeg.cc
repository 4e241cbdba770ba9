// SPDX-License-Identifier: Apache-2.0
// As in jpeg.cc, only frames without destructors stand between libjpeg and where it lands.
#include <csetjmp>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>
#include <jpeglib.h>

#include "media/image/make_preview.h"

namespace twinsift {
namespace {

constexpr int kQuality = 75;

class JpegWriter {
 public:
  JpegWriter() = default;
  ~JpegWriter() {
    jpeg_destroy_compress(&info_);
    std::free(buffer_);
  }
  JpegWriter(const JpegWriter&) = delete;
  JpegWriter& operator=(const JpegWriter&) = delete;

  Result<std::string> write(const Picture& picture) {
    info_.err = jpeg_std_error(&errors_);
    errors_.error_exit = [](j_common_ptr common) {
      std::longjmp(static_cast<JpegWriter*>(common->client_data)->jump_, 1);
    };
    errors_.output_message = [](j_common_ptr) {};
    info_.client_data = this;
    if (!attempt(picture)) {
      char message[JMSG_LENGTH_MAX] = {};
      errors_.format_message(reinterpret_cast<j_common_ptr>(&info_), message);
      return Error{ErrorCode::kUnsupported, fmt::format("no preview: {}", message)};
    }
    return std::string(reinterpret_cast<const char*>(buffer_), size_);
  }

 private:
  bool attempt(const Picture& picture) {
    if (setjmp(jump_) != 0) return false;
    jpeg_create_compress(&info_);
    jpeg_mem_dest(&info_, &buffer_, &size_);
    info_.image_width = picture.columns;
    info_.image_height = picture.rows;
    info_.input_components = 3;
    info_.in_color_space = JCS_RGB;
    jpeg_set_defaults(&info_);
    jpeg_set_quality(&info_, kQuality, TRUE);
    info_.optimize_coding = TRUE;
    jpeg_start_compress(&info_, TRUE);
    while (info_.next_scanline < info_.image_height) {
      // libjpeg only reads them.
      JSAMPROW rows[] = {const_cast<JSAMPROW>(picture.row(info_.next_scanline).data())};
      jpeg_write_scanlines(&info_, rows, 1);
    }
    jpeg_finish_compress(&info_);
    return true;
  }

  jpeg_compress_struct info_ = {};
  jpeg_error_mgr errors_ = {};
  std::jmp_buf jump_ = {};
  unsigned char* buffer_ = nullptr;
  unsigned long size_ = 0;
};

}  // namespace

Result<std::string> write_jpeg(const Picture& picture) { return JpegWriter().write(picture); }

}  // namespace twinsift
