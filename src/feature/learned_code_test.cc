// SPDX-License-Identifier: Apache-2.0
#include "feature/learned_code.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "feature/models.h"
#include "feature/test_scene.h"
#include "learn/picture_copies.h"

namespace twinsift {
namespace {

GreyImage scene(std::uint64_t seed) { return draw_grey(160, 120, blob_scene(seed, 160)); }

LearnedCodes codes_of(const GreyImage& picture) {
  return learned_codes_of(thumbnail_of(picture.view()));
}

TEST(LearnedCode, NetworkFitsThumbnails) {
  const HashModel& network = shipped_network();
  EXPECT_EQ(network.shape().side, kThumbnailSide);
  EXPECT_EQ(network.shape().colours, 1U);
  EXPECT_EQ(network.shape().bits, kImageCodeBits);
  EXPECT_LE(copy_model().size(), std::size_t{10} << 20U);
  EXPECT_GT(network.calibration().near, 0U);
  EXPECT_GE(network.calibration().far, network.calibration().near);
}

TEST(LearnedCode, MirroredCodeIsThatOfTheMirroredPicture) {
  const Thumbnail thumbnail = thumbnail_of(scene(1).view());
  const LearnedCodes codes = learned_codes_of(thumbnail);
  const LearnedCodes mirrored = learned_codes_of(oriented(thumbnail, 4));
  EXPECT_EQ(codes.plain, mirrored.mirrored);
  EXPECT_EQ(codes.mirrored, mirrored.plain);
  const LearnedDistance distance = learned_distance(codes, mirrored);
  EXPECT_EQ(distance.bits, 0U);
  EXPECT_TRUE(distance.mirrored);
}

TEST(LearnedCode, OneOfTwoCanDoWithoutTheMirroredCode) {
  const Thumbnail thumbnail = thumbnail_of(scene(1).view());
  const LearnedCodes plain = learned_codes_of(thumbnail, Mirrored::kNo);
  EXPECT_FALSE(plain.mirrored);
  const LearnedCodes other = learned_codes_of(oriented(thumbnail, 4));
  EXPECT_EQ(learned_distance(plain, other).bits, 0U);
  EXPECT_EQ(learned_distance(other, plain).bits, 0U);
  const LearnedCodes both_plain = learned_codes_of(oriented(thumbnail, 4), Mirrored::kNo);
  EXPECT_FALSE(learned_distance(plain, both_plain).mirrored);
  EXPECT_GT(learned_distance(plain, both_plain).bits, 0U);
}

TEST(LearnedCode, DistanceIsSymmetric) {
  for (std::uint64_t seed = 1; seed < 6; ++seed) {
    const LearnedCodes a = codes_of(scene(seed));
    const LearnedCodes b = codes_of(scene(seed + 10));
    EXPECT_EQ(learned_distance(a, b).bits, learned_distance(b, a).bits);
    EXPECT_EQ(learned_distance(a, b).mirrored, learned_distance(b, a).mirrored);
    EXPECT_EQ(learned_distance(a, a).bits, 0U);
  }
}

// What it is for: hard copies of pictures that it has never seen, drawn ones at that, are nearer
// than other pictures.
TEST(LearnedCode, HardCopiesAreNearerThanStrangers) {
  Rng rng(7);
  double copies = 0;
  double strangers = 0;
  constexpr std::uint64_t kPictures = 20;
  for (std::uint64_t i = 0; i < kPictures; ++i) {
    const GreyImage picture = scene(100 + i);
    const LearnedCodes codes = codes_of(picture);
    copies += learned_distance(codes, codes_of(random_hard_copy(picture.view(), rng))).bits;
    strangers += learned_distance(codes, codes_of(scene(200 + i))).bits;
  }
  EXPECT_LT(copies / kPictures, 0.75 * strangers / kPictures);
}

}  // namespace
}  // namespace twinsift
