// SPDX-License-Identifier: Apache-2.0
// Counting equal bytes and finding set bits: the loops of comparing sketches and of reading text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace twinsift {

// The places of all set bits, ascending: first + i for bit i.  Returns how many; `out` has room
// for eight more.
std::size_t bit_positions(std::span<const std::uint64_t> masks, std::uint32_t first,
                          std::uint32_t* out);
std::size_t bit_positions_scalar(std::span<const std::uint64_t> masks, std::uint32_t first,
                                 std::uint32_t* out);

// How many of n bytes are equal.
std::uint32_t count_equal(const std::uint8_t* a, const std::uint8_t* b, std::size_t n);
std::uint32_t count_equal_scalar(const std::uint8_t* a, const std::uint8_t* b, std::size_t n);

// One row of 64 bytes against many: counts[i] = equal bytes of `row` and rows + 64 * ids[i].
void count_equal_rows(const std::uint8_t* row, const std::uint8_t* rows,
                      std::span<const std::uint32_t> ids, std::uint8_t* counts);
void count_equal_rows_scalar(const std::uint8_t* row, const std::uint8_t* rows,
                             std::span<const std::uint32_t> ids, std::uint8_t* counts);

// All pairs of a tile: for each of 64-byte `queries` and `rows`, hits gets (query, row) wherever
// more than `reject` bytes are equal; returns how many.  `hits` has room for all pairs and one
// more.
struct RowPair {
  std::uint32_t query;
  std::uint32_t row;
  friend bool operator==(const RowPair&, const RowPair&) = default;
};
std::size_t match_tile(std::span<const std::uint8_t> queries, std::span<const std::uint8_t> rows,
                       std::int32_t reject, RowPair* hits);
std::size_t match_tile_scalar(std::span<const std::uint8_t> queries,
                              std::span<const std::uint8_t> rows, std::int32_t reject,
                              RowPair* hits);

}  // namespace twinsift
