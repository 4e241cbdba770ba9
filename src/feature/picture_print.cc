// SPDX-License-Identifier: Apache-2.0
#include "feature/picture_print.h"

#include <bit>
#include <cstring>

namespace twinsift {
namespace {

static_assert(std::endian::native == std::endian::little, "thumbnails are packed as they are");

constexpr std::size_t kThumbnailAt = 8;
constexpr std::size_t kWords = kThumbnailAt + sizeof(Thumbnail) / 8;
constexpr std::uint64_t kPlain = 1;

}  // namespace

Packed pack(const PicturePrint& print) {
  Packed packed;
  std::vector<std::uint64_t>& words = packed.words;
  words.reserve(kWords);
  words.insert(words.end(), print.code.begin(), print.code.end());
  words.push_back(print.width | std::uint64_t{print.height} << 32U);
  words.push_back(print.plain ? kPlain : 0);
  words.insert(words.end(), print.pixels.begin(), print.pixels.end());
  words.resize(kWords);
  std::memcpy(&words[kThumbnailAt], print.thumbnail.data(), sizeof(Thumbnail));
  return packed;
}

Result<PicturePrint> unpack_print(SetView packed) {
  const auto words = packed.ids;
  if (!packed.packed || words.size() != kWords || words[5] > kPlain) {
    return Error{ErrorCode::kCorrupt, "this is not what is kept of a picture"};
  }
  PicturePrint print;
  std::memcpy(print.code.data(), words.data(), sizeof(ImageCode));
  print.width = static_cast<std::uint32_t>(words[4]);
  print.height = static_cast<std::uint32_t>(words[4] >> 32U);
  print.plain = words[5] == kPlain;
  print.pixels = {words[6], words[7]};
  std::memcpy(print.thumbnail.data(), &words[kThumbnailAt], sizeof(Thumbnail));
  if (print.width == 0 || print.height == 0) {
    return Error{ErrorCode::kCorrupt, "a picture without pixels"};
  }
  return print;
}

}  // namespace twinsift
