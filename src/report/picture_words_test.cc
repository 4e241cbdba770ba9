// SPDX-License-Identifier: Apache-2.0
#include "report/picture_words.h"

#include <limits>

#include <gtest/gtest.h>

namespace twinsift {
namespace {

Member picture(std::string width, std::string height, std::string format, std::string quality) {
  Member member;
  member.facts = {{"format", std::move(format)}, {"width", std::move(width)}};
  member.facts.emplace_back("height", std::move(height));
  if (!quality.empty()) member.facts.emplace_back("quality", std::move(quality));
  return member;
}

const Member kLarge = picture("1600", "1200", "png", "");
const Member kSmall = picture("800", "600", "jpeg", "60");

Evidence placed(double covered_a, double covered_b) {
  Evidence evidence;
  evidence.placement.emplace();
  evidence.placement->covered_a = covered_a;
  evidence.placement->covered_b = covered_b;
  return evidence;
}

TEST(PictureWords, WholePicturesAreToldByBitsSizeAndFormat) {
  Evidence evidence;
  evidence.bits = 3;
  EXPECT_EQ(picture_words(evidence, kLarge, kSmall),
            "same picture, 3 of 256 bits differ, 1600x1200 -> 800x600, JPEG quality 60");
  evidence.bits = 0;
  evidence.correlation = 0.997;
  EXPECT_EQ(picture_words(evidence, kSmall, kSmall),
            "same picture, all 256 bits agree, pixels correlate 0.99");
}

TEST(PictureWords, PartsAreToldFromBothSides) {
  Evidence part = placed(0.484, 1);
  part.bits = 120;
  part.placement->mirrored = true;
  part.placement->turned = 24.7;
  part.placement->matched = 1143;
  EXPECT_EQ(picture_words(part, kSmall, kSmall),
            "shows 48 % of it, mirrored, turned by 25 degrees clockwise, 1,143 key points agree")
      << "bits of a part say nothing and are left out";
  EXPECT_EQ(picture_words(placed(1, 0.484), kSmall, kSmall, {.a = "A", .b = "B"}),
            "shows all of A, which is 48 % of B");
  EXPECT_EQ(picture_words(placed(0.6, 0.7), kSmall, kSmall),
            "shows 60 % of it, which is 70 % of this one");
  EXPECT_EQ(picture_words(placed(0.979, 1), kSmall, kSmall), "shows 98 % of it");
  EXPECT_EQ(picture_words(placed(0.004, 0.99), kSmall, kSmall), "shows less than 1 % of it");
}

TEST(PictureWords, TurnsHaveADirection) {
  Evidence turned = placed(1, 1);
  const auto words = [&](double degrees) {
    turned.placement->turned = degrees;
    return picture_words(turned, kSmall, kSmall);
  };
  EXPECT_EQ(words(-90), "same picture, turned by 90 degrees anticlockwise");
  EXPECT_EQ(words(1.2), "same picture, turned by 1 degree clockwise");
  EXPECT_EQ(words(180), "same picture, turned upside down");
  EXPECT_EQ(words(-0.4), "same picture");
  EXPECT_EQ(words(std::numeric_limits<double>::quiet_NaN()), "same picture");
}

TEST(PictureWords, EqualPixelsNeedNoFigures) {
  Evidence evidence;
  evidence.same_pixels = true;
  evidence.bits = 0;
  evidence.correlation = 1;
  EXPECT_EQ(picture_words(evidence, kSmall, picture("800", "600", "png", "")), "same pixels, PNG");
}

TEST(PictureWords, UnlikePicturesAreNotCalledTheSame) {
  Evidence evidence;
  evidence.bits = 120;
  evidence.correlation = 0.1;
  EXPECT_EQ(picture_words(evidence, kSmall, kSmall),
            "120 of 256 bits differ, pixels correlate 0.10");
}

TEST(PictureWords, ListedPointsCountEvenIfNobodyCountedThem) {
  Evidence evidence = placed(1, 1);
  evidence.placement->points.resize(1);
  EXPECT_EQ(picture_words(evidence, kSmall, kSmall), "same picture, 1 key point agrees");
}

TEST(PictureWords, TextsHaveNone) {
  Evidence evidence;
  evidence.jaccard = 0.9;
  EXPECT_EQ(picture_words(evidence, kLarge, kSmall), "");
}

TEST(PictureWords, FactsOfAReportFromAnywhereAreHarmless) {
  Evidence evidence;
  evidence.bits = 1;
  EXPECT_EQ(picture_words(evidence, kSmall, picture("8\x1b[2J", "6", "je\npg", "")),
            "same picture, 1 of 256 bits differ, 800x600 -> 8\\x1b[2Jx6, JE\\nPG");
}

}  // namespace
}  // namespace twinsift
