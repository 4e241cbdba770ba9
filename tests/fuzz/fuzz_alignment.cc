// SPDX-License-Identifier: Apache-2.0
// Whatever two thumbnails show and whatever sizes they claim, laying one over the other ends with
// a score from 0 to 1 and a placement of finite numbers.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "verify/alignment.h"

namespace {

using namespace twinsift;

// The bytes over and over.
Thumbnail thumbnail_from(const std::uint8_t* data, std::size_t size) {
  Thumbnail thumbnail{};
  for (std::size_t i = 0; i < thumbnail.size(); ++i) thumbnail[i] = data[i % size];
  return thumbnail;
}

bool in_unit(double value) { return value >= 0 && value <= 1; }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kHead = 16;
  if (size < kHead + 2) return 0;
  std::uint32_t sides[4] = {};
  std::memcpy(sides, data, kHead);
  for (std::uint32_t& side : sides) side = std::max(side, 1U);
  data += kHead;
  size -= kHead;
  const std::size_t half = size / 2;
  const Thumbnail a = thumbnail_from(data, half);
  const Thumbnail b = thumbnail_from(data + half, size - half);
  const SizedThumbnail sized_a{a, sides[0], sides[1]};
  const SizedThumbnail sized_b{b, sides[2], sides[3]};
  constexpr int kSome[] = {0, 3, 6};
  const Alignment alignment = align(sized_a, sized_b, kSome);
  if (!in_unit(alignment.score) || !in_unit(alignment.overlap_a) || !in_unit(alignment.overlap_b)) {
    std::abort();
  }
  if (!(std::abs(alignment.correlation) <= 1 + 1e-6)) std::abort();
  const Placement placement = placement_of(alignment, sized_a, sized_b);
  for (const double value : placement.a_to_b) {
    if (!std::isfinite(value)) std::abort();
  }
  if (!std::isfinite(placement.scale) || !std::isfinite(placement.turned)) std::abort();
  if (!in_unit(placement.covered_a) || !in_unit(placement.covered_b)) std::abort();
  if (align(sized_a, sized_a).score > 1) std::abort();
  return 0;
}
