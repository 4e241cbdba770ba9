// SPDX-License-Identifier: Apache-2.0
// BMP, read by ourselves: there is no library worth the name, and it is a header and rows.
//
// Rows are stored from the bottom up unless the height is negative.  1, 4 and 8 bits are indices
// into a palette, 16 and 32 bits are fields, 24 bits are B, G, R.  The pixels of 4 and 8 bits can
// be run-length encoded (bmp_rle.h).
#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "media/image/bmp_rle.h"
#include "media/image/decoders.h"
#include "media/image/little_endian.h"
#include "media/image/pixels.h"

namespace twinsift {
namespace {

constexpr std::size_t kFileHeader = 14;
enum Compression : std::uint32_t {
  kPlain = 0,
  kRle8 = 1,
  kRle4 = 2,
  kFields = 3,
  kAlphaFields = 6
};

struct BmpHeader {
  std::uint64_t width = 0;
  std::uint64_t height = 0;
  bool top_down = false;
  std::uint32_t bits = 0;
  std::uint32_t compression = kPlain;
  std::array<std::uint32_t, 4> masks = {};  // red, green, blue, alpha
  std::size_t palette = 0;                  // where it begins
  std::size_t palette_entry = 4;            // its size
  std::size_t colours = 0;
  std::size_t pixels = 0;  // where they begin
};

Error damaged(const char* what) {
  return {ErrorCode::kCorrupt, fmt::format("damaged BMP: {}", what)};
}

void read_masks(Bytes file, std::size_t size, BmpHeader& header) {
  const std::size_t at = kFileHeader + 40;
  const std::size_t count = size >= 56 || header.compression == kAlphaFields ? 4 : 3;
  if (file.size() < at + 4 * count) return;
  for (std::size_t i = 0; i < count; ++i) header.masks[i] = read_u32(file, at + 4 * i);
  if (size == 40) header.palette += 4 * count;
}

Result<BmpHeader> read_header(Bytes file) {
  if (file.size() < kFileHeader + 12) return damaged("its header is cut off");
  BmpHeader header;
  header.pixels = read_u32(file, 10);
  const std::size_t size = read_u32(file, kFileHeader);
  header.palette = kFileHeader + size;
  if (file.size() < kFileHeader + std::min<std::size_t>(size, 40)) {
    return damaged("its header is cut off");
  }
  if (size == 12) {
    header.width = read_u16(file, 18);
    header.height = read_u16(file, 20);
    header.bits = read_u16(file, 24);
    header.palette_entry = 3;
  } else if (size >= 40 && size <= 1024) {
    const auto height = static_cast<std::int32_t>(read_u32(file, 22));
    header.width = read_u32(file, 18);
    header.top_down = height < 0;
    header.height = static_cast<std::uint64_t>(height < 0 ? -std::int64_t{height} : height);
    header.bits = read_u16(file, 28);
    header.compression = read_u32(file, 30);
    header.colours = read_u32(file, 46);
  } else {
    return damaged("no such header");
  }
  if (header.bits == 16) header.masks = {0x7C00, 0x03E0, 0x001F, 0};
  if (header.bits == 32) header.masks = {0xFF0000, 0xFF00, 0xFF, 0};
  if (header.compression == kFields || header.compression == kAlphaFields) {
    read_masks(file, size, header);
  }
  // True colour may come with a palette for poor screens, which is not for us.
  const std::size_t most = header.bits <= 8 ? std::size_t{1} << header.bits : 0;
  if (header.colours == 0 || header.colours > most) header.colours = most;
  return header;
}

Status check(const BmpHeader& header) {
  const bool rle = (header.compression == kRle8 && header.bits == 8) ||
                   (header.compression == kRle4 && header.bits == 4);
  const bool fields = (header.compression == kFields || header.compression == kAlphaFields) &&
                      (header.bits == 16 || header.bits == 32);
  const std::array<std::uint32_t, 6> known = {1, 4, 8, 16, 24, 32};
  const bool plain =
      header.compression == kPlain && std::ranges::find(known, header.bits) != known.end();
  if (rle || fields || plain) return ok();
  return Error{ErrorCode::kUnsupported, fmt::format("unusual BMP: {} bits, compression {}",
                                                    header.bits, header.compression)};
}

// The bits of a mask, as 0..255; a mask of nothing gives `none`.
std::uint8_t field(std::uint32_t value, std::uint32_t mask, std::uint8_t none) {
  if (mask == 0) return none;
  const auto shift = static_cast<unsigned>(std::countr_zero(mask));
  return to_8_bits((value & mask) >> shift, mask >> shift);
}

class BmpRows {
 public:
  BmpRows(Bytes file, const BmpHeader& header) : header_(header), rgb_(header.width * 3) {
    for (std::size_t i = 0; i < header.colours; ++i) {
      const std::size_t at = header.palette + i * header.palette_entry;
      if (at + 3 > file.size()) break;
      for (std::size_t c = 0; c < 3; ++c) {
        palette_[i][2 - c] = std::to_integer<std::uint8_t>(file[at + c]);
      }
    }
  }

  Pixels convert(Bytes stored) {
    for (std::size_t x = 0; x < header_.width; ++x) {
      const auto colour = pixel(stored, x);
      std::ranges::copy(colour, rgb_.begin() + static_cast<std::ptrdiff_t>(3 * x));
    }
    return rgb_;
  }
  Pixels convert_indices(Pixels indices) {
    for (std::size_t x = 0; x < header_.width; ++x) {
      std::ranges::copy(palette_[indices[x]], rgb_.begin() + static_cast<std::ptrdiff_t>(3 * x));
    }
    return rgb_;
  }

 private:
  using Colour = std::array<std::uint8_t, 3>;
  [[nodiscard]] Colour pixel(Bytes stored, std::size_t x) const {
    const std::uint32_t bits = header_.bits;
    if (bits <= 8) {
      const auto byte = std::to_integer<unsigned>(stored[x * bits / 8]);
      const auto shift = static_cast<unsigned>(8 - bits - x * bits % 8);
      return palette_[(byte >> shift) & ((1U << bits) - 1)];
    }
    if (bits == 24) {
      const auto at = [&](std::size_t c) {
        return std::to_integer<std::uint8_t>(stored[3 * x + c]);
      };
      return {at(2), at(1), at(0)};
    }
    const std::uint32_t value = bits == 16 ? read_u16(stored, 2 * x) : read_u32(stored, 4 * x);
    const std::uint8_t alpha = field(value, header_.masks[3], 255);
    Colour colour = {};
    for (std::size_t c = 0; c < 3; ++c) {
      colour[c] = on_white(field(value, header_.masks[c], 0), alpha);
    }
    return colour;
  }

  const BmpHeader& header_;
  std::array<Colour, 256> palette_ = {};
  std::vector<std::uint8_t> rgb_;
};

void read_rle(Bytes file, const BmpHeader& header, PictureBuilder& builder) {
  BmpRows rows(file, header);
  const Bytes packed = file.subspan(std::min(header.pixels, file.size()));
  const auto indices = unpack_bmp_rle({header.width, header.height, header.bits == 4}, packed);
  for (std::uint64_t y = 0; y < header.height; ++y) {
    const std::uint64_t stored = header.height - 1 - y;
    if (stored >= indices.rows) {
      builder.row({});
      continue;
    }
    builder.row(
        rows.convert_indices(Pixels(indices.pixels).subspan(stored * header.width, header.width)));
  }
}

void read_plain(Bytes file, const BmpHeader& header, PictureBuilder& builder) {
  BmpRows rows(file, header);
  const std::uint64_t stride = (header.width * header.bits + 31) / 32 * 4;
  const std::uint64_t length = (header.width * header.bits + 7) / 8;
  for (std::uint64_t y = 0; y < header.height; ++y) {
    const std::uint64_t stored = header.top_down ? y : header.height - 1 - y;
    const std::uint64_t at = header.pixels + stored * stride;
    if (at > file.size() || length > file.size() - at) {
      builder.row({});
    } else {
      builder.row(rows.convert(file.subspan(at, length)));
    }
  }
}

}  // namespace

Result<Picture> decode_bmp(Bytes bytes, PictureBuilder& builder) {
  TWINSIFT_TRY(const BmpHeader header, read_header(bytes));
  TWINSIFT_TRY([[maybe_unused]] auto checked, check(header));
  builder.fact("lossless", "yes");
  builder.fact("bits", header.bits >= 24 ? "8" : std::to_string(header.bits));
  builder.fact("colour", header.bits <= 8 ? "palette" : "rgb");
  TWINSIFT_TRY([[maybe_unused]] auto begun,
               builder.begin({.width = header.width, .height = header.height}));
  if (header.compression == kRle8 || header.compression == kRle4) {
    read_rle(bytes, header, builder);
  } else {
    read_plain(bytes, header, builder);
  }
  return builder.finish("bmp");
}

}  // namespace twinsift
