// SPDX-License-Identifier: Apache-2.0
#include "feature/sift.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "base/hash.h"
#include "feature/nearest_descriptor.h"
#include "feature/test_scene.h"

namespace twinsift {
namespace {

constexpr double kSide = 240;
constexpr SiftOptions kPlain{.double_below = 0};
constexpr double kTurn = 2 * std::numbers::pi;

const GreyImage& scene_picture() {
  static const GreyImage picture = draw_grey(240, 240, blob_scene(7, kSide));
  return picture;
}

double angle_between(double a, double b) { return std::fabs(std::remainder(a - b, kTurn)); }

// Where a point of one picture must be in the other.
using Move = std::function<KeyPoint(const KeyPoint&)>;

struct Found {
  std::size_t points = 0;  // of the one picture, whose place exists in the other
  std::size_t again = 0;   // with a point near its place, of its size and direction
  std::size_t alike = 0;   // of these, with a descriptor near its own
};

Found find_again(const KeyPoints& from, const KeyPoints& to, const Move& move,
                 const std::function<SiftDescriptor(const SiftDescriptor&)>& look) {
  Found found;
  for (std::size_t i = 0; i < from.points.size(); ++i) {
    const KeyPoint at = move(from.points[i]);
    if (at.x < 10 || at.y < 10 || at.x > static_cast<float>(to.width) - 10 ||
        at.y > static_cast<float>(to.height) - 10) {
      continue;
    }
    ++found.points;
    for (std::size_t j = 0; j < to.points.size(); ++j) {
      const KeyPoint& other = to.points[j];
      if (std::hypot(other.x - at.x, other.y - at.y) > 0.5F * at.scale) continue;
      if (std::fabs(std::log2(other.scale / at.scale)) > 0.25F) continue;
      if (angle_between(other.angle, at.angle) > 0.25) continue;
      ++found.again;
      // Of lengths of about 512.
      if (squared_distance(look(from.descriptors[i]), to.descriptors[j]) < 100 * 100) ++found.alike;
      break;
    }
  }
  return found;
}

const auto kAsItIs = [](const SiftDescriptor& one) { return one; };

void expect_mostly(const Found& found, double share) {
  EXPECT_GE(found.points, 40U);
  EXPECT_GE(static_cast<double>(found.again), share * static_cast<double>(found.points));
  EXPECT_GE(static_cast<double>(found.alike), 0.95 * static_cast<double>(found.again));
}

TEST(Sift, ConstantAndTinyPicturesHaveNoPoints) {
  for (const auto& [width, height] : {std::pair(1U, 1U),
                                      {3U, 200U},
                                      {200U, 3U},
                                      {11U, 11U},
                                      {12U, 12U},
                                      {0U, 0U},
                                      {200U, 100U}}) {
    for (const std::uint32_t double_below : {0U, 1000U}) {
      const auto image = draw_grey(width, height, [](double, double) { return 90.0; });
      const KeyPoints found = find_key_points(image.view(), {.double_below = double_below});
      EXPECT_TRUE(found.points.empty());
      EXPECT_EQ(found.width, width);
      EXPECT_EQ(found.height, height);
    }
  }
}

TEST(Sift, TinyPicturesOfNoiseAreReadInsideOnly) {
  Rng rng(3);
  for (std::uint32_t width = 1; width < 40; width += 3) {
    for (std::uint32_t height = 1; height < 40; height += 3) {
      const auto image =
          draw_grey(width, height, [&](double, double) { return 255 * rng.uniform(); });
      for (const std::uint32_t double_below : {0U, 1000U}) {
        for (const KeyPoint& point :
             find_key_points(image.view(), {.double_below = double_below}).points) {
          EXPECT_GE(point.x, -1);
          EXPECT_LE(point.x, static_cast<float>(width));
          EXPECT_GE(point.angle, 0);
          EXPECT_LT(point.angle, kTurn);
        }
      }
    }
  }
}

TEST(Sift, BrighterPictureHasTheSamePoints) {
  const auto paint = blob_scene(7, kSide);
  const auto brighter =
      draw_grey(240, 240, [&](double x, double y) { return 0.8 * paint(x, y) + 40; });
  const auto points =
      find_key_points(scene_picture().view(), {.double_below = 0, .least_contrast = 2.5F});
  const auto others = find_key_points(brighter.view(), {.double_below = 0, .least_contrast = 2});
  const auto stay = [](const KeyPoint& one) { return one; };
  expect_mostly(find_again(points, others, stay, kAsItIs), 0.9);
}

TEST(Sift, TurnedPictureHasTheSamePoints) {
  const auto paint = blob_scene(7, kSide);
  // Clockwise: (x, y) goes to (239 - y, x).
  const auto turned = draw_grey(240, 240, [&](double x, double y) { return paint(y, 239 - x); });
  const auto move = [](const KeyPoint& one) {
    return KeyPoint{239 - one.y, one.x, one.scale,
                    static_cast<float>(std::fmod(double{one.angle} + kTurn / 4, kTurn))};
  };
  const auto points = find_key_points(scene_picture().view(), kPlain);
  expect_mostly(find_again(points, find_key_points(turned.view(), kPlain), move, kAsItIs), 0.95);
}

TEST(Sift, PictureOfTwiceTheSizeHasTheSamePoints) {
  const auto paint = blob_scene(7, kSide);
  const auto large = draw_grey(480, 480, [&](double x, double y) { return paint(x / 2, y / 2); });
  const auto move = [](const KeyPoint& one) {
    return KeyPoint{2 * one.x, 2 * one.y, 2 * one.scale, one.angle};
  };
  const auto points = find_key_points(scene_picture().view(), kPlain);
  expect_mostly(find_again(points, find_key_points(large.view(), kPlain), move, kAsItIs), 0.9);
}

TEST(Sift, MirroredPictureHasTheMirroredDescriptors) {
  const auto paint = blob_scene(7, kSide);
  // An odd width, so that every octave has the same pixels in both.
  const auto one = draw_grey(241, 241, paint);
  const auto other = draw_grey(241, 241, [&](double x, double y) { return paint(240 - x, y); });
  const auto move = [](const KeyPoint& point) {
    return KeyPoint{240 - point.x, point.y, point.scale,
                    static_cast<float>(std::fmod(1.5 * kTurn - double{point.angle}, kTurn))};
  };
  const auto a = find_key_points(one.view(), kPlain);
  const auto b = find_key_points(other.view(), kPlain);
  expect_mostly(find_again(a, b, move, [](const SiftDescriptor& d) { return mirrored(d); }), 0.98);
  // Not so without the permutation.
  const Found plain = find_again(a, b, move, kAsItIs);
  EXPECT_LT(plain.alike, plain.again / 4);
}

TEST(Sift, MirroringTwiceChangesNothing) {
  SiftDescriptor one;
  for (std::size_t i = 0; i < one.size(); ++i) one[i] = static_cast<std::uint8_t>(i);
  EXPECT_NE(mirrored(one), one);
  EXPECT_EQ(mirrored(mirrored(one)), one);
}

TEST(Sift, StrongestPointsComeFirstAndAreKept) {
  const auto& image = scene_picture();
  const auto all = find_key_points(image.view(), {.double_below = 0, .max_points = 1000});
  const auto few = find_key_points(image.view(), {.double_below = 0, .max_points = 20});
  ASSERT_GT(all.points.size(), 60U);
  ASSERT_EQ(few.points.size(), 20U);
  for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(few.descriptors[i], all.descriptors[i]);
}

TEST(Sift, DescriptorsHaveTheirLength) {
  for (const auto kind : {DescriptorKind::kSift, DescriptorKind::kRootSift}) {
    for (const auto& descriptor :
         find_key_points(scene_picture().view(), {.double_below = 0, .kind = kind}).descriptors) {
      EXPECT_NEAR(std::sqrt(squared_distance(descriptor, {})), 512, 8);
    }
  }
}

}  // namespace
}  // namespace twinsift
