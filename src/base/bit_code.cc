// SPDX-License-Identifier: Apache-2.0
#include "base/bit_code.h"

#include <algorithm>
#include <bit>

#include "base/simd.h"

namespace twinsift {

std::uint32_t hamming_distance_scalar(std::span<const std::uint64_t> a,
                                      std::span<const std::uint64_t> b) {
  int different = 0;
  for (std::size_t i = 0; i < a.size(); ++i) different += std::popcount(a[i] ^ b[i]);
  return static_cast<std::uint32_t>(different);
}

std::size_t near_rows_scalar(std::span<const std::uint64_t> code, const std::uint64_t* rows,
                             std::span<const std::uint32_t> ids, std::uint32_t radius,
                             NearRow* out) {
  std::size_t found = 0;
  for (const std::uint32_t id : ids) {
    const auto distance =
        hamming_distance_scalar(code, {rows + std::size_t{id} * code.size(), code.size()});
    if (distance <= radius) out[found++] = {id, distance};
  }
  return found;
}

std::size_t near_range_scalar(std::span<const std::uint64_t> code, const std::uint64_t* rows,
                              std::uint32_t first, std::uint32_t count, std::uint32_t radius,
                              NearRow* out) {
  std::size_t found = 0;
  for (std::uint32_t id = first; id < first + count; ++id) {
    found += near_rows_scalar(code, rows, {&id, 1}, radius, out + found);
  }
  return found;
}

std::uint64_t select_bits_scalar(std::span<const std::uint64_t> code,
                                 std::span<const std::uint64_t> masks) {
  std::uint64_t bits = 0;
  unsigned place = 0;
  for (std::size_t i = 0; i < code.size(); ++i) {
    for (std::uint64_t mask = masks[i]; mask != 0; mask &= mask - 1) {
      bits |= (code[i] >> static_cast<unsigned>(std::countr_zero(mask)) & 1U) << place++;
    }
  }
  return bits;
}

#if defined(__x86_64__)
namespace {

// The population count of the processor, three of them a cycle, is as fast here as the table
// look-up by AVX2: a code of 256 bits has only four words, whose sums AVX2 would have to gather.
template <std::size_t kWords>
TWINSIFT_AVX2 inline std::uint32_t distance_words(const std::uint64_t* a, const std::uint64_t* b) {
  int different = 0;
  for (std::size_t i = 0; i < kWords; ++i) different += std::popcount(a[i] ^ b[i]);
  return static_cast<std::uint32_t>(different);
}

template <std::size_t kWords>
TWINSIFT_AVX2 std::size_t near_rows_words(const std::uint64_t* code, const std::uint64_t* rows,
                                          std::span<const std::uint32_t> ids, std::uint32_t radius,
                                          NearRow* out) {
  constexpr std::size_t kAhead = 16;  // rows lie anywhere in memory: ask for them early
  std::size_t found = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::size_t ahead = std::min(i + kAhead, ids.size() - 1);
    _mm_prefetch(rows + kWords * ids[ahead], _MM_HINT_T0);
    const std::uint32_t distance = distance_words<kWords>(code, rows + kWords * ids[i]);
    out[found] = {ids[i], distance};  // written always, kept only on a hit
    found += distance <= radius ? 1U : 0U;
  }
  return found;
}

template <std::size_t kWords>
TWINSIFT_AVX2 std::size_t near_range_words(const std::uint64_t* code, const std::uint64_t* rows,
                                           std::uint32_t first, std::uint32_t count,
                                           std::uint32_t radius, NearRow* out) {
  std::size_t found = 0;
  const std::uint64_t* row = rows + kWords * first;
  for (std::uint32_t i = 0; i < count; ++i, row += kWords) {
    const std::uint32_t distance = distance_words<kWords>(code, row);
    if (distance <= radius) out[found++] = {first + i, distance};
  }
  return found;
}

TWINSIFT_AVX2 std::uint32_t hamming_distance_avx2(std::span<const std::uint64_t> a,
                                                  std::span<const std::uint64_t> b) {
  int different = 0;
  for (std::size_t i = 0; i < a.size(); ++i) different += std::popcount(a[i] ^ b[i]);
  return static_cast<std::uint32_t>(different);
}

std::size_t near_rows_avx2(std::span<const std::uint64_t> code, const std::uint64_t* rows,
                           std::span<const std::uint32_t> ids, std::uint32_t radius, NearRow* out) {
  switch (code.size()) {
    case 1:
      return near_rows_words<1>(code.data(), rows, ids, radius, out);
    case 2:
      return near_rows_words<2>(code.data(), rows, ids, radius, out);
    case 4:
      return near_rows_words<4>(code.data(), rows, ids, radius, out);
    case 8:
      return near_rows_words<8>(code.data(), rows, ids, radius, out);
    default:
      return near_rows_scalar(code, rows, ids, radius, out);
  }
}

std::size_t near_range_avx2(std::span<const std::uint64_t> code, const std::uint64_t* rows,
                            std::uint32_t first, std::uint32_t count, std::uint32_t radius,
                            NearRow* out) {
  switch (code.size()) {
    case 1:
      return near_range_words<1>(code.data(), rows, first, count, radius, out);
    case 2:
      return near_range_words<2>(code.data(), rows, first, count, radius, out);
    case 4:
      return near_range_words<4>(code.data(), rows, first, count, radius, out);
    case 8:
      return near_range_words<8>(code.data(), rows, first, count, radius, out);
    default:
      return near_range_scalar(code, rows, first, count, radius, out);
  }
}

TWINSIFT_AVX2 std::uint64_t select_bits_avx2(std::span<const std::uint64_t> code,
                                             std::span<const std::uint64_t> masks) {
  std::uint64_t bits = 0;
  unsigned place = 0;
  for (std::size_t i = 0; i < code.size(); ++i) {
    if (masks[i] == 0) continue;  // also: a shift by 64, after the last bit, would be undefined
    bits |= _pext_u64(code[i], masks[i]) << place;
    place += static_cast<unsigned>(std::popcount(masks[i]));
  }
  return bits;
}

}  // namespace
#endif

std::uint32_t hamming_distance(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  TWINSIFT_DISPATCH(hamming_distance, a, b);
}
std::size_t near_rows(std::span<const std::uint64_t> code, const std::uint64_t* rows,
                      std::span<const std::uint32_t> ids, std::uint32_t radius, NearRow* out) {
  TWINSIFT_DISPATCH(near_rows, code, rows, ids, radius, out);
}
std::size_t near_range(std::span<const std::uint64_t> code, const std::uint64_t* rows,
                       std::uint32_t first, std::uint32_t count, std::uint32_t radius,
                       NearRow* out) {
  TWINSIFT_DISPATCH(near_range, code, rows, first, count, radius, out);
}
std::uint64_t select_bits(std::span<const std::uint64_t> code,
                          std::span<const std::uint64_t> masks) {
  TWINSIFT_DISPATCH(select_bits, code, masks);
}

}  // namespace twinsift
