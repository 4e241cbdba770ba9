// SPDX-License-Identifier: Apache-2.0
// exp, sine, cosine and the angle of a vector that are the same numbers on every machine.
//
// As portable_math.h: the exact operations of IEEE 754 only, in a fixed order.  They are short
// series, good for what is measured in pictures: errors below 1e-12 (exp, relative; sine, cosine)
// and 1e-6 (angle).
// Requires: compiled without fused multiply-add (-ffp-contract=off), as all of twinsift is.
#pragma once

#include <bit>
#include <cstdint>
#include <numbers>

namespace twinsift {

struct SineCosine {
  double sine = 0;
  double cosine = 0;
};

// Requires: |x| < 700.
constexpr double portable_exp(double x) {
  constexpr double kLn2High = 0x1.62e42fefp-1;  // 33 bits: its product with an exponent is exact
  constexpr double kLn2Low = 0x1.473de6af278edp-34;
  const double e = x / std::numbers::ln2;
  const auto exponent = static_cast<std::int64_t>(e < 0 ? e - 0.5 : e + 0.5);
  const double k = static_cast<double>(exponent);
  const double r = (x - k * kLn2High) - k * kLn2Low;  // at most ln(2) / 2
  double sum = 1;
  for (int n = 13; n >= 1; --n) sum = 1 + r / n * sum;
  const auto bits = static_cast<std::uint64_t>(exponent + 1023) << 52U;
  return sum * std::bit_cast<double>(bits);
}

// Requires: |angle| < 1e6.
constexpr SineCosine portable_sine_cosine(double angle) {
  const double turns = angle / (std::numbers::pi / 2);
  const auto quarter = static_cast<std::int64_t>(turns < 0 ? turns - 0.5 : turns + 0.5);
  const double r = angle - static_cast<double>(quarter) * (std::numbers::pi / 2);
  const double z = r * r;
  double sine = 1;
  double cosine = 1;
  for (int n = 15; n >= 3; n -= 2) {
    sine = 1 - z / (n * (n - 1)) * sine;
    cosine = 1 - z / ((n - 1) * (n - 2)) * cosine;
  }
  sine *= r;
  switch (quarter & 3) {
    case 0:
      return {sine, cosine};
    case 1:
      return {cosine, -sine};
    case 2:
      return {-sine, -cosine};
    default:
      return {-cosine, sine};
  }
}

// The angle of the vector (x, y), from +x towards +y, in [0, 1) turns; 0 for (0, 0).
constexpr float portable_turns(float y, float x) {
  const float ax = x < 0 ? -x : x;
  const float ay = y < 0 ? -y : y;
  const float larger = ax > ay ? ax : ay;
  if (!(larger > 0)) return 0;
  const float t = (ax > ay ? ay : ax) / larger;
  const float z = t * t;
  // atan(t) / 2 pi for t in [0, 1], fitted for the least largest error.
  constexpr float kC1 = 0.1591543242F;
  constexpr float kC3 = -0.05302623706F;
  constexpr float kC5 = 0.0315251084F;
  constexpr float kC7 = -0.02106148576F;
  constexpr float kC9 = 0.01267244605F;
  constexpr float kC11 = -0.005348233055F;
  constexpr float kC13 = 0.001084116598F;
  float turns = t * (kC1 + z * (kC3 + z * (kC5 + z * (kC7 + z * (kC9 + z * (kC11 + z * kC13))))));
  if (ay > ax) turns = 0.25F - turns;
  if (x < 0) turns = 0.5F - turns;
  if (y < 0) turns = 1 - turns;
  return turns < 1 ? turns : 0;
}

}  // namespace twinsift
