// SPDX-License-Identifier: Apache-2.0
// The keys by which moments of sound are found again, and a sorted table of them.
//
// A key is made of bits of two moments (feature/sound_code.h) three apart, from the low ones of the
// first on.  At a shift in pitch it is made of bits that many places higher.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "feature/sound_code.h"

namespace twinsift {

inline constexpr unsigned kMostKeyBits = 30;
inline constexpr unsigned kMostTables = 3;

struct SoundKeys {
  unsigned bits = 22;       // of a key; 1 to kMostKeyBits
  unsigned tables = 2;      // keys of each moment, of different bits; 1 to kMostTables
  unsigned longest = 1024;  // lists that are read
};

inline constexpr std::size_t kKeyApart = 3;  // moments of a key

// First bits of the keys of each table; no shift leads out of the code.
inline constexpr std::array<unsigned, kMostTables> kFirstKeyBit = {kMostShift, kMostShift + 3,
                                                                   kMostShift + 5};

// The key of table `table` at `shift` of the moments a and b, kKeyApart apart.  Low bits of both in
// turn would cost more and find the same.
inline std::uint32_t sound_key(const SoundCode& a, const SoundCode& b, const SoundKeys& keys,
                               unsigned table, int shift) {
  constexpr unsigned kBitsOfMoment = 15;
  const auto first = static_cast<unsigned>(static_cast<int>(kFirstKeyBit[table]) + shift);
  const unsigned low = std::min(keys.bits - keys.bits / 2, kBitsOfMoment);
  const unsigned high = keys.bits - low;
  const std::uint32_t of_a = spread_bits(a, first) & ((1U << low) - 1);
  const std::uint32_t of_b = spread_bits(b, first) & ((1U << high) - 1);
  return of_a | of_b << low;
}

// visit(j, key) for each moment j whose key says something.
template <class Visit>
void each_sound_key(std::span<const SoundCode> codes, const SoundKeys& keys, unsigned table,
                    int shift, const Visit& visit) {
  for (std::size_t j = 0; j + kKeyApart < codes.size(); ++j) {
    if (!is_heard(codes[j]) || !is_heard(codes[j + kKeyApart])) continue;
    visit(j, sound_key(codes[j], codes[j + kKeyApart], keys, table, shift));
  }
}

// From keys to numbers.  Add all, in the order in which lists shall be read, then seal; then
// threads may ask.
class SoundKeyTable {
 public:
  void add(std::uint32_t key, std::uint32_t number) {
    entries_.push_back(std::uint64_t{key} << 32U | number);
  }
  void seal(unsigned bits);
  // Of the entries of a key, each with its number in the low 32 bits.
  [[nodiscard]] std::span<const std::uint64_t> list_of(std::uint32_t key) const;

 private:
  unsigned below_start_ = 0;            // bits of a key that are not in starts_
  std::vector<std::uint64_t> entries_;  // key << 32 | number, sorted by key
  std::vector<std::uint32_t> starts_;   // of the highest bits of keys
};

}  // namespace twinsift
