// SPDX-License-Identifier: Apache-2.0
// The table of formats.  The build defines TWINSIFT_JPEG and its like as {decode_jpeg, "2.1.5"}, or
// as {} if the library was missing: then the gap has a name.
#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "media/image/decoders.h"

namespace twinsift {
namespace {

struct Decoder {
  Result<Picture> (*decode)(Bytes bytes, PictureBuilder& builder) = nullptr;
  std::string_view version;
};

struct Format {
  PictureKind kind;
  std::string_view name;
  std::string_view library;
  Decoder decoder;
};

constexpr std::array kFormats = {
    Format{PictureKind::kJpeg, "JPEG", "libjpeg", TWINSIFT_JPEG},
    Format{PictureKind::kPng, "PNG", "libpng", TWINSIFT_PNG},
    Format{PictureKind::kWebp, "WebP", "libwebp", TWINSIFT_WEBP},
    Format{PictureKind::kGif, "GIF", "giflib", TWINSIFT_GIF},
    Format{PictureKind::kTiff, "TIFF", "libtiff", TWINSIFT_TIFF},
    Format{PictureKind::kBmp, "BMP", "twinsift", {decode_bmp, ""}},
    Format{PictureKind::kPnm, "PNM", "twinsift", {decode_pnm, ""}},
    Format{PictureKind::kHeif, "HEIF and AVIF", "libheif", TWINSIFT_HEIF},
    Format{PictureKind::kJp2, "JPEG 2000", "OpenJPEG", TWINSIFT_JP2},
    Format{PictureKind::kRaw, "camera RAW", "LibRaw", TWINSIFT_RAW},
};

// Whether a digest is asked for must not change the pixels, but a library makes others when it
// shrinks.  So it reads the file once for each.
Result<Picture> decode_twice(const Decoder& decoder, Bytes bytes, const PictureRequest& request,
                             std::uint64_t pixel_limit) {
  PictureBuilder digest({.digest = true, .pixels = false}, pixel_limit);
  TWINSIFT_TRY(const Picture exact, decoder.decode(bytes, digest));
  PictureRequest rest = request;
  rest.digest = false;
  PictureBuilder builder(rest, pixel_limit);
  TWINSIFT_TRY(Picture picture, decoder.decode(bytes, builder));
  picture.digest = exact.digest;
  return picture;
}

}  // namespace

Result<Picture> decode_picture(PictureKind kind, Bytes bytes, const PictureRequest& request,
                               std::uint64_t pixel_limit) {
  const auto* format = std::ranges::find(kFormats, kind, &Format::kind);
  if (format == kFormats.end()) {
    return Error{ErrorCode::kInvalidArgument, "no such kind of picture"};
  }
  if (format->decoder.decode == nullptr) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("{} pictures are not supported by this build: {} was missing",
                             format->name, format->library)};
  }
  const bool library_shrinks = kind == PictureKind::kJpeg || kind == PictureKind::kJp2;
  const bool another = request.pixels && (request.grey || request.min_side > 0);
  if (library_shrinks && request.digest && another) {
    return decode_twice(format->decoder, bytes, request, pixel_limit);
  }
  PictureBuilder builder(request, pixel_limit);
  return format->decoder.decode(bytes, builder);
}

std::vector<Fact> picture_formats() {
  std::vector<Fact> formats;
  for (const Format& format : kFormats) {
    std::string library;
    if (format.decoder.decode != nullptr) library = format.library;
    if (!format.decoder.version.empty()) library += fmt::format(" {}", format.decoder.version);
    formats.emplace_back(format.name, library);
  }
  return formats;
}

}  // namespace twinsift
