// SPDX-License-Identifier: Apache-2.0
// JPEG by libjpeg-turbo, which can shrink by 2, 4 and 8 while it decodes: of each block of 8 x 8
// coefficients it then uses the lowest only.
//
// libjpeg leaves a fatal error by longjmp.  attempt() is where it lands; between there and libjpeg
// stand only frames without destructors.
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <new>
#include <vector>

#include <fmt/format.h>
#include <jpeglib.h>
// After jpeglib.h, which needs no include guard for it.
#include <jerror.h>

#include "media/image/decoders.h"
#include "media/image/exif.h"
#include "media/image/jpeg_quality.h"
#include "media/image/pixels.h"

namespace twinsift {
namespace {

constexpr long kMostMemory = 1L << 30;  // for coefficients; more cannot be had anyway

class JpegReader {
 public:
  JpegReader(Bytes bytes, PictureBuilder& builder) : bytes_(bytes), builder_(builder) {}
  ~JpegReader() { jpeg_destroy_decompress(&info_); }
  JpegReader(const JpegReader&) = delete;
  JpegReader& operator=(const JpegReader&) = delete;

  Result<Picture> read();

 private:
  template <class Step>
  bool attempt(Step step) {
    if (setjmp(jump_) != 0) return false;
    step();
    return true;
  }
  Status read_header();
  void choose_output();
  void tell_facts();
  void read_rows();
  void convert(std::span<const std::uint8_t> row);
  [[nodiscard]] bool scans_suffice() const;
  [[nodiscard]] Error failure() const;
  static void on_error(j_common_ptr common);
  static void on_message(j_common_ptr common, int level);

  Bytes bytes_;
  PictureBuilder& builder_;
  jpeg_decompress_struct info_ = {};
  jpeg_error_mgr errors_ = {};
  std::jmp_buf jump_ = {};
  bool ended_ = false;        // the data ended before the picture
  bool ended_soon_ = false;   // ... before it can be recognised; only if in several scans
  std::size_t warnings_ = 0;  // of other damage
  std::vector<std::uint8_t> rgb_;
};

void JpegReader::on_error(j_common_ptr common) {
  std::longjmp(static_cast<JpegReader*>(common->client_data)->jump_, 1);
}

// libjpeg makes up what is missing and goes on.
void JpegReader::on_message(j_common_ptr common, int level) {
  if (level >= 0) return;
  auto& reader = *static_cast<JpegReader*>(common->client_data);
  const int code = common->err->msg_code;
  const bool end_of_segment = code == JWRN_HIT_MARKER && reader.info_.restart_interval == 0;
  if (code == JWRN_JPEG_EOF || end_of_segment) {
    if (!reader.ended_) reader.ended_soon_ = !reader.scans_suffice();
    reader.ended_ = true;
  } else if (code != JWRN_EXTRANEOUS_DATA) {  // which cameras leave everywhere
    ++reader.warnings_;
  }
}

// In a progressive JPEG every row is there from the first scan on, and becomes finer.  It will do
// if every coefficient of the brightness has had its first pass.
bool JpegReader::scans_suffice() const {
  if (info_.progressive_mode == 0 || info_.coef_bits == nullptr) return false;
  for (int i = 0; i < DCTSIZE2; ++i) {
    if (info_.coef_bits[0][i] < 0) return false;
  }
  for (int i = 0; i < info_.comps_in_scan; ++i) {
    if (info_.cur_comp_info[i] == &info_.comp_info[0] && info_.Ah == 0) return false;
  }
  return true;
}

Error JpegReader::failure() const {
  char message[JMSG_LENGTH_MAX] = {};
  errors_.format_message(
      reinterpret_cast<j_common_ptr>(const_cast<jpeg_decompress_struct*>(&info_)), message);
  const int code = errors_.msg_code;
  if (code == JERR_OUT_OF_MEMORY) throw std::bad_alloc();
  if (code == JERR_IMAGE_TOO_BIG) return {ErrorCode::kLimit, fmt::format("too large: {}", message)};
  if (code == JERR_NO_BACKING_STORE) {
    return {ErrorCode::kLimit, "too large: a progressive JPEG that does not fit into memory"};
  }
  const bool unsupported = code == JERR_BAD_PRECISION || code == JERR_SOF_UNSUPPORTED ||
                           code == JERR_ARITH_NOTIMPL || code == JERR_CONVERSION_NOTIMPL;
  if (unsupported) return {ErrorCode::kUnsupported, fmt::format("unusual JPEG: {}", message)};
  return {ErrorCode::kCorrupt, fmt::format("damaged JPEG: {}", message)};
}

Status JpegReader::read_header() {
  info_.err = jpeg_std_error(&errors_);
  errors_.error_exit = on_error;
  errors_.emit_message = on_message;
  errors_.output_message = [](j_common_ptr) {};
  info_.client_data = this;
  const bool done = attempt([this] {
    jpeg_create_decompress(&info_);
    info_.mem->max_memory_to_use = kMostMemory;
    jpeg_mem_src(&info_, reinterpret_cast<const unsigned char*>(bytes_.data()), bytes_.size());
    jpeg_save_markers(&info_, JPEG_APP0 + 1, 0xFFFF);
    jpeg_read_header(&info_, TRUE);
  });
  if (!done) return failure();
  return ok();
}

// Grey is the Y channel as it is stored; the colours are not even decoded.
void JpegReader::choose_output() {
  const bool inks = info_.jpeg_color_space == JCS_CMYK || info_.jpeg_color_space == JCS_YCCK;
  const bool grey = info_.jpeg_color_space == JCS_GRAYSCALE || builder_.grey_suffices();
  info_.out_color_space = inks ? JCS_CMYK : (grey ? JCS_GRAYSCALE : JCS_RGB);
  info_.scale_num = 1;
  info_.scale_denom = std::min(8U, builder_.shrink_for(info_.image_width, info_.image_height));
}

void JpegReader::tell_facts() {
  for (const auto* marker = info_.marker_list; marker != nullptr; marker = marker->next) {
    const Bytes data = std::as_bytes(std::span(marker->data, marker->data_length));
    if (data.size() < 6 || std::memcmp(data.data(), "Exif\0\0", 6) != 0) continue;
    const Exif exif = read_exif(data);
    builder_.orient(exif.orientation);
    add_facts(exif, builder_);
    break;
  }
  builder_.fact("lossless", "no");
  builder_.fact("bits", std::to_string(info_.data_precision));
  const bool inks = info_.out_color_space == JCS_CMYK;
  builder_.fact("colour", inks ? "cmyk" : (info_.num_components == 1 ? "grey" : "rgb"));
  if (const int quality = jpeg_quality(info_); quality > 0) {
    builder_.fact("quality", std::to_string(quality));
  }
}

void JpegReader::convert(std::span<const std::uint8_t> row) {
  if (info_.out_color_space != JCS_CMYK) return builder_.row(row);
  rgb_.resize(std::size_t{info_.output_width} * 3);
  rgb_from_cmyk(row, info_.saw_Adobe_marker != 0, rgb_);
  builder_.row(rgb_);
}

// The row at which the data ends is made up, and so are all below it.
void JpegReader::read_rows() {
  std::vector<std::uint8_t> row(std::size_t{info_.output_width} *
                                static_cast<unsigned>(info_.output_components));
  const bool in_one_scan = info_.buffered_image == 0 && jpeg_has_multiple_scans(&info_) == 0;
  JSAMPROW rows[] = {row.data()};
  while (info_.output_scanline < info_.output_height) {
    if (!attempt([&] { jpeg_read_scanlines(&info_, rows, 1); })) {
      ended_ = true;
      return;
    }
    if (ended_ && in_one_scan) return;
    convert(row);
  }
}

Result<Picture> JpegReader::read() {
  TWINSIFT_TRY([[maybe_unused]] auto header, read_header());
  choose_output();
  tell_facts();
  const bool grey = info_.out_color_space == JCS_GRAYSCALE;
  TWINSIFT_TRY([[maybe_unused]] auto begun, builder_.begin({.width = info_.image_width,
                                                            .height = info_.image_height,
                                                            .channels = grey ? 1U : 3U,
                                                            .shrunk = info_.scale_denom}));
  if (!attempt([this] { jpeg_start_decompress(&info_); })) return failure();
  if (ended_ && ended_soon_ && jpeg_has_multiple_scans(&info_) != 0) {
    return Error{ErrorCode::kCorrupt, "damaged: the picture ends before its first scans do"};
  }
  const bool coarse = ended_;
  read_rows();
  if (coarse) builder_.fact("truncated", "fine detail");
  if (warnings_ > 0) builder_.fact("warnings", std::to_string(warnings_));
  return builder_.finish("jpeg");
}

}  // namespace

Result<Picture> decode_jpeg(Bytes bytes, PictureBuilder& builder) {
  return JpegReader(bytes, builder).read();
}

}  // namespace twinsift
