// SPDX-License-Identifier: Apache-2.0
#include "media/preview.h"

namespace twinsift {
namespace {

using std::string_view_literals::operator""sv;

constexpr std::string_view kPngHead = "\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR"sv;
constexpr std::string_view kPngTail = "\0\0\0\0IEND\xAE\x42\x60\x82"sv;

// Big-endian.
std::uint32_t number(std::string_view file, std::size_t at, std::size_t bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < bytes; ++i) {
    value = (value << 8U) | static_cast<unsigned char>(file[at + i]);
  }
  return value;
}

std::optional<PreviewSize> png_size(std::string_view file) {
  if (file.size() < 33 + kPngTail.size() || !file.ends_with(kPngTail)) return std::nullopt;
  return PreviewSize{"image/png", number(file, 16, 4), number(file, 20, 4)};
}

// Segments follow each other from the first byte on; that of the frame comes before the data.
std::optional<PreviewSize> jpeg_size(std::string_view file) {
  if (!file.ends_with("\xFF\xD9"sv)) return std::nullopt;
  for (std::size_t at = 2; at + 9 <= file.size() && file[at] == '\xFF';) {
    const std::uint32_t marker = number(file, at + 1, 1);
    const std::uint32_t length = number(file, at + 2, 2);
    if (marker == 0xC0 || marker == 0xC1 || marker == 0xC2) {
      return PreviewSize{"image/jpeg", number(file, at + 7, 2), number(file, at + 5, 2)};
    }
    const bool before_frame = marker == 0xC4 || marker == 0xDB || marker == 0xDD ||
                              marker == 0xFE || (marker >= 0xE0 && marker <= 0xEF);
    if (!before_frame || length < 2) return std::nullopt;
    at += 2 + length;
  }
  return std::nullopt;
}

}  // namespace

std::optional<PreviewSize> preview_size(std::string_view file) {
  std::optional<PreviewSize> size;
  if (file.starts_with(kPngHead)) size = png_size(file);
  if (file.starts_with("\xFF\xD8\xFF"sv)) size = jpeg_size(file);
  if (size && (size->width == 0 || size->height == 0)) size.reset();
  return size;
}

}  // namespace twinsift
