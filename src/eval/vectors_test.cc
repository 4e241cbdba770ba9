// SPDX-License-Identifier: Apache-2.0
#include "eval/vectors.h"

#include <cmath>
#include <cstring>

#include <gtest/gtest.h>

#include "eval/pictures.h"

namespace twinsift {
namespace {

std::string fvecs(const std::vector<std::vector<float>>& vectors) {
  std::string bytes;
  const auto add = [&](const auto& value) {
    char raw[4];
    std::memcpy(raw, &value, 4);
    bytes.append(raw, 4);
  };
  for (const auto& vector : vectors) {
    add(static_cast<std::uint32_t>(vector.size()));
    for (const float x : vector) add(x);
  }
  return bytes;
}

TEST(EvalVectors, TextHasOneVectorInALine) {
  const auto set = parse_text_vectors("# x, y\n1,-2.5\n\n3e1\t4\r\n 5 ; 6 ");
  ASSERT_TRUE(set) << set.error().message;
  EXPECT_EQ(set->dimension, 2U);
  EXPECT_EQ(set->values, (std::vector<float>{1, -2.5F, 30, 4, 5, 6}));
  EXPECT_TRUE(set->groups.empty());
}

TEST(EvalVectors, BadTextIsNamedByItsLine) {
  for (const auto& [text, message] :
       {std::pair{"1 2\n3\n", "line 2 has 1 numbers, and those before have 2"},
        {"1 2\n3 x\n", "line 2: \"x\" is not a finite number"},
        {"1 nan\n", "line 1: \"nan\" is not a finite number"},
        {"inf 1\n", "line 1: \"inf\" is not a finite number"},
        {"1e99 1\n", "line 1: \"1e99\" is not a finite number"}}) {
    const auto set = parse_text_vectors(text);
    ASSERT_FALSE(set) << text;
    EXPECT_EQ(set.error().code, ErrorCode::kInvalidArgument);
    EXPECT_EQ(set.error().message, message);
  }
}

TEST(EvalVectors, FvecsAreReadAndEveryCutIsNoticed) {
  const std::string bytes = fvecs({{1, 2, 3}, {4, 5, 6}});
  const auto set = parse_fvecs(bytes);
  ASSERT_TRUE(set);
  EXPECT_EQ(set->dimension, 3U);
  EXPECT_EQ(set->values, (std::vector<float>{1, 2, 3, 4, 5, 6}));
  for (std::size_t length = 1; length < bytes.size(); ++length) {
    if (length == bytes.size() / 2) continue;  // one whole vector
    EXPECT_FALSE(parse_fvecs(std::string_view(bytes).substr(0, length))) << length;
  }
  EXPECT_FALSE(parse_fvecs(fvecs({{1, 2}, {3}})));
  EXPECT_FALSE(parse_fvecs(fvecs({{1, NAN}})));
  EXPECT_FALSE(parse_fvecs(fvecs({{1, INFINITY}})));
  EXPECT_FALSE(parse_fvecs(std::string("\0\0\0\0", 4)));
  EXPECT_FALSE(parse_fvecs("\xFF\xFF\xFF\xFF"));
  EXPECT_FALSE(read_vectors("/nonexistent.fvecs"));
}

TEST(EvalVectors, MadeOnesComeInGroups) {
  const VectorSet set = make_clustered({.count = 900, .dimension = 8, .latent = 3}, 5);
  EXPECT_EQ(set.size(), 900U);
  EXPECT_EQ(set.groups.size(), 900U);
  EXPECT_EQ(set.values, make_clustered({.count = 900, .dimension = 8, .latent = 3}, 5).values);
  EXPECT_NE(set.values, make_clustered({.count = 900, .dimension = 8, .latent = 3}, 6).values);
  const VectorSet bags = make_bags(40, 4, 1);
  EXPECT_EQ(bags.size(), 40U);
  for (std::size_t i = 0; i < bags.size(); ++i) {
    EXPECT_EQ(bags.groups[i], i / 4);
    EXPECT_NEAR(squared_distance(bags.rows()[i], std::vector<float>(400)), 1, 1e-5);
  }
  // Those of a group are alike.
  EXPECT_LT(squared_distance(bags.rows()[0], bags.rows()[1]),
            squared_distance(bags.rows()[0], bags.rows()[5]));
}

TEST(EvalPictures, AlterationsDoWhatTheySay) {
  GreyImage image{.pixels = std::vector<std::uint8_t>(40 * 20, 100), .width = 40, .height = 20};
  image.pixels[10 * 40 + 20] = 200;
  Rng rng(1);
  EXPECT_EQ(altered(image.view(), {}, rng).pixels, image.pixels);
  const GreyImage brighter = altered(image.view(), {.contrast = 2, .brightness = 10}, rng);
  EXPECT_EQ(brighter.pixels[0], 82);  // 128 + 2 (100 - 128) + 10
  const GreyImage cropped = altered(image.view(), {.cropped = 0.75}, rng);
  EXPECT_EQ(cropped.width, 20U);
  EXPECT_EQ(cropped.height, 10U);
  const GreyImage blurred = altered(image.view(), {.blur = 1}, rng);
  EXPECT_EQ(blurred.width, 40U);
  EXPECT_EQ(blurred.pixels[10 * 40 + 20], 111);  // 100 and a ninth of 100
  EXPECT_EQ(blurred.pixels[9 * 40 + 21], 111);
  EXPECT_EQ(blurred.pixels[8 * 40 + 20], 100);
  EXPECT_NE(altered(image.view(), {.noise = 5}, rng).pixels, image.pixels);
}

}  // namespace
}  // namespace twinsift
