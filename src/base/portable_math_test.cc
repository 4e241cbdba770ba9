// SPDX-License-Identifier: Apache-2.0
#include "base/portable_math.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "base/random.h"

namespace twinsift {
namespace {

// The distance of a result from the truth, in units of the truth's last place.
double ulps(double result, long double truth) {
  const double rounded = std::fabs(static_cast<double>(truth));
  const double ulp = std::nextafter(rounded, std::numeric_limits<double>::infinity()) - rounded;
  return static_cast<double>(std::fabs(static_cast<long double>(result) - truth)) / ulp;
}

// GOLDEN: the bits are part of every sketch.
TEST(PortableLog, IsFixedForEver) {
  EXPECT_EQ(portable_log(1), 0);
  EXPECT_EQ(portable_log(2), 0x1.62e42fefa39efp-1);
  EXPECT_EQ(portable_log(10), 0x1.26bb1bbb55516p+1);
  EXPECT_EQ(portable_log(0x1p-1074), -0x1.74385446d71c3p+9);
  static_assert(portable_log(1) == 0);
}

// ORACLE: the C library's logarithm with eleven more bits.
TEST(PortableLog, IsWithinOneUlpForAllMagnitudes) {
  Rng rng(1);
  for (int i = 0; i < 200000; ++i) {
    const double x = std::ldexp(1 + rng.uniform(), static_cast<int>(rng.below(2097)) - 1074);
    EXPECT_LT(ulps(portable_log(x), std::log(static_cast<long double>(x))), 1.0) << x;
  }
}

TEST(PortableLog, IsWithinOneUlpBesideOneAndWhereTheExponentChanges) {
  Rng rng(2);
  for (const double centre : {1.0, std::sqrt(0.5), std::sqrt(2.0), 2.0}) {
    for (int i = 0; i < 20000; ++i) {
      const double x = centre * (1 + std::ldexp(rng.uniform() - 0.5, -static_cast<int>(i % 50)));
      if (x == 1) continue;
      EXPECT_LT(ulps(portable_log(x), std::log(static_cast<long double>(x))), 1.0) << x;
    }
  }
}

TEST(PortableLogComplement, IsWithinTwoUlpAlsoForTinyArguments) {
  Rng rng(3);
  for (int i = 0; i < 200000; ++i) {
    const double x = std::ldexp(rng.uniform(), -static_cast<int>(rng.below(200)));
    EXPECT_LT(ulps(portable_log_complement(x), std::log1p(-static_cast<long double>(x))), 2.0) << x;
  }
}

}  // namespace
}  // namespace twinsift
