// SPDX-License-Identifier: Apache-2.0
// Bit codes of whole 64-bit words: their Hamming distance, and those of their bits that a mask
// selects.  The loops of searching among codes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace twinsift {

std::uint32_t hamming_distance(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b);
std::uint32_t hamming_distance_scalar(std::span<const std::uint64_t> a,
                                      std::span<const std::uint64_t> b);

struct NearRow {
  std::uint32_t row;
  std::uint32_t distance;
  friend bool operator==(const NearRow&, const NearRow&) = default;
};

// One code against many, which lie one after another: those of the rows `ids` that are within
// `radius`, in this order.  Returns how many; `out` has room for all of them.
std::size_t near_rows(std::span<const std::uint64_t> code, const std::uint64_t* rows,
                      std::span<const std::uint32_t> ids, std::uint32_t radius, NearRow* out);
std::size_t near_rows_scalar(std::span<const std::uint64_t> code, const std::uint64_t* rows,
                             std::span<const std::uint32_t> ids, std::uint32_t radius,
                             NearRow* out);

// The same for the rows first .. first + count - 1.
std::size_t near_range(std::span<const std::uint64_t> code, const std::uint64_t* rows,
                       std::uint32_t first, std::uint32_t count, std::uint32_t radius,
                       NearRow* out);
std::size_t near_range_scalar(std::span<const std::uint64_t> code, const std::uint64_t* rows,
                              std::uint32_t first, std::uint32_t count, std::uint32_t radius,
                              NearRow* out);

// The bits of `code` at the set bits of `masks`, in order, from the lowest bit of the result on.
// Requires: at most 64 set bits; as many masks as words.
std::uint64_t select_bits(std::span<const std::uint64_t> code,
                          std::span<const std::uint64_t> masks);
std::uint64_t select_bits_scalar(std::span<const std::uint64_t> code,
                                 std::span<const std::uint64_t> masks);

}  // namespace twinsift
