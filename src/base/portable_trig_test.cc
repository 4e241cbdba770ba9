// SPDX-License-Identifier: Apache-2.0
#include "base/portable_trig.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"

namespace twinsift {
namespace {

// GOLDEN: the bits are part of every stored word.
TEST(PortableTrig, IsFixedForEver) {
  EXPECT_EQ(portable_exp(0), 1);
  EXPECT_EQ(portable_exp(1), 0x1.5bf0a8b14576ap+1);
  EXPECT_EQ(portable_sine_cosine(0).cosine, 1);
  EXPECT_EQ(portable_sine_cosine(0).sine, 0);
  EXPECT_EQ(portable_turns(0, 1), 0);
  EXPECT_EQ(portable_turns(0, -1), 0.5F);
  EXPECT_EQ(portable_turns(1, 0), 0.25F);
  EXPECT_EQ(portable_turns(-1, 0), 0.75F);
  EXPECT_EQ(portable_turns(0, 0), 0);
}

// ORACLE: the C library.
TEST(PortableTrig, AgreesWithTheLibrary) {
  Rng rng(1);
  for (int i = 0; i < 20000; ++i) {
    const double x = 60 * rng.uniform() - 30;
    EXPECT_NEAR(portable_exp(x) / std::exp(x), 1, 1e-14) << x;
    EXPECT_NEAR(portable_sine_cosine(x).sine, std::sin(x), 1e-12) << x;
    EXPECT_NEAR(portable_sine_cosine(x).cosine, std::cos(x), 1e-12) << x;
  }
}

TEST(PortableTrig, TurnsAreThoseOfTheAngle) {
  Rng rng(2);
  for (int i = 0; i < 20000; ++i) {
    const double angle = 2 * std::numbers::pi * rng.uniform();
    const double length = std::exp(40 * rng.uniform() - 20);
    const float turns = portable_turns(static_cast<float>(length * std::sin(angle)),
                                       static_cast<float>(length * std::cos(angle)));
    ASSERT_GE(turns, 0);
    ASSERT_LT(turns, 1);
    const double off = std::fabs(double{turns} - angle / (2 * std::numbers::pi));
    EXPECT_LT(std::min(off, 1 - off), 3e-7) << angle;
  }
}

}  // namespace
}  // namespace twinsift
