// SPDX-License-Identifier: Apache-2.0
// Bytes as digits, two for each: in addresses of HTTP, and wherever people see a key.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace twinsift::net {

template <std::size_t N>
std::string to_digits(const std::array<std::uint8_t, N>& bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string digits;
  digits.reserve(2 * N);
  for (const std::uint8_t byte : bytes) {
    digits.push_back(kDigits[byte >> 4U]);
    digits.push_back(kDigits[byte & 15U]);
  }
  return digits;
}

// Only what to_digits() makes: 2 N digits, and no capitals.
template <std::size_t N>
std::optional<std::array<std::uint8_t, N>> from_digits(std::string_view digits) {
  if (digits.size() != 2 * N) return std::nullopt;
  const auto value = [](char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
  };
  std::array<std::uint8_t, N> bytes{};
  for (std::size_t i = 0; i < N; ++i) {
    const int high = value(digits[2 * i]);
    const int low = value(digits[2 * i + 1]);
    if (std::max(high, low) > 15) return std::nullopt;
    bytes[i] = static_cast<std::uint8_t>(16 * high + low);
  }
  return bytes;
}

}  // namespace twinsift::net
