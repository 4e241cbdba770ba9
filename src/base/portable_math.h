// SPDX-License-Identifier: Apache-2.0
// Logarithms that are the same number on every machine.
//
// IEEE 754 makes +, -, *, / and sqrt exact to the last bit, but leaves log to the C library: two
// machines may differ in the last place, and a sketch that compares logarithms would then differ
// too.  These use the exact operations only, in a fixed order:
//     x = 2^e (1+f),  1+f in [sqrt(1/2), sqrt(2)),   s = f / (2+f),   |s| < 0.1716,
//     ln(1+f) = 2 atanh(s) = f - f^2/2 + s (f^2/2 + R),   R = sum_{n>=1} 2 s^2n / (2n+1).
// Eleven terms of R leave a remainder below 2^-59 of the result.  The error is below 1 ulp where
// it was measured, and below 2 ulp by count of the roundings.
// Requires: compiled without fused multiply-add (-ffp-contract=off), as all of twinsift is.
#pragma once

#include <bit>
#include <cstdint>

namespace twinsift {

// What has to be added to f for ln(1+f).  Requires: sqrt(1/2) - 1 <= f <= sqrt(2) - 1.
constexpr double log1p_correction(double f) {
  const double s = f / (2 + f);
  const double z = s * s;
  const double y = z * z;
  // Odd and even terms apart, so that the two chains run at the same time.
  const double odd =
      2.0 / 3 + y * (2.0 / 7 + y * (2.0 / 11 + y * (2.0 / 15 + y * (2.0 / 19 + y * (2.0 / 23)))));
  const double even = 2.0 / 5 + y * (2.0 / 9 + y * (2.0 / 13 + y * (2.0 / 17 + y * (2.0 / 21))));
  const double half_square = 0.5 * f * f;
  return s * (half_square + z * (odd + z * even)) - half_square;
}

// Natural logarithm.  Requires: 0 < x < infinity.
constexpr double portable_log(double x) {
  constexpr double kLn2High = 0x1.62e42fefp-1;  // 33 bits: its product with an exponent is exact
  constexpr double kLn2Low = 0x1.473de6af278edp-34;
  constexpr std::uint64_t kSqrtHalf = 0x3FE6A09E667F3BCDU;  // the bits of sqrt(1/2)
  int subnormal = 0;
  if (x < 0x1p-1022) {
    x *= 0x1p54;
    subnormal = -54;
  }
  const std::uint64_t offset = std::bit_cast<std::uint64_t>(x) - kSqrtHalf;
  const auto exponent = static_cast<int>(static_cast<std::int64_t>(offset) >> 52U);
  const double mantissa = std::bit_cast<double>((offset & 0xFFFFFFFFFFFFFU) + kSqrtHalf);
  const double e = exponent + subnormal;
  const double f = mantissa - 1;
  return e * kLn2High + (f + (log1p_correction(f) + e * kLn2Low));
}

// ln(1-x), accurate also where x is so small that 1-x is 1.  Requires: 0 <= x < 1.
constexpr double portable_log_complement(double x) {
  if (x < 0.29) return log1p_correction(-x) - x;
  const double y = 1 - x;
  return portable_log(y) + ((1 - y) - x) / y;  // with what 1 - x lost by rounding
}

}  // namespace twinsift
