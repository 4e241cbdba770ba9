// SPDX-License-Identifier: Apache-2.0
#include "feature/pdq_print.h"

#include <algorithm>

namespace twinsift {
namespace {

constexpr std::size_t kCodes = 32;
constexpr std::size_t kWords = kCodes + 4;
constexpr std::uint64_t kMostQuality = 100;

}  // namespace

Packed pack(const PdqPrint& print) {
  Packed packed;
  std::vector<std::uint64_t>& words = packed.words;
  words.reserve(kWords);
  for (const PdqCode& code : print.codes) words.insert(words.end(), code.begin(), code.end());
  words.push_back(print.width | std::uint64_t{print.height} << 32U);
  words.push_back(print.quality);
  words.insert(words.end(), print.pixels.begin(), print.pixels.end());
  return packed;
}

Result<PdqPrint> unpack_pdq_print(SetView packed) {
  const auto words = packed.ids;
  if (!packed.packed || words.size() != kWords || words[kCodes + 1] > kMostQuality ||
      static_cast<std::uint32_t>(words[kCodes]) == 0 || words[kCodes] >> 32U == 0) {
    return Error{ErrorCode::kCorrupt, "these are not the PDQ codes of a picture"};
  }
  PdqPrint print{.width = static_cast<std::uint32_t>(words[kCodes]),
                 .height = static_cast<std::uint32_t>(words[kCodes] >> 32U),
                 .quality = static_cast<std::uint32_t>(words[kCodes + 1]),
                 .pixels = {words[kCodes + 2], words[kCodes + 3]}};
  auto at = words.begin();
  for (PdqCode& code : print.codes) {
    std::copy_n(at, code.size(), code.begin());
    at += static_cast<std::ptrdiff_t>(code.size());
  }
  return print;
}

}  // namespace twinsift
