// SPDX-License-Identifier: Apache-2.0
#include "base/crc32c.h"

#include <array>
#include <cstring>

#include "base/simd.h"

namespace twinsift {
namespace {

constexpr std::uint32_t kPolynomial = 0x82F63B78U;  // reflected

// steps[i][b]: what byte b does to the CRC if i more bytes follow it.
using Tables = std::array<std::array<std::uint32_t, 256>, 8>;
constexpr Tables kSteps = [] {
  Tables steps{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? kPolynomial : 0U);
    steps[0][byte] = crc;
  }
  for (std::size_t i = 1; i < steps.size(); ++i) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t shorter = steps[i - 1][byte];
      steps[i][byte] = (shorter >> 8U) ^ steps[0][shorter & 0xFFU];
    }
  }
  return steps;
}();

}  // namespace

// Eight bytes at a time; the bytes are taken one by one, so that byte order does not matter.
std::uint32_t crc32c_scalar(std::span<const std::byte> bytes, std::uint32_t before) {
  std::uint32_t crc = ~before;
  const std::byte* p = bytes.data();
  std::size_t n = bytes.size();
  const auto at = [&p](std::size_t i) { return std::to_integer<std::uint32_t>(p[i]); };
  for (; n >= 8; n -= 8, p += 8) {
    crc ^= at(0) | (at(1) << 8U) | (at(2) << 16U) | (at(3) << 24U);
    crc = kSteps[7][crc & 0xFFU] ^ kSteps[6][(crc >> 8U) & 0xFFU] ^
          kSteps[5][(crc >> 16U) & 0xFFU] ^ kSteps[4][crc >> 24U] ^ kSteps[3][at(4)] ^
          kSteps[2][at(5)] ^ kSteps[1][at(6)] ^ kSteps[0][at(7)];
  }
  for (; n > 0; --n, ++p) crc = (crc >> 8U) ^ kSteps[0][(crc ^ at(0)) & 0xFFU];
  return ~crc;
}

#if defined(__x86_64__)
namespace {

// The instruction came with SSE4.2, which every processor with AVX2 has.
__attribute__((target("sse4.2"))) std::uint32_t crc32c_avx2(std::span<const std::byte> bytes,
                                                            std::uint32_t before) {
  std::uint64_t crc = ~before;
  const std::byte* p = bytes.data();
  std::size_t n = bytes.size();
  for (; n >= 8; n -= 8, p += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, p, 8);
    crc = _mm_crc32_u64(crc, word);
  }
  auto last = static_cast<std::uint32_t>(crc);
  for (; n > 0; --n, ++p) last = _mm_crc32_u8(last, std::to_integer<std::uint8_t>(*p));
  return ~last;
}

}  // namespace
#endif

std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t before) {
  TWINSIFT_DISPATCH(crc32c, bytes, before);
}

}  // namespace twinsift
