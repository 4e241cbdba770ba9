// SPDX-License-Identifier: Apache-2.0
#include "verify/picture_border.h"

#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include "base/portable_trig.h"
#include "base/random.h"

namespace twinsift {
namespace {

constexpr int kSide = static_cast<int>(kThumbnailSide);

template <class Shade>
Thumbnail shaded(Shade shade) {
  Thumbnail made{};
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      made[static_cast<std::size_t>(y * kSide + x)] = static_cast<std::uint8_t>(shade(x, y));
    }
  }
  return made;
}

// Patches of many shades, as a photo has them; none of them white.
Thumbnail photo(std::uint64_t seed) {
  Rng rng(seed);
  std::array<std::uint32_t, 256> patches{};
  for (auto& patch : patches) patch = 10 + rng.below(200);
  return shaded(
      [&](int x, int y) { return patches[static_cast<std::size_t>(y / 4 * 16 + x / 4)]; });
}

// Places of a picture of which the other takes the part from (left, top) to (right, bottom).
PlanarMap part(double left, double top, double right, double bottom) {
  const double width = right - left;
  const double height = bottom - top;
  return {.m = {1 / width, 0, -left / width, 0, 1 / height, -top / height, 0, 0, 1}};
}

Thumbnail framed(const Thumbnail& inner, int border, std::uint8_t colour) {
  return shaded([&](int x, int y) {
    const bool inside = std::min(x, y) >= border && std::max(x, y) < kSide - border;
    return inside ? inner[static_cast<std::size_t>(y * kSide + x)] : colour;
  });
}

TEST(PictureBorder, AFrameIsOne) {
  for (const int border : {2, 4, 8, 16}) {
    for (const std::uint8_t colour : std::array<std::uint8_t, 3>{0, 128, 255}) {
      const double edge = border / 64.0;
      EXPECT_TRUE(
          has_border(framed(photo(1), border, colour), part(edge, edge, 1 - edge, 1 - edge)))
          << border << " " << int{colour};
    }
  }
}

TEST(PictureBorder, ABarWithACaptionIsOne) {
  Rng rng(2);
  const Thumbnail inner = photo(2);
  const Thumbnail captioned = shaded([&](int x, int y) -> std::uint32_t {
    if (y < 48) return inner[static_cast<std::size_t>(y * kSide + x)];
    const bool text = y >= 53 && y < 60 && x >= 8 && x < 56;
    return text ? 40 + rng.below(200) : 250;
  });
  EXPECT_TRUE(has_border(captioned, part(0, 0, 1, 0.75)));
  // With writing all over it, it shows something.
  const Thumbnail page = shaded([&](int x, int y) -> std::uint32_t {
    return y < 48 ? inner[static_cast<std::size_t>(y * kSide + x)] : 40 + rng.below(200);
  });
  EXPECT_FALSE(has_border(page, part(0, 0, 1, 0.75)));
}

TEST(PictureBorder, TheCornersOfATurnedCopyAreOne) {
  const Thumbnail inner = photo(3);
  const SineCosine turn = portable_sine_cosine(0.4);
  const PlanarMap map{.m = {turn.cosine, turn.sine, 0.5 - 0.5 * (turn.cosine + turn.sine),
                            -turn.sine, turn.cosine, 0.5 - 0.5 * (turn.cosine - turn.sine), 0, 0,
                            1}};
  const Thumbnail turned = shaded([&](int x, int y) -> std::uint8_t {
    const Point to = map({(x + 0.5) / kSide, (y + 0.5) / kSide});
    if (std::min(to.x, to.y) < 0 || std::max(to.x, to.y) >= 1) return 0;
    return inner[static_cast<std::size_t>(static_cast<int>(to.y * kSide) * kSide +
                                          static_cast<int>(to.x * kSide))];
  });
  EXPECT_TRUE(has_border(turned, map));
}

TEST(PictureBorder, WhatWasCutOffAPhotoIsNone) {
  for (std::uint64_t seed = 1; seed < 50; ++seed) {
    EXPECT_FALSE(has_border(photo(seed), part(0.125, 0.125, 0.875, 0.875)));
    EXPECT_FALSE(has_border(photo(seed), part(0, 0.25, 1, 1)));
  }
}

// A thing before a white ground, of which a part was cut off; a photo without its white sky.
TEST(PictureBorder, AFlatGroundThatGoesOnInsideIsNone) {
  const Thumbnail inner = photo(4);
  const Thumbnail thing = framed(inner, 20, 255);
  EXPECT_FALSE(has_border(thing, part(0.125, 0.125, 0.875, 0.875)));
  const Thumbnail landscape = shaded([&](int x, int y) -> std::uint8_t {
    return y < 32 ? 255 : inner[static_cast<std::size_t>(y * kSide + x)];
  });
  EXPECT_FALSE(has_border(landscape, part(0, 0.25, 1, 1)));
  EXPECT_TRUE(has_border(landscape, part(0, 0.5, 1, 1)));  // nobody could tell that from a bar
}

TEST(PictureBorder, NothingOutsideIsNone) {
  EXPECT_FALSE(has_border(framed(photo(5), 8, 255), PlanarMap{}));
  EXPECT_FALSE(has_border(photo(5), part(0.01, 0.01, 0.99, 0.99)));
}

TEST(PictureBorder, EachOfTwoIsAskedForItsOwn) {
  Placement placement;  // b lies in a
  placement.a_to_b = part(0.125, 0.125, 0.875, 0.875).m;
  placement.covered_a = 0.5625;
  placement.covered_b = 1;
  const Borders borders = borders_of(framed(photo(6), 8, 255), photo(6), placement);
  EXPECT_TRUE(borders.a);
  EXPECT_FALSE(borders.b);
  EXPECT_FALSE(borders_of(photo(6), photo(6), placement).a);
}

TEST(PictureBorder, ABorderedCopyMustNotBeFiner) {
  Placement placement;
  placement.covered_a = 0.5625;
  placement.covered_b = 1;
  for (const double scale : {0.97, 1.0, 2.0}) {
    placement.scale = scale;
    EXPECT_TRUE(is_bordered_copy(placement, {.a = true, .b = false})) << scale;
  }
  EXPECT_FALSE(is_bordered_copy(placement, {.a = false, .b = false}));
  EXPECT_FALSE(is_bordered_copy(placement, {.a = true, .b = true}));
  placement.scale = 0.9;  // a shows it with more pixels
  EXPECT_FALSE(is_bordered_copy(placement, {.a = true, .b = false}));
  placement.scale = 1;
  placement.covered_b = 0.8;  // b shows something that a does not
  EXPECT_FALSE(is_bordered_copy(placement, {.a = true, .b = false}));
}

}  // namespace
}  // namespace twinsift
