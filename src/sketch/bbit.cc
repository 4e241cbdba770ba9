// SPDX-License-Identifier: Apache-2.0
#include "sketch/bbit.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

#include "sketch/set_sketch.h"

namespace twinsift {
namespace {

[[maybe_unused]] bool is_width(unsigned b) { return b <= 16 && std::has_single_bit(b); }

double chance(unsigned b) { return std::ldexp(1.0, -static_cast<int>(b)); }

// The lowest bit of each code.
constexpr std::uint64_t lowest_bits(unsigned b) { return ~std::uint64_t{0} / ((1ULL << b) - 1); }

}  // namespace

PackedCodes pack_codes(std::span<const std::uint64_t> sketch, unsigned b) {
  assert(is_width(b));
  const std::size_t per_word = 64 / b;
  PackedCodes packed((sketch.size() + per_word - 1) / per_word);
  for (std::size_t i = 0; i < sketch.size(); ++i) {
    const std::uint64_t code = code_bits_of(sketch[i], i) >> (32 - b);
    packed[i / per_word] |= code << (i % per_word * b);
  }
  return packed;
}

std::vector<std::uint16_t> unpack_codes(std::span<const std::uint64_t> packed, std::size_t k,
                                        unsigned b) {
  assert(is_width(b) && packed.size() * (64 / b) >= k);
  const std::size_t per_word = 64 / b;
  const std::uint64_t mask = (1ULL << b) - 1;
  std::vector<std::uint16_t> codes(k);
  for (std::size_t i = 0; i < k; ++i) {
    codes[i] = static_cast<std::uint16_t>(packed[i / per_word] >> (i % per_word * b) & mask);
  }
  return codes;
}

std::size_t count_equal_codes(std::span<const std::uint64_t> x, std::span<const std::uint64_t> y,
                              std::size_t k, unsigned b) {
  assert(is_width(b) && x.size() == y.size() && x.size() * (64 / b) >= k);
  std::size_t different = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    // All bits of a code are gathered in its lowest; unused codes are zero in both.
    std::uint64_t bits = x[i] ^ y[i];
    for (unsigned shift = 1; shift < b; shift *= 2) bits |= bits >> shift;
    different += static_cast<std::size_t>(std::popcount(bits & lowest_bits(b)));
  }
  return k - different;
}

Estimate estimate_from_codes(std::size_t equal, std::size_t k, unsigned b) {
  assert(is_width(b) && k > 0 && equal <= k);
  const double c = chance(b);
  const double p = static_cast<double>(equal) / static_cast<double>(k);
  return {.value = (p - c) / (1 - c),
          .std_error = std::sqrt(p * (1 - p) / static_cast<double>(k)) / (1 - c)};
}

double code_inflation(double j, unsigned b) {
  assert(is_width(b) && j > 0 && j < 1);
  const double c = chance(b);
  return (c + (1 - c) * j) / (j * (1 - c));
}

}  // namespace twinsift
