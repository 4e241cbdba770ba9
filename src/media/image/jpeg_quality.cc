// SPDX-License-Identifier: Apache-2.0
#include "media/image/jpeg_quality.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <limits>

namespace twinsift {
namespace {

using Table = std::array<int, DCTSIZE2>;

constexpr Table kBrightness = {
    16, 11, 10, 16, 24,  40,  51,  61,  12, 12, 14, 19, 26,  58,  60,  55,   //
    14, 13, 16, 24, 40,  57,  69,  56,  14, 17, 22, 29, 51,  87,  80,  62,   //
    18, 22, 37, 56, 68,  109, 103, 77,  24, 35, 55, 64, 81,  104, 113, 92,   //
    49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99};  //
constexpr Table kColour = {17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99,
                           24, 26, 56, 99, 99, 99, 99, 99, 47, 66, 99, 99, 99, 99, 99, 99,
                           99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
                           99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99};

std::int64_t distance(const JQUANT_TBL& table, const Table& standard, int quality) {
  const int percent = quality < 50 ? 5000 / quality : 200 - 2 * quality;
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < standard.size(); ++i) {
    const int expected = std::clamp((standard[i] * percent + 50) / 100, 1, 255);
    sum += std::abs(static_cast<int>(table.quantval[i]) - expected);
  }
  return sum;
}

}  // namespace

int jpeg_quality(const jpeg_decompress_struct& info) {
  const JQUANT_TBL* brightness = info.quant_tbl_ptrs[0];
  const JQUANT_TBL* colour = info.num_components > 1 ? info.quant_tbl_ptrs[1] : nullptr;
  if (brightness == nullptr) return 0;
  int best = 0;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (int quality = 1; quality <= 100; ++quality) {
    std::int64_t sum = distance(*brightness, kBrightness, quality);
    if (colour != nullptr) sum += distance(*colour, kColour, quality);
    if (sum > least) continue;
    least = sum;
    best = quality;
  }
  return best;
}

}  // namespace twinsift
