// SPDX-License-Identifier: Apache-2.0
// TIFF by libtiff, which turns nearly all of its kinds (1 to 16 bits, palettes, inks, tiles,
// planes) into RGBA.  It does so band by band here, so that large scans fit into memory.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <tiffio.h>

#include "media/image/decoders.h"
#include "media/image/exif.h"

namespace twinsift {
namespace {

// The file in memory, as libtiff's callbacks see it.
struct Memory {
  Bytes bytes;
  toff_t at = 0;

  static tmsize_t read(thandle_t handle, void* out, tmsize_t size) {
    auto& memory = *static_cast<Memory*>(handle);
    if (memory.at >= memory.bytes.size() || size < 0) return 0;
    const std::size_t count =
        std::min<std::size_t>(static_cast<std::size_t>(size), memory.bytes.size() - memory.at);
    std::memcpy(out, memory.bytes.data() + memory.at, count);
    memory.at += count;
    return static_cast<tmsize_t>(count);
  }
  static tmsize_t write(thandle_t, void*, tmsize_t) { return 0; }
  static toff_t seek(thandle_t handle, toff_t offset, int whence) {
    auto& memory = *static_cast<Memory*>(handle);
    if (whence == SEEK_CUR) offset += memory.at;
    if (whence == SEEK_END) offset += memory.bytes.size();
    return memory.at = offset;
  }
  static int close(thandle_t) { return 0; }
  static toff_t size(thandle_t handle) { return static_cast<Memory*>(handle)->bytes.size(); }
  static int map(thandle_t, void**, toff_t*) { return 0; }
  static void unmap(thandle_t, void*, toff_t) {}
};

using TiffFile = std::unique_ptr<TIFF, void (*)(TIFF*)>;

std::uint32_t number(TIFF* tiff, std::uint32_t tag) {
  std::uint16_t value = 0;
  return TIFFGetFieldDefaulted(tiff, tag, &value) != 0 ? value : 0;
}

const char* colour_name(std::uint32_t photometric) {
  switch (photometric) {
    case PHOTOMETRIC_MINISWHITE:
    case PHOTOMETRIC_MINISBLACK:
      return "grey";
    case PHOTOMETRIC_PALETTE:
      return "palette";
    case PHOTOMETRIC_SEPARATED:
      return "cmyk";
    default:
      return "rgb";
  }
}

void tell_facts(TIFF* tiff, Bytes bytes, PictureBuilder& builder) {
  const std::uint32_t compression = number(tiff, TIFFTAG_COMPRESSION);
  const bool lossy = compression == COMPRESSION_JPEG || compression == COMPRESSION_OJPEG ||
                     compression == COMPRESSION_WEBP || compression == COMPRESSION_JP2000;
  add_facts(read_exif(bytes), builder);
  builder.orient(number(tiff, TIFFTAG_ORIENTATION));
  builder.fact("lossless", lossy ? "no" : "yes");
  builder.fact("bits", std::to_string(number(tiff, TIFFTAG_BITSPERSAMPLE)));
  builder.fact("colour", colour_name(number(tiff, TIFFTAG_PHOTOMETRIC)));
  const auto pages = TIFFNumberOfDirectories(tiff);
  if (pages > 1) builder.fact("pages", std::to_string(pages));
}

// Transparency comes multiplied into the colours already, so the white is only added.
void convert(std::span<const std::uint32_t> raster, std::vector<std::uint8_t>& rgb) {
  for (std::size_t x = 0; x < raster.size(); ++x) {
    const std::uint32_t white = 255 - TIFFGetA(raster[x]);
    rgb[3 * x] = static_cast<std::uint8_t>(std::min(255U, TIFFGetR(raster[x]) + white));
    rgb[3 * x + 1] = static_cast<std::uint8_t>(std::min(255U, TIFFGetG(raster[x]) + white));
    rgb[3 * x + 2] = static_cast<std::uint8_t>(std::min(255U, TIFFGetB(raster[x]) + white));
  }
}

// A strip or a row of tiles is decoded as a whole, so a band is one of them.
std::uint32_t band_height(TIFF* tiff, std::uint32_t height) {
  std::uint32_t rows = 0;
  const std::uint32_t tag = TIFFIsTiled(tiff) != 0 ? TIFFTAG_TILELENGTH : TIFFTAG_ROWSPERSTRIP;
  TIFFGetFieldDefaulted(tiff, tag, &rows);
  return std::clamp(rows, 1U, height);
}

void read_bands(TIFF* tiff, TIFFRGBAImage& image, PictureBuilder& builder) {
  const std::uint32_t band = band_height(tiff, image.height);
  std::vector<std::uint32_t> raster(std::size_t{image.width} * band);
  std::vector<std::uint8_t> rgb(std::size_t{image.width} * 3);
  const std::uint32_t height = image.height;
  for (std::uint32_t top = 0; top < height; top += band) {
    const std::uint32_t rows = std::min(band, height - top);
    image.row_offset = static_cast<int>(top);
    if (TIFFRGBAImageGet(&image, raster.data(), image.width, rows) == 0) return;
    for (std::uint32_t y = 0; y < rows; ++y) {
      convert(std::span(raster).subspan(std::size_t{image.width} * y, image.width), rgb);
      builder.row(rgb);
    }
  }
}

}  // namespace

Result<Picture> decode_tiff(Bytes bytes, PictureBuilder& builder) {
  TIFFSetErrorHandler(nullptr);
  TIFFSetWarningHandler(nullptr);
  Memory memory = {.bytes = bytes};
  const TiffFile tiff(
      TIFFClientOpen("picture", "rm", &memory, Memory::read, Memory::write, Memory::seek,
                     Memory::close, Memory::size, Memory::map, Memory::unmap),
      TIFFClose);
  if (!tiff) return Error{ErrorCode::kCorrupt, "damaged TIFF"};
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  TIFFGetField(tiff.get(), TIFFTAG_IMAGEWIDTH, &width);
  TIFFGetField(tiff.get(), TIFFTAG_IMAGELENGTH, &height);
  tell_facts(tiff.get(), bytes, builder);
  TWINSIFT_TRY([[maybe_unused]] auto fits, builder.check({.width = width, .height = height}));
  TIFFSetDirectory(tiff.get(), 0);  // counting the pages has moved on
  char message[1024] = {};
  TIFFRGBAImage image = {};
  if (TIFFRGBAImageOK(tiff.get(), message) == 0 ||
      TIFFRGBAImageBegin(&image, tiff.get(), 1, message) == 0) {
    return Error{ErrorCode::kUnsupported, fmt::format("unusual TIFF: {}", message)};
  }
  const std::unique_ptr<TIFFRGBAImage, void (*)(TIFFRGBAImage*)> end(&image, TIFFRGBAImageEnd);
  image.req_orientation = image.orientation;  // we turn pictures ourselves
  TWINSIFT_TRY([[maybe_unused]] auto begun, builder.begin({.width = width, .height = height}));
  read_bands(tiff.get(), image, builder);
  return builder.finish("tiff");
}

}  // namespace twinsift
