// SPDX-License-Identifier: Apache-2.0
#include "eval/copies/make.h"

#include <array>
#include <string_view>

#include <fmt/format.h>

#include "base/hash.h"
#include "eval/copies/caption.h"
#include "eval/copies/transforms.h"

namespace twinsift {
namespace {

constexpr std::array<std::string_view, 8> kWords = {
    "When it is Monday again", "Greetings from the sea!", "Nobody: / Me at 5:30",
    "Best day of 2019",        "Look what I found (#1)",  "Do not feed the cat, please",
    "Just one more photo...",  "You & me & the dog"};

std::string_view words_of(std::uint64_t seed) { return kWords[seed % kWords.size()]; }

RgbImage turned(const RgbImage& photo, int degrees) {
  if (degrees == 90) return quarter_turned(photo);
  return rotated(photo, degrees == 5 ? kFiveDegrees : kTwentyFiveDegrees);
}

RgbImage captioned(const RgbImage& photo, std::uint64_t seed) {
  RgbImage out = photo;
  write_caption(out, words_of(seed), CaptionPlace::kBottom);
  return out;
}

RgbImage meme(const RgbImage& photo, double share, std::uint64_t seed) {
  RgbImage out = mirrored(cropped(photo, share, seed));
  write_caption(out, words_of(seed), CaptionPlace::kTop);
  write_caption(out, words_of(seed / kWords.size()), CaptionPlace::kBottom);
  return out;
}

struct Encoder {
  Result<std::string> (*encode)(const RgbImage& image, int quality) = nullptr;
};

// In the order of CopyFormat.
constexpr std::array<Encoder, 3> kEncoders = {
#ifdef TWINSIFT_WRITES_JPEG
    Encoder{encode_jpeg_copy},
#else
    Encoder{},
#endif
#ifdef TWINSIFT_WRITES_PNG
    Encoder{encode_png_copy},
#else
    Encoder{},
#endif
#ifdef TWINSIFT_WRITES_WEBP
    Encoder{encode_webp_copy},
#else
    Encoder{},
#endif
};

}  // namespace

RgbImage changed(const RgbImage& photo, const CopyVersion& version, std::uint64_t seed) {
  // Each version has randomness of its own: crops of 10 and 20 % need not have the same centre.
  const auto number = static_cast<std::uint64_t>(version.change) << 8U;
  const std::uint64_t own = seed_key(seed, number + static_cast<std::uint64_t>(version.amount));
  switch (version.change) {
    case CopyChange::kNone:
      return photo;
    case CopyChange::kScale:
      return scaled(photo, static_cast<std::uint32_t>(version.amount));
    case CopyChange::kBlur:
      return blurred(photo, version.amount);
    case CopyChange::kNoise:
      return noisy(photo, version.amount, own);
    case CopyChange::kCrop:
      return cropped(photo, version.amount / 100.0, own);
    case CopyChange::kRotate:
      return turned(photo, version.amount);
    case CopyChange::kCaption:
      return captioned(photo, own);
    case CopyChange::kBrightness:
      return brightened(photo);
    case CopyChange::kMirror:
      return mirrored(photo);
    case CopyChange::kGrey:
      return grey(photo);
    case CopyChange::kBorder:
      return bordered(photo);
    case CopyChange::kMeme:
      return meme(photo, version.amount / 100.0, own);
  }
  return photo;
}

Result<std::string> encoded(const RgbImage& image, CopyFormat format, int quality) {
  const Encoder& encoder = kEncoders[static_cast<std::size_t>(format)];
  if (encoder.encode == nullptr) {
    return Error{ErrorCode::kUnsupported,
                 fmt::format("this build cannot write .{} files", extension_of(format))};
  }
  return encoder.encode(image, quality);
}

}  // namespace twinsift
