// SPDX-License-Identifier: Apache-2.0
// Whole sets through the permutations of base/hash.h: what sketching spends its time on.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace twinsift {

// out[i] = premix64(ids[i]).
void premix_many(std::span<const std::uint64_t> ids, std::uint64_t* out);
void premix_many_scalar(std::span<const std::uint64_t> ids, std::uint64_t* out);

// Where a sketch has empty bins: bit i tells of the 2^shift bins from i << shift on.  256 bits are
// one register, and coarse is enough, because an element in a bin that is not empty does no harm.
struct EmptyCells {
  std::array<std::uint32_t, 8> bits{};
  unsigned shift = 0;
  static constexpr unsigned shift_for(std::size_t bins) {
    return static_cast<unsigned>(
        std::max<std::size_t>(static_cast<std::size_t>(std::bit_width(bins - 1)), 8) - 8);
  }
};
EmptyCells find_empty(std::span<const std::uint64_t> bins);
EmptyCells find_empty_scalar(std::span<const std::uint64_t> bins);

// One row of Fast Similarity Sketching: with h = permute_premixed(x, key), x falls into bin
// (h >> 32) * k >> 32 of k with the value (row << 32) + (h mod 2^32), and the bin keeps its
// smallest.  Later rows cannot better a value, so `where`, if given, tells which of the bins can
// change.  Returns how many bins got their first value.  Requires: row < 2^31, k <= 65536.
inline constexpr std::uint64_t kEmptyBin = UINT64_MAX;
std::size_t throw_row(std::span<const std::uint64_t> premixed, std::uint64_t key, std::uint64_t row,
                      std::span<std::uint64_t> bins, const EmptyCells* where);
std::size_t throw_row_scalar(std::span<const std::uint64_t> premixed, std::uint64_t key,
                             std::uint64_t row, std::span<std::uint64_t> bins,
                             const EmptyCells* where);

// One Permutation Hashing: h = permute64(x, key) falls into bin floor(h k / 2^64) of k with the
// rest of that product as its value, and the bin keeps its smallest.  Values stay below kEmptyBin.
// Requires: bins.size() <= 65536.
void throw_once(std::span<const std::uint64_t> ids, std::uint64_t key,
                std::span<std::uint64_t> bins);
void throw_once_scalar(std::span<const std::uint64_t> ids, std::uint64_t key,
                       std::span<std::uint64_t> bins);
// The same for numbers that are permuted already.
void throw_permuted(std::span<const std::uint64_t> permuted, std::span<std::uint64_t> bins);

// The smallest permute_premixed(x, key).  Requires: !premixed.empty().
std::uint64_t min_permuted(std::span<const std::uint64_t> premixed, std::uint64_t key);
std::uint64_t min_permuted_scalar(std::span<const std::uint64_t> premixed, std::uint64_t key);

}  // namespace twinsift
