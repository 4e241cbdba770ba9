// SPDX-License-Identifier: Apache-2.0
#include "feature/siamese_print.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <utility>

#include <fmt/format.h>

#include "feature/thumbnail.h"

namespace twinsift {
namespace {

constexpr std::size_t kCodes = 32;
constexpr std::size_t kHead = kCodes + 4;

// Turned as oriented() turns a thumbnail.
std::vector<std::uint8_t> turned(const std::vector<std::uint8_t>& square, std::size_t side,
                                 std::size_t channels, int orientation) {
  std::vector<std::uint8_t> out(square.size());
  for (std::size_t y = 0; y < side; ++y) {
    for (std::size_t x = 0; x < side; ++x) {
      // Mirrored first, then turned clockwise: (x, y) goes to (side - 1 - y, x).
      std::size_t to_x = orientation >= 4 ? side - 1 - x : x;
      std::size_t to_y = y;
      for (int turn = 0; turn < orientation % 4; ++turn) {
        const std::size_t old_x = to_x;
        to_x = side - 1 - to_y;
        to_y = old_x;
      }
      std::copy_n(&square[(y * side + x) * channels], channels,
                  &out[(to_y * side + to_x) * channels]);
    }
  }
  return out;
}

}  // namespace

Packed pack(const SiamesePrint& print) {
  Packed packed;
  std::vector<std::uint64_t>& words = packed.words;
  for (const ImageCode& code : print.codes) words.insert(words.end(), code.begin(), code.end());
  words.push_back(print.width | std::uint64_t{print.height} << 32U);
  words.push_back(print.plain ? 1 : 0);
  words.insert(words.end(), print.pixels.begin(), print.pixels.end());
  for (std::size_t i = 0; i < print.features.size(); i += 2) {
    const float second = i + 1 < print.features.size() ? print.features[i + 1] : 0.0F;
    words.push_back(std::bit_cast<std::uint32_t>(print.features[i]) |
                    std::uint64_t{std::bit_cast<std::uint32_t>(second)} << 32U);
  }
  return packed;
}

Result<SiamesePrint> unpack_siamese_print(SetView packed) {
  const auto words = packed.ids;
  if (!packed.packed || words.size() < kHead || words[kCodes + 1] > 1 ||
      static_cast<std::uint32_t>(words[kCodes]) == 0 || words[kCodes] >> 32U == 0) {
    return Error{ErrorCode::kCorrupt, "these are not the learned codes of a picture"};
  }
  SiamesePrint print{.width = static_cast<std::uint32_t>(words[kCodes]),
                     .height = static_cast<std::uint32_t>(words[kCodes] >> 32U),
                     .plain = words[kCodes + 1] == 1,
                     .pixels = {words[kCodes + 2], words[kCodes + 3]},
                     .features = {}};
  auto at = words.begin();
  for (ImageCode& code : print.codes) {
    std::copy_n(at, code.size(), code.begin());
    at += static_cast<std::ptrdiff_t>(code.size());
  }
  for (const std::uint64_t word : words.subspan(kHead)) {
    print.features.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(word)));
    print.features.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(word >> 32U)));
  }
  return print;
}

std::optional<std::string> siamese_file(std::string_view features) {
  constexpr std::string_view kPrefix = "siamese:";
  if (!features.starts_with(kPrefix)) return std::nullopt;
  return std::string(features.substr(kPrefix.size()));
}

Result<HashModel> load_siamese(const std::string& file) {
  TWINSIFT_TRY(HashModel model, HashModel::load(file));
  if (model.shape().bits <= kImageCodeBits) return model;
  return Error{ErrorCode::kUnsupported,
               fmt::format("{}: its codes have {} bits; pictures are compared by {} at most", file,
                           model.shape().bits, kImageCodeBits)};
}

SiamesePrint siamese_print_of(const PixelView& picture, const HashModel& model) {
  const HashNetShape& shape = model.shape();
  assert(shape.bits <= kImageCodeBits && picture.channels == shape.colours);
  const auto square = square_of(picture, shape.side);
  SiamesePrint print;
  for (int o = 0; o < kOrientations; ++o) {
    HashDescription description =
        model.describe(o == 0 ? square : turned(square, shape.side, shape.colours, o));
    std::ranges::copy(description.code, print.codes[static_cast<std::size_t>(o)].begin());
    if (o == 0) print.features = std::move(description.features);
  }
  return print;
}

}  // namespace twinsift
