// SPDX-License-Identifier: Apache-2.0
#include "feature/squeeze.h"

#include "base/simd.h"

namespace twinsift {
namespace {

// In runs of a fixed length, which compilers turn into SIMD, and in products of 16 bits, which
// every processor has.
[[gnu::always_inline]] inline void add_runs(std::span<const std::uint8_t> pixels,
                                            std::uint32_t part, std::span<std::uint32_t> sums) {
  constexpr std::size_t kRun = 32;
  const auto times = static_cast<std::uint16_t>(part);
  std::size_t x = 0;
  for (; x + kRun <= pixels.size(); x += kRun) {
    const std::uint8_t* const __restrict from = pixels.data() + x;
    std::uint32_t* const __restrict to = sums.data() + x;
    for (std::size_t i = 0; i < kRun; ++i) {
      to[i] += static_cast<std::uint16_t>(std::uint16_t{from[i]} * times);
    }
  }
  for (; x < pixels.size(); ++x) sums[x] += pixels[x] * part;
}

void add_row_scalar(std::span<const std::uint8_t> pixels, std::uint32_t part,
                    std::span<std::uint32_t> sums) {
  add_runs(pixels, part, sums);
}
#if defined(__x86_64__)
TWINSIFT_AVX2 void add_row_avx2(std::span<const std::uint8_t> pixels, std::uint32_t part,
                                std::span<std::uint32_t> sums) {
  add_runs(pixels, part, sums);
}
#endif

}  // namespace

void add_row(std::span<const std::uint8_t> pixels, std::uint32_t part,
             std::span<std::uint32_t> sums) {
  TWINSIFT_DISPATCH(add_row, pixels, part, sums);
}

}  // namespace twinsift
