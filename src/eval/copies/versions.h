// SPDX-License-Identifier: Apache-2.0
// The copy set: what is made of each photo, and under which name it is judged.
//
// The 20 standard versions are what happens to a photo that is sent, stored and published; the 7
// hard ones change what it shows.  Both lists are fixed: figures are comparable only if they are.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace twinsift {

enum class CopyFormat : std::uint8_t { kJpeg, kPng, kWebp };

enum class CopyChange : std::uint8_t {
  kNone,
  kScale,       // to so many percent
  kBlur,        // by this sigma
  kNoise,       // of this sigma
  kCrop,        // so many percent of the surface away
  kRotate,      // clockwise by so many degrees: 5, 25 or 90
  kCaption,     // one line at the lower edge
  kBrightness,  // 1.2 v + 15
  kMirror,
  kGrey,
  kBorder,  // white, an eighth of the shorter side
  kMeme,    // so many percent of the surface away, mirrored, two lines of text
};

struct CopyVersion {
  std::string_view name;
  CopyChange change = CopyChange::kNone;
  int amount = 0;
  CopyFormat format = CopyFormat::kJpeg;
  int quality = 90;
  bool hard = false;
};

inline constexpr std::array kCopyVersions = {
    CopyVersion{.name = "jpeg75", .quality = 75},
    CopyVersion{.name = "jpeg50", .quality = 50},
    CopyVersion{.name = "jpeg30", .quality = 30},
    CopyVersion{.name = "jpeg20", .quality = 20},
    CopyVersion{.name = "jpeg10", .quality = 10},
    CopyVersion{.name = "jpeg5", .quality = 5},
    CopyVersion{.name = "scale75", .change = CopyChange::kScale, .amount = 75},
    CopyVersion{.name = "scale50", .change = CopyChange::kScale, .amount = 50},
    CopyVersion{.name = "scale25", .change = CopyChange::kScale, .amount = 25},
    CopyVersion{.name = "blur1", .change = CopyChange::kBlur, .amount = 1},
    CopyVersion{.name = "blur3", .change = CopyChange::kBlur, .amount = 3},
    CopyVersion{.name = "noise10", .change = CopyChange::kNoise, .amount = 10},
    CopyVersion{.name = "noise25", .change = CopyChange::kNoise, .amount = 25},
    CopyVersion{.name = "png", .format = CopyFormat::kPng},
    CopyVersion{.name = "webp60", .format = CopyFormat::kWebp, .quality = 60},
    CopyVersion{.name = "crop10", .change = CopyChange::kCrop, .amount = 10},
    CopyVersion{.name = "crop20", .change = CopyChange::kCrop, .amount = 20},
    CopyVersion{.name = "rotate5", .change = CopyChange::kRotate, .amount = 5},
    CopyVersion{.name = "caption", .change = CopyChange::kCaption},
    CopyVersion{.name = "brightness", .change = CopyChange::kBrightness},
    CopyVersion{.name = "crop50", .change = CopyChange::kCrop, .amount = 50, .hard = true},
    CopyVersion{.name = "rotate25", .change = CopyChange::kRotate, .amount = 25, .hard = true},
    CopyVersion{.name = "rotate90", .change = CopyChange::kRotate, .amount = 90, .hard = true},
    CopyVersion{.name = "mirror", .change = CopyChange::kMirror, .hard = true},
    CopyVersion{.name = "grey", .change = CopyChange::kGrey, .hard = true},
    CopyVersion{.name = "border", .change = CopyChange::kBorder, .hard = true},
    CopyVersion{
        .name = "meme", .change = CopyChange::kMeme, .amount = 20, .quality = 40, .hard = true},
};
static_assert(std::ranges::count(kCopyVersions, false, &CopyVersion::hard) == 20 &&
              kCopyVersions.size() == 27);

constexpr std::string_view extension_of(CopyFormat format) {
  constexpr std::array<std::string_view, 3> kExtensions = {"jpg", "png", "webp"};
  return kExtensions[static_cast<std::size_t>(format)];
}

}  // namespace twinsift
