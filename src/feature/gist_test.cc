// SPDX-License-Identifier: Apache-2.0
#include "feature/gist.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "base/random.h"

namespace twinsift {
namespace {

Thumbnail noise(std::uint64_t seed) {
  Rng rng(seed);
  Thumbnail thumbnail{};
  for (std::uint8_t& pixel : thumbnail) pixel = static_cast<std::uint8_t>(rng.next() >> 56U);
  return thumbnail;
}

template <class F>
Thumbnail draw(const F& paint) {
  Thumbnail thumbnail{};
  for (std::uint32_t i = 0; i < thumbnail.size(); ++i) {
    thumbnail[i] =
        static_cast<std::uint8_t>(paint(static_cast<int>(i % 64), static_cast<int>(i / 64)));
  }
  return thumbnail;
}

// The gist by its definition: one pixel after another, in real numbers.
std::array<double, kGistLength> plain_gist(const Thumbnail& thumbnail) {
  std::array<double, kGistLength> gist{};
  std::vector<double> pixels(thumbnail.begin(), thumbnail.end());
  for (std::size_t scale = 0; scale < kGistScales; ++scale) {
    const int side = 64 >> scale;
    const auto at = [&](int x, int y) {
      return pixels[static_cast<std::size_t>(std::clamp(y, 0, side - 1) * side +
                                             std::clamp(x, 0, side - 1))];
    };
    double* part = &gist[scale * 128];
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        const double dx = at(x + 1, y) - at(x - 1, y);
        const double dy = at(x, y + 1) - at(x, y - 1);
        if (dx == 0 && dy == 0) continue;
        const auto octant = static_cast<std::size_t>(
            std::floor(std::fmod(std::atan2(dy, dx) / std::atan2(0, -1) * 4 + 8 + 1e-12, 8)));
        const double large = std::max(std::abs(dx), std::abs(dy));
        const double small = std::min(std::abs(dx), std::abs(dy));
        const std::size_t straight = octant % 2 == 0 ? octant : (octant + 1) % 8;
        const std::size_t diagonal = octant % 2 == 0 ? octant + 1 : octant;
        for (std::size_t cell = 0; cell < 16; ++cell) {
          const int block_x = x * 16 / side;
          const int block_y = y * 16 / side;
          const auto window = [](int block, std::size_t centre) {
            return std::max(0.0,
                            1 - std::abs(block + 0.5 - 4.0 * static_cast<double>(centre) - 2) / 4);
          };
          const double weight = window(block_x, cell % 4) * window(block_y, cell / 4);
          part[straight * 16 + cell] += weight * (large - small);
          part[diagonal * 16 + cell] += weight * small * 181 / 128;
        }
      }
    }
    const double total = std::accumulate(part, part + 128, 0.0);
    if (total > 0) std::for_each(part, part + 128, [&](double& v) { v = std::sqrt(v / total); });
    std::vector<double> half;
    for (int y = 0; y < side / 2; ++y) {
      for (int x = 0; x < side / 2; ++x) {
        half.push_back((at(2 * x, 2 * y) + at(2 * x + 1, 2 * y) + at(2 * x, 2 * y + 1) +
                        at(2 * x + 1, 2 * y + 1)) /
                       4);
      }
    }
    pixels = half;
  }
  return gist;
}

TEST(Gist, IsWhatItsDefinitionSays) {
  const Thumbnail blobs = draw([](int x, int y) {
    const int d = (x - 20) * (x - 20) + (y - 41) * (y - 41);
    return 200 * 300 / (300 + d) + (x > 40 && y < 30 ? 50 : 0);
  });
  for (const Thumbnail& thumbnail : {noise(1), noise(2), blobs}) {
    const Gist gist = gist_of(thumbnail);
    const auto expected = plain_gist(thumbnail);
    for (std::size_t i = 0; i < kGistLength; ++i) {
      ASSERT_NEAR(gist.values[i], expected[i] * kGistUnit, 0.51) << i;
    }
  }
}

TEST(Gist, TurnedPicturesHaveTheSameNumbersInOtherPlaces) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Thumbnail thumbnail = noise(seed);
    const Gist gist = gist_of(thumbnail);
    for (int o = 0; o < kOrientations; ++o) {
      const Gist turned = gist_of(oriented(thumbnail, o));
      EXPECT_EQ(turned.values, oriented(gist, o).values) << o;
      EXPECT_EQ(turned.information, gist.information);
      if (o > 0) {
        EXPECT_NE(turned.values, gist.values);
      }
    }
  }
}

TEST(Gist, BrightnessAndContrastCancelOut) {
  Thumbnail dim = noise(3);
  for (std::uint8_t& pixel : dim) pixel /= 3;
  Thumbnail bright = dim;
  for (std::uint8_t& pixel : bright) pixel = static_cast<std::uint8_t>(20 + 2 * pixel);
  EXPECT_EQ(gist_of(bright).values, gist_of(dim).values);
}

TEST(Gist, TheStrongestGradientsFitIn) {
  const Gist gist = gist_of(draw([](int x, int) { return x / 2 % 2 == 0 ? 0 : 255; }));
  double length = 0;
  for (std::size_t i = 0; i < 128; ++i) length += gist.values[i] * gist.values[i];
  EXPECT_NEAR(std::sqrt(length), kGistUnit, 20);
  EXPECT_GT(gist.values[0], kGistUnit / 8);                // right
  EXPECT_NEAR(gist.values[0], gist.values[4 * 16], 2000);  // and left, nearly alike
  EXPECT_EQ(gist.values[2 * 16], 0);
}

TEST(Gist, BlankPicturesHaveNoInformation) {
  EXPECT_EQ(gist_of(draw([](int, int) { return 255; })).information, 0);
  EXPECT_EQ(gist_of(draw([](int, int) { return 255; })).values, Gist{}.values);
  const auto ramp = [](int x, int y) { return 2 * x + y; };
  const auto speck = [](int x, int y) { return x / 3 == 9 && y / 3 == 7 ? 0 : 250; };
  const auto stripes = [](int x, int) { return x / 4 % 2 * 100; };
  EXPECT_EQ(gist_of(draw(ramp)).information, 0);
  EXPECT_LE(gist_of(draw(speck)).information, 16);
  EXPECT_EQ(gist_of(draw(stripes)).information, 16);
  EXPECT_EQ(gist_of(noise(4)).information, 64);
}

}  // namespace
}  // namespace twinsift
