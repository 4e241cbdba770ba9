// SPDX-License-Identifier: Apache-2.0
#include "verify/siamese_similarity.h"

#include <gtest/gtest.h>

#include "feature/siamese_print.h"

namespace twinsift {
namespace {

// A picture whose code has the lowest `bits` bits set, in every orientation.
Packed picture(unsigned bits) {
  SiamesePrint print{.width = 100, .height = 80};
  for (ImageCode& code : print.codes) code[0] = bits == 0 ? 0 : ~std::uint64_t{0} >> (64 - bits);
  return pack(print);
}

double score(const PictureDetector& detector, const Packed& a, const Packed& b) {
  const auto match = detector.compare(SetView{a}, SetView{b});
  EXPECT_TRUE(match);
  return match ? match->score : -1;
}

TEST(SiameseSimilarity, CalibrationSaysWhatDistancesMean) {
  const auto detector = make_siamese_similarity({.near = 10, .far = 30});
  EXPECT_EQ(score(*detector, picture(0), picture(0)), 1);
  EXPECT_NEAR(score(*detector, picture(0), picture(5)), 0.9, 1e-12);
  EXPECT_NEAR(score(*detector, picture(0), picture(10)), 0.8, 1e-12);
  EXPECT_NEAR(score(*detector, picture(0), picture(20)), 0.6, 1e-12);
  EXPECT_NEAR(score(*detector, picture(30), picture(0)), 0.4, 1e-12);
  EXPECT_EQ(score(*detector, picture(31), picture(0)), 0);
  for (const std::uint32_t radius : detector->radii()) EXPECT_EQ(radius, 30U);
}

TEST(SiameseSimilarity, WithoutCalibrationOnlyEqualCodesMatch) {
  const auto detector = make_siamese_similarity({});
  EXPECT_EQ(score(*detector, picture(7), picture(7)), 1);
  EXPECT_EQ(score(*detector, picture(7), picture(8)), 0);
}

TEST(SiameseSimilarity, TurnedCopiesAreFoundInTheirOrientation) {
  const auto detector = make_siamese_similarity({.near = 10, .far = 30});
  SiamesePrint a{.width = 10, .height = 10};
  SiamesePrint b = a;
  a.codes[0][1] = 0xFFFFFFFFFF;
  b.codes[0][2] = 0xFFFFFFFFFF;
  b.codes[6] = a.codes[0];
  EXPECT_EQ(score(*detector, pack(a), pack(b)), 1);
}

TEST(SiameseSimilarity, PlainPicturesGoByTheirPixels) {
  const auto detector = make_siamese_similarity({.near = 10, .far = 30});
  SiamesePrint a{.width = 10, .height = 10, .plain = true, .pixels = {1, 2}};
  SiamesePrint b = a;
  EXPECT_EQ(score(*detector, pack(a), pack(b)), 1);
  b.pixels = {1, 3};
  EXPECT_EQ(score(*detector, pack(a), pack(b)), 0);
}

}  // namespace
}  // namespace twinsift
