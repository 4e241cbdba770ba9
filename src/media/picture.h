// SPDX-License-Identifier: Apache-2.0
// Pixels out of pictures, decoded in child processes.
//
// As with documents, no library for a picture format is linked here: the bytes go to
// `twinsift-image-decoder`, which works under limits on time, memory and pixels, and whose answer
// is believed only as far as it can be checked.  docs/media/image.md says what becomes of colour,
// transparency, orientation, animation and damage.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "media/decoder_pool.h"
#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

enum class PictureKind : std::uint8_t {
  kNone,
  kJpeg,
  kPng,
  kWebp,
  kGif,
  kTiff,
  kBmp,
  kPnm,
  kHeif,  // HEIC and AVIF, too
  kJp2,
  kRaw,  // of a camera
};

// By the first bytes, never by a name; 64 KiB are plenty.
PictureKind recognise_picture(std::span<const std::byte> head);

// As much of a file as recognising it takes.
inline std::span<const std::byte> head_of_picture(std::span<const std::byte> bytes) {
  constexpr std::size_t kHead = std::size_t{64} << 10U;
  return bytes.first(bytes.size() < kHead ? bytes.size() : kHead);
}

// What is wanted of a picture.
struct PictureRequest {
  // Shrink by the largest power of two that leaves the shorter side at least this long; the
  // decoder does so while it reads, which is much cheaper for JPEG.  0: full size.
  std::uint32_t min_side = 0;
  bool grey = false;    // one byte for each pixel instead of R, G, B
  bool digest = false;  // of the pixels at full size
  bool pixels = true;   // false: only facts, digest and preview
  // Also a small picture for people, whose longer side is at most this long; 0: none.
  std::uint32_t preview = 0;
};

// XXH3-128 over width and height (32 bits each, little-endian) and the 8-bit RGB pixels, all after
// orientation: equal if and only if two files show the same pixels, whatever their formats.
using PixelDigest = std::array<std::uint64_t, 2>;  // low, high

struct Picture {
  std::uint32_t width = 0;  // of the original, as a person sees it: after orientation
  std::uint32_t height = 0;
  std::uint32_t columns = 0;  // of the pixels below
  std::uint32_t rows = 0;
  std::uint32_t channels = 0;  // 1: grey, 3: R, G, B
  std::string bytes;           // row by row from the top, without gaps
  std::optional<PixelDigest> digest;
  std::string preview;      // a JPEG, or a PNG: see media/preview.h
  std::vector<Fact> facts;  // {"format", "jpeg"}, {"width", "4000"}, {"camera", "..."}, ...

  [[nodiscard]] std::span<const std::uint8_t> row(std::uint32_t y) const {
    const std::size_t length = std::size_t{columns} * channels;
    return {reinterpret_cast<const std::uint8_t*>(bytes.data()) + y * length, length};
  }
};

// What one picture may cost.
struct PictureLimits {
  DecodeLimits process = {.output = 3ULL << 28};
  std::uint64_t pixels = 1ULL << 28;  // decoded; after shrinking where the library shrinks
};

// Decodes pictures in children of its own.  Thread-safe.
class PictureDecoder {
 public:
  explicit PictureDecoder(const PictureLimits& limits = {});

  // The message begins with a short reason.  kCorrupt: damaged, or the decoder crashed on it;
  // kUnsupported: this build lacks a library, or the library a feature; kLimit: a limit stopped
  // it; kNotFound: there is no decoder.  Requires: kind != kNone.
  [[nodiscard]] Result<Picture> decode(const Input& input, PictureKind kind,
                                       const PictureRequest& request);

  // Which formats can be read: {"JPEG", "libjpeg-turbo 2.1.5"}, and with an empty value those
  // whose library was missing when the decoder was built.
  [[nodiscard]] Result<std::vector<Fact>> formats();

 private:
  DecoderPool pool_;
  std::uint64_t pixel_limit_;
};

}  // namespace twinsift
