// SPDX-License-Identifier: Apache-2.0
// PNG by libpng.  Colour profiles and gamma are not applied, as nowhere here.
//
// libpng leaves a fatal error by longjmp.  attempt() is where it lands; between there and libpng
// stand only frames without destructors.
#include <algorithm>
#include <csetjmp>
#include <cstring>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <png.h>

#include "media/image/decoders.h"
#include "media/image/exif.h"
#include "media/image/pixels.h"
#include "media/image/png_chunks.h"

namespace twinsift {
namespace {

class PngReader {
 public:
  PngReader(Bytes bytes, PictureBuilder& builder) : bytes_(bytes), builder_(builder) {}
  ~PngReader() { png_destroy_read_struct(&png_, &info_, nullptr); }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;

  Result<Picture> read();

 private:
  template <class Step>
  bool attempt(Step step) {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    step();
    return true;
  }
  void ask_for_8_bits();
  void tell_facts();
  void read_rows();
  void read_interlaced();
  void convert(Pixels row);
  static void on_read(png_structp png, png_bytep out, png_size_t size);
  static void on_error(png_structp png, png_const_charp message);

  Bytes bytes_;
  PictureBuilder& builder_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  char message_[80] = {};
  bool grey_ = false;
  bool alpha_ = false;
  std::vector<std::uint8_t> plain_;
};

void PngReader::on_read(png_structp png, png_bytep out, png_size_t size) {
  auto& bytes = static_cast<PngReader*>(png_get_io_ptr(png))->bytes_;
  if (size > bytes.size()) png_error(png, "unexpected end");
  std::memcpy(out, bytes.data(), size);
  bytes = bytes.subspan(size);
}

void PngReader::on_error(png_structp png, png_const_charp message) {
  auto& reader = *static_cast<PngReader*>(png_get_error_ptr(png));
  std::strncpy(reader.message_, message, sizeof(reader.message_) - 1);
  png_longjmp(png, 1);
}

// Whatever the file has becomes 8 bits of grey or RGB, perhaps with alpha.
void PngReader::ask_for_8_bits() {
  png_set_expand(png_);
  png_set_scale_16(png_);
  png_read_update_info(png_, info_);
  const auto type = png_get_color_type(png_, info_);
  grey_ = (type & PNG_COLOR_MASK_COLOR) == 0;
  alpha_ = (type & PNG_COLOR_MASK_ALPHA) != 0;
}

void PngReader::tell_facts() {
  const PngChunks chunks = read_png_chunks(bytes_);
  const Exif exif = read_exif(chunks.exif);
  builder_.orient(exif.orientation);
  add_facts(exif, builder_);
  if (chunks.frames > 1) builder_.fact("frames", std::to_string(chunks.frames));
}

void PngReader::convert(Pixels row) {
  if (!alpha_) return builder_.row(row);
  if (grey_) {
    grey_from_grey_alpha(row, plain_);
  } else {
    rgb_from_rgba(row, plain_);
  }
  builder_.row(plain_);
}

void PngReader::read_rows() {
  std::vector<std::uint8_t> row(png_get_rowbytes(png_, info_));
  const std::uint32_t height = png_get_image_height(png_, info_);
  for (std::uint32_t y = 0; y < height; ++y) {
    if (!attempt([&] { png_read_row(png_, row.data(), nullptr); })) return;
    convert(row);
  }
}

// Seven passes, so that there is no row before the last of them.
void PngReader::read_interlaced() {
  const std::size_t length = png_get_rowbytes(png_, info_);
  const std::uint32_t height = png_get_image_height(png_, info_);
  std::vector<std::uint8_t> picture(length * height);
  std::vector<png_bytep> rows(height);
  for (std::uint32_t y = 0; y < height; ++y) rows[y] = picture.data() + length * y;
  if (!attempt([&] { png_read_image(png_, rows.data()); })) return;
  for (const png_bytep row : rows) convert({row, length});
}

Result<Picture> PngReader::read() {
  png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, on_error,
                                [](png_structp, png_const_charp) {});
  if (png_ != nullptr) info_ = png_create_info_struct(png_);
  if (info_ == nullptr) throw std::bad_alloc();
  tell_facts();
  png_set_read_fn(png_, this, on_read);
  png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);  // the builder has its own
  if (!attempt([this] { png_read_info(png_, info_); })) {
    return Error{ErrorCode::kCorrupt, fmt::format("damaged PNG: {}", message_)};
  }
  const std::uint32_t width = png_get_image_width(png_, info_);
  const std::uint32_t height = png_get_image_height(png_, info_);
  const auto type = png_get_color_type(png_, info_);
  const bool interlaced = png_get_interlace_type(png_, info_) != PNG_INTERLACE_NONE;
  const bool palette = type == PNG_COLOR_TYPE_PALETTE;
  const bool colour = (type & PNG_COLOR_MASK_COLOR) != 0;
  builder_.fact("lossless", "yes");
  builder_.fact("bits", std::to_string(png_get_bit_depth(png_, info_)));
  builder_.fact("colour", palette ? "palette" : (colour ? "rgb" : "grey"));
  TWINSIFT_TRY([[maybe_unused]] auto begun,
               builder_.begin({.width = width, .height = height, .channels = colour ? 3U : 1U}));
  if (interlaced && !attempt([this] { png_set_interlace_handling(png_); }))
    return builder_.finish("png");
  if (attempt([this] { ask_for_8_bits(); })) {
    if (alpha_) builder_.fact("alpha", "yes");
    plain_.resize(std::size_t{width} * (grey_ ? 1 : 3));
    interlaced ? read_interlaced() : read_rows();
  }
  return builder_.finish("png");
}

}  // namespace

Result<Picture> decode_png(Bytes bytes, PictureBuilder& builder) {
  return PngReader(bytes, builder).read();
}

}  // namespace twinsift
