// SPDX-License-Identifier: Apache-2.0
// Recognises pictures by their first bytes.
#include "media/picture.h"

#include <algorithm>
#include <string_view>

#include "media/tiff_head.h"

namespace twinsift {
namespace {

using std::string_view_literals::operator""sv;

struct Signature {
  std::size_t offset;
  std::string_view bytes;
  PictureKind kind;
};

// The flavours of RAW that are no TIFF, or a TIFF with a magic of its own, come before TIFF.
constexpr std::array kSignatures = {
    Signature{0, "\xFF\xD8\xFF"sv, PictureKind::kJpeg},
    Signature{0, "\x89PNG\r\n\x1A\n"sv, PictureKind::kPng},
    Signature{0, "GIF87a"sv, PictureKind::kGif},
    Signature{0, "GIF89a"sv, PictureKind::kGif},
    Signature{0, "\0\0\0\x0CjP  \r\n\x87\n"sv, PictureKind::kJp2},
    Signature{0, "\xFF\x4F\xFF\x51"sv, PictureKind::kJp2},
    Signature{0, "FUJIFILMCCD-RAW"sv, PictureKind::kRaw},
    Signature{0, "IIRO"sv, PictureKind::kRaw},  // Olympus
    Signature{0, "IIRS"sv, PictureKind::kRaw},
    Signature{0, "MMOR"sv, PictureKind::kRaw},
    Signature{0, "IIU\0"sv, PictureKind::kRaw},     // Panasonic
    Signature{6, "HEAPCCDR"sv, PictureKind::kRaw},  // early Canon
    Signature{0, "\0MRM"sv, PictureKind::kRaw},     // Minolta
    Signature{8, "CR\2\0"sv, PictureKind::kRaw},    // Canon, checked to be a TIFF below
    Signature{0, "II*\0"sv, PictureKind::kTiff},
    Signature{0, "MM\0*"sv, PictureKind::kTiff},
    Signature{0, "II+\0"sv, PictureKind::kTiff},
    Signature{0, "MM\0+"sv, PictureKind::kTiff},
};

constexpr std::array kHeifBrands = {"heic"sv, "heix"sv, "hevc"sv, "heim"sv, "heis"sv,
                                    "mif1"sv, "msf1"sv, "avif"sv, "avis"sv};

// The brands of an ISO base media file are in its first box.
PictureKind iso_kind(std::string_view head) {
  if (head.size() < 16 || head.substr(4, 4) != "ftyp") return PictureKind::kNone;
  const auto byte = [&](std::size_t i) { return std::size_t{static_cast<unsigned char>(head[i])}; };
  const std::size_t size = (byte(0) << 24U) + (byte(1) << 16U) + (byte(2) << 8U) + byte(3);
  const std::string_view box = head.substr(0, std::min(size, head.size()));
  for (std::size_t at = 8; at + 4 <= box.size(); at += at == 8 ? 8 : 4) {
    const std::string_view brand = box.substr(at, 4);
    if (brand == "crx ") return PictureKind::kRaw;  // Canon
    if (std::ranges::find(kHeifBrands, brand) != kHeifBrands.end()) return PictureKind::kHeif;
  }
  return PictureKind::kNone;
}

// Two letters are not enough: many texts begin with "BM".
bool is_bmp(std::string_view head) {
  if (!head.starts_with("BM") || head.size() < 26) return false;
  const std::string_view size = head.substr(14, 4);
  return size.substr(1) == "\0\0\0"sv &&
         "\x0C\x28\x34\x38\x40\x6C\x7C"sv.find(size[0]) != size.npos;
}

// "P6 640 480 255": only the binary kinds, for the others are text, and only if sizes follow.
bool is_pnm(std::string_view head) {
  if (head.size() < 8 || head[0] != 'P' || head[1] < '4' || head[1] > '6') return false;
  std::size_t numbers = 0;
  bool inside = false;
  bool comment = false;
  for (const char c : head.substr(2)) {
    const bool digit = c >= '0' && c <= '9';
    const bool blank = c == ' ' || c == '\t' || c == '\r' || c == '\n';
    if (comment) {
      comment = c != '\n';
    } else if (c == '#' && !inside) {
      comment = true;
    } else if (!digit && !blank) {
      return false;
    } else if (!digit && inside && ++numbers == 2) {
      return true;
    } else {
      inside = digit;
      if (digit && numbers == 0 && head[2] >= '0' && head[2] <= '9') return false;
    }
  }
  return false;
}

}  // namespace

PictureKind recognise_picture(std::span<const std::byte> head) {
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  for (const auto& [offset, bytes, kind] : kSignatures) {
    if (text.size() < offset || !text.substr(offset).starts_with(bytes)) continue;
    if (offset == 8 && !text.starts_with("II*\0"sv)) continue;
    if (kind == PictureKind::kTiff && tiff_is_raw(head)) return PictureKind::kRaw;
    return kind;
  }
  if (text.starts_with("RIFF") && text.size() >= 12 && text.substr(8, 4) == "WEBP") {
    return PictureKind::kWebp;
  }
  if (is_bmp(text)) return PictureKind::kBmp;
  if (is_pnm(text)) return PictureKind::kPnm;
  return iso_kind(text);
}

}  // namespace twinsift
