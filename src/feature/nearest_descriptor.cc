// SPDX-License-Identifier: Apache-2.0
#include "feature/nearest_descriptor.h"

#include <array>
#include <cassert>

#include "base/simd.h"

namespace twinsift {

std::uint32_t squared_distance_scalar(const SiftDescriptor& a, const SiftDescriptor& b) {
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::int32_t d = a[i] - b[i];
    sum += d * d;
  }
  return static_cast<std::uint32_t>(sum);
}

NearestDescriptor nearest_descriptor_scalar(const SiftDescriptor& query,
                                            std::span<const SiftDescriptor> list) {
  NearestDescriptor best{0, squared_distance_scalar(query, list[0])};
  for (std::uint32_t i = 1; i < list.size(); ++i) {
    const std::uint32_t distance = squared_distance_scalar(query, list[i]);
    if (distance < best.squared_distance) best = {i, distance};
  }
  return best;
}

#if defined(__x86_64__)
namespace {

// |a - b| of 32 bytes, squared, in eight sums.
TWINSIFT_AVX2 inline __m256i squares(__m256i a, __m256i b) {
  const __m256i zero = _mm256_setzero_si256();
  const __m256i gap = _mm256_or_si256(_mm256_subs_epu8(a, b), _mm256_subs_epu8(b, a));
  const __m256i low = _mm256_unpacklo_epi8(gap, zero);
  const __m256i high = _mm256_unpackhi_epi8(gap, zero);
  return _mm256_add_epi32(_mm256_madd_epi16(low, low), _mm256_madd_epi16(high, high));
}

struct Descriptor256 {
  __m256i a, b, c, d;
};

TWINSIFT_AVX2 inline Descriptor256 load_descriptor(const SiftDescriptor& one) {
  const std::uint8_t* p = one.data();
  return {load256(p), load256(p + 32), load256(p + 64), load256(p + 96)};
}

TWINSIFT_AVX2 inline std::uint32_t distance_to(const Descriptor256& query,
                                               const SiftDescriptor& other) {
  const Descriptor256 o = load_descriptor(other);
  const __m256i sum =
      _mm256_add_epi32(_mm256_add_epi32(squares(query.a, o.a), squares(query.b, o.b)),
                       _mm256_add_epi32(squares(query.c, o.c), squares(query.d, o.d)));
  __m128i half = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
  half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4E));
  half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0xB1));
  return static_cast<std::uint32_t>(_mm_cvtsi128_si32(half));
}

TWINSIFT_AVX2 std::uint32_t squared_distance_avx2(const SiftDescriptor& a,
                                                  const SiftDescriptor& b) {
  return distance_to(load_descriptor(a), b);
}

TWINSIFT_AVX2 NearestDescriptor nearest_descriptor_avx2(const SiftDescriptor& query,
                                                        std::span<const SiftDescriptor> list) {
  const Descriptor256 loaded = load_descriptor(query);
  NearestDescriptor best{0, distance_to(loaded, list[0])};
  for (std::uint32_t i = 1; i < list.size(); ++i) {
    const std::uint32_t distance = distance_to(loaded, list[i]);
    if (distance < best.squared_distance) best = {i, distance};
  }
  return best;
}

}  // namespace
#endif

std::uint32_t squared_distance(const SiftDescriptor& a, const SiftDescriptor& b) {
  TWINSIFT_DISPATCH(squared_distance, a, b);
}

NearestDescriptor nearest_descriptor(const SiftDescriptor& query,
                                     std::span<const SiftDescriptor> list) {
  assert(!list.empty());
  TWINSIFT_DISPATCH(nearest_descriptor, query, list);
}

}  // namespace twinsift
