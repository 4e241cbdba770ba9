// SPDX-License-Identifier: Apache-2.0
// PBM, PGM and PPM in their binary forms: a header of numbers, then rows.
#include <optional>
#include <vector>

#include "media/image/decoders.h"
#include "media/image/pixels.h"

namespace twinsift {
namespace {

class PnmHeader {
 public:
  explicit PnmHeader(Bytes bytes) : bytes_(bytes) {}

  // The next number after blanks and comments.
  std::optional<std::uint32_t> number() {
    constexpr std::uint64_t kMost = 0x7FFFFFFF;
    bool comment = false;
    for (; at_ < bytes_.size(); ++at_) {
      const char c = peek();
      if (comment ? c == '\n' : c == '#') {
        comment = !comment;
      } else if (!comment && c >= '0' && c <= '9') {
        break;
      }
    }
    std::uint64_t value = 0;
    for (; at_ < bytes_.size() && peek() >= '0' && peek() <= '9'; ++at_) {
      value = value * 10 + static_cast<std::uint64_t>(peek() - '0');
      if (value > kMost) return std::nullopt;
    }
    if (at_ >= bytes_.size()) return std::nullopt;
    return static_cast<std::uint32_t>(value);
  }

  // One blank ends the header.
  [[nodiscard]] Bytes pixels() const { return bytes_.subspan(at_ + 1); }

 private:
  [[nodiscard]] char peek() const { return static_cast<char>(bytes_[at_]); }

  Bytes bytes_;
  std::size_t at_ = 2;  // behind "P6"
};

struct PnmShape {
  char kind = '6';
  std::uint32_t max = 1;
  std::size_t samples = 0;  // in a row
};

// In a PBM 1 is black; samples of two bytes have the higher one first.
std::uint8_t sample(const PnmShape& shape, Bytes row, std::size_t i) {
  if (shape.kind == '4') {
    const auto byte = std::to_integer<unsigned>(row[i / 8]);
    return ((byte >> (7 - i % 8)) & 1U) != 0 ? 0 : 255;
  }
  if (shape.max < 256) return to_8_bits(std::to_integer<std::uint32_t>(row[i]), shape.max);
  const auto high = std::to_integer<std::uint32_t>(row[2 * i]);
  return to_8_bits(high * 256 + std::to_integer<std::uint32_t>(row[2 * i + 1]), shape.max);
}

}  // namespace

Result<Picture> decode_pnm(Bytes bytes, PictureBuilder& builder) {
  const Error damaged = {ErrorCode::kCorrupt, "damaged PNM: no sizes"};
  if (bytes.size() < 3) return damaged;
  PnmHeader header(bytes);
  PnmShape shape = {.kind = static_cast<char>(bytes[1])};
  const auto width = header.number();
  const auto height = header.number();
  const auto max = shape.kind == '4' ? 1 : header.number();
  if (!width || !height || !max || *max == 0 || *max > 65535) return damaged;
  shape.max = *max;
  const std::uint32_t channels = shape.kind == '6' ? 3 : 1;
  builder.fact("lossless", "yes");
  builder.fact("bits", shape.kind == '4' ? "1" : (*max < 256 ? "8" : "16"));
  builder.fact("colour", channels == 3 ? "rgb" : "grey");
  TWINSIFT_TRY([[maybe_unused]] auto begun,
               builder.begin({.width = *width, .height = *height, .channels = channels}));
  shape.samples = std::size_t{*width} * channels;
  const std::size_t length =
      shape.kind == '4' ? (shape.samples + 7) / 8 : shape.samples * (*max < 256 ? 1 : 2);
  Bytes pixels = header.pixels();
  std::vector<std::uint8_t> row(shape.samples);
  for (std::uint32_t y = 0; y < *height && pixels.size() >= length; ++y) {
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = sample(shape, pixels, i);
    builder.row(row);
    pixels = pixels.subspan(length);
  }
  return builder.finish("pnm");
}

}  // namespace twinsift
