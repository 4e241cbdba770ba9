// SPDX-License-Identifier: Apache-2.0
// How the loops that are worth SIMD are built: each is a plain function that picks the best version
// for this processor once, and each has its scalar reference beside it, which the tests hold it
// to.  Include in the .cc files of such loops only.
#pragma once

#include <array>
#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#define TWINSIFT_AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt,lzcnt")))
#define TWINSIFT_DISPATCH(name, ...) \
  return simd_level() == SimdLevel::kAvx2 ? name##_avx2(__VA_ARGS__) : name##_scalar(__VA_ARGS__)
#else
#define TWINSIFT_DISPATCH(name, ...) return name##_scalar(__VA_ARGS__)
#endif

namespace twinsift {

enum class SimdLevel : std::uint8_t { kScalar, kAvx2 };

// What this processor offers; decided once.  TWINSIFT_SIMD=scalar in the environment switches
// SIMD off, to compare.
SimdLevel simd_level();

#if defined(__x86_64__)

TWINSIFT_AVX2 inline __m256i load256(const void* p) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(p));
}
TWINSIFT_AVX2 inline void store256(void* p, __m256i x) {
  _mm256_storeu_si256(static_cast<__m256i*>(p), x);
}

// Bit i: the top bit of byte i.
TWINSIFT_AVX2 inline std::uint64_t byte_mask(__m256i low, __m256i high) {
  const auto a = static_cast<std::uint32_t>(_mm256_movemask_epi8(low));
  const auto b = static_cast<std::uint32_t>(_mm256_movemask_epi8(high));
  return a | (std::uint64_t{b} << 32U);
}

// The places of the set bits of a byte, in the first lanes.
struct ByteBits {
  std::array<std::array<std::uint8_t, 8>, 256> places{};
};
inline constexpr ByteBits kByteBits = [] {
  ByteBits table;
  for (unsigned byte = 0; byte < 256; ++byte) {
    unsigned count = 0;
    for (unsigned bit = 0; bit < 8; ++bit) {
      if ((byte >> bit & 1U) != 0) table.places[byte][count++] = static_cast<std::uint8_t>(bit);
    }
  }
  return table;
}();
TWINSIFT_AVX2 inline __m256i bits_of_byte(std::uint64_t byte) {
  const void* row = kByteBits.places[byte].data();
  return _mm256_cvtepu8_epi32(_mm_loadl_epi64(static_cast<const __m128i*>(row)));
}

// The low 64 bits of a * c in each lane; AVX2 multiplies 32 x 32 only.
TWINSIFT_AVX2 inline __m256i multiply64(__m256i a, std::uint64_t c) {
  const __m256i c_low = _mm256_set1_epi64x(static_cast<long long>(c & 0xFFFFFFFFU));
  const __m256i c_high = _mm256_set1_epi64x(static_cast<long long>(c >> 32U));
  const __m256i low = _mm256_mul_epu32(a, c_low);
  const __m256i cross = _mm256_add_epi64(_mm256_mul_epu32(_mm256_srli_epi64(a, 32), c_low),
                                         _mm256_mul_epu32(a, c_high));
  return _mm256_add_epi64(low, _mm256_slli_epi64(cross, 32));
}

// mix64 of base/hash.h in each lane.
TWINSIFT_AVX2 inline __m256i mix64_lanes(__m256i z) {
  z = multiply64(_mm256_xor_si256(z, _mm256_srli_epi64(z, 30)), 0xBF58476D1CE4E5B9U);
  z = multiply64(_mm256_xor_si256(z, _mm256_srli_epi64(z, 27)), 0x94D049BB133111EBU);
  return _mm256_xor_si256(z, _mm256_srli_epi64(z, 31));
}

#endif

}  // namespace twinsift
