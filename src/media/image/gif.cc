// SPDX-License-Identifier: Apache-2.0
// GIF by giflib: the first frame on a white screen, and how many there are.
#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include <fmt/format.h>
#include <gif_lib.h>

#include "media/image/decoders.h"
#include "media/image/gif_frames.h"
#include "media/image/pixels.h"

namespace twinsift {
namespace {

class GifReader {
 public:
  GifReader(Bytes bytes, PictureBuilder& builder)
      : bytes_(bytes), left_(bytes), builder_(builder) {}
  ~GifReader() {
    if (gif_ != nullptr) DGifCloseFile(gif_, nullptr);
  }
  GifReader(const GifReader&) = delete;
  GifReader& operator=(const GifReader&) = delete;

  Result<Picture> read();

 private:
  bool find_picture();
  void read_extension();
  void read_lines();
  void make_palette();
  void place(std::uint32_t y);
  static int on_read(GifFileType* gif, GifByteType* out, int size);

  Bytes bytes_;
  Bytes left_;
  PictureBuilder& builder_;
  GifFileType* gif_ = nullptr;
  int transparent_ = NO_TRANSPARENT_COLOR;
  std::uint32_t width_ = 0, height_ = 0;  // of the screen
  std::array<std::array<std::uint8_t, 3>, 256> palette_ = {};
  std::vector<GifPixelType> indices_;
  std::uint32_t lines_ = 0;  // from the top, that could be read
};

int GifReader::on_read(GifFileType* gif, GifByteType* out, int size) {
  auto& left = static_cast<GifReader*>(gif->UserData)->left_;
  const std::size_t count = std::min(left.size(), static_cast<std::size_t>(std::max(size, 0)));
  std::memcpy(out, left.data(), count);
  left = left.subspan(count);
  return static_cast<int>(count);
}

// The extension before a picture says which colour is transparent.
void GifReader::read_extension() {
  int code = 0;
  GifByteType* block = nullptr;
  if (DGifGetExtension(gif_, &code, &block) == GIF_ERROR) return;
  while (block != nullptr) {
    GraphicsControlBlock control = {};
    if (code == GRAPHICS_EXT_FUNC_CODE &&
        DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK) {
      transparent_ = control.TransparentColor;
    }
    if (DGifGetExtensionNext(gif_, &block) == GIF_ERROR) return;
  }
}

bool GifReader::find_picture() {
  for (;;) {
    GifRecordType type = UNDEFINED_RECORD_TYPE;
    if (DGifGetRecordType(gif_, &type) == GIF_ERROR) return false;
    if (type == IMAGE_DESC_RECORD_TYPE) return DGifGetImageDesc(gif_) == GIF_OK;
    if (type != EXTENSION_RECORD_TYPE) return false;
    const std::size_t before = left_.size();
    read_extension();
    if (left_.size() == before) return false;
  }
}

void GifReader::make_palette() {
  const ColorMapObject* map =
      gif_->Image.ColorMap != nullptr ? gif_->Image.ColorMap : gif_->SColorMap;
  for (int i = 0; map != nullptr && i < std::min(map->ColorCount, 256); ++i) {
    const GifColorType& colour = map->Colors[i];
    palette_[static_cast<std::size_t>(i)] = {colour.Red, colour.Green, colour.Blue};
  }
  if (transparent_ >= 0 && transparent_ < 256) {
    palette_[static_cast<std::size_t>(transparent_)] = {255, 255, 255};
  }
}

// Interlaced lines come in four passes; only if all are there, there are any.
void GifReader::read_lines() {
  const auto width = static_cast<std::size_t>(gif_->Image.Width);
  const auto height = static_cast<std::uint32_t>(gif_->Image.Height);
  indices_.resize(width * height);
  const auto read_line = [&](std::uint32_t y) {
    return DGifGetLine(gif_, indices_.data() + width * y, gif_->Image.Width) == GIF_OK;
  };
  if (!gif_->Image.Interlace) {
    while (lines_ < height && read_line(lines_)) ++lines_;
    return;
  }
  constexpr std::array<std::array<std::uint32_t, 2>, 4> kPasses = {
      {{0, 8}, {4, 8}, {2, 4}, {1, 2}}};
  for (const auto& [first, step] : kPasses) {
    for (std::uint32_t y = first; y < height; y += step) {
      if (!read_line(y)) return;
    }
  }
  lines_ = height;
}

void GifReader::place(std::uint32_t y) {
  std::vector<std::uint8_t> row(std::size_t{width_} * 3, 255);
  const auto left = static_cast<std::uint32_t>(std::max(gif_->Image.Left, 0));
  const auto top = static_cast<std::uint32_t>(std::max(gif_->Image.Top, 0));
  const auto width = static_cast<std::uint32_t>(gif_->Image.Width);
  if (y >= top && y - top < static_cast<std::uint32_t>(gif_->Image.Height)) {
    if (y - top >= lines_) return builder_.row({});
    for (std::uint32_t x = 0; x < width && left + x < width_; ++x) {
      const auto& colour = palette_[indices_[std::size_t{y - top} * width + x]];
      std::ranges::copy(colour, row.begin() + static_cast<std::ptrdiff_t>(3) * (left + x));
    }
  }
  builder_.row(row);
}

Result<Picture> GifReader::read() {
  int error = 0;
  gif_ = DGifOpen(this, on_read, &error);
  if (error == D_GIF_ERR_NOT_ENOUGH_MEM) throw std::bad_alloc();
  if (gif_ == nullptr || !find_picture()) {
    return Error{ErrorCode::kCorrupt, "damaged GIF: no picture in it"};
  }
  // Some writers leave the screen empty; then it is as large as the picture.
  width_ = static_cast<std::uint32_t>(gif_->SWidth > 0 ? gif_->SWidth : gif_->Image.Width);
  height_ = static_cast<std::uint32_t>(gif_->SHeight > 0 ? gif_->SHeight : gif_->Image.Height);
  builder_.fact("lossless", "yes");
  builder_.fact("bits", "8");
  builder_.fact("colour", "palette");
  if (transparent_ != NO_TRANSPARENT_COLOR) builder_.fact("alpha", "yes");
  if (const auto frames = count_gif_frames(bytes_); frames > 1) {
    builder_.fact("frames", std::to_string(frames));
  }
  // The picture may be larger than the screen that shows a part of it.
  TWINSIFT_TRY([[maybe_unused]] auto fits,
               builder_.check({.width = static_cast<std::uint64_t>(gif_->Image.Width),
                               .height = static_cast<std::uint64_t>(gif_->Image.Height)}));
  TWINSIFT_TRY([[maybe_unused]] auto begun, builder_.begin({.width = width_, .height = height_}));
  make_palette();
  read_lines();
  for (std::uint32_t y = 0; y < height_; ++y) place(y);
  return builder_.finish("gif");
}

}  // namespace

Result<Picture> decode_gif(Bytes bytes, PictureBuilder& builder) {
  return GifReader(bytes, builder).read();
}

}  // namespace twinsift
