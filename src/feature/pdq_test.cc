// SPDX-License-Identifier: Apache-2.0
#include "feature/pdq.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace twinsift {
namespace {

struct Drawn {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::vector<std::uint8_t> bytes;
  [[nodiscard]] RgbPixels view() const { return {bytes, width, height}; }
};

using Paint = std::function<std::array<double, 3>(double x, double y)>;  // both from 0 to 1

Drawn draw(std::uint32_t width, std::uint32_t height, const Paint& paint) {
  Drawn drawn{.width = width, .height = height, .bytes = {}};
  for (std::uint32_t y = 0; y < height; ++y) {
    for (std::uint32_t x = 0; x < width; ++x) {
      for (const double value : paint((x + 0.5) / width, (y + 0.5) / height)) {
        drawn.bytes.push_back(static_cast<std::uint8_t>(std::clamp(value, 0.0, 255.0)));
      }
    }
  }
  return drawn;
}

// Blobs and stripes without any symmetry.  Only +, -, * and /, which round alike everywhere.
std::array<double, 3> scene(double x, double y) {
  const auto blob = [&](double at_x, double at_y, double size) {
    const double d = ((x - at_x) * (x - at_x) + (y - at_y) * (y - at_y)) / (size * size);
    return 1 / (1 + d * d);
  };
  const double stripes = static_cast<double>(static_cast<int>(x * 9 + y * 4) % 2);
  return {30 + 170 * blob(0.3, 0.2, 0.15) + 60 * stripes,
          20 + 200 * blob(0.7, 0.6, 0.2) + 30 * blob(0.1, 0.9, 0.1),
          40 + 120 * blob(0.5, 0.8, 0.25) + 50 * x * y};
}

int bits_set(const PdqCode& code) { return pdq_distance(code, {}); }

// Fixed when the codes of twenty photographs were those of the published program.
TEST(Pdq, CodesAreWhatTheyWere) {
  EXPECT_EQ(pdq_hex(pdq_of(draw(100, 80, scene).view()).code),
            "9bc8055158e2257574141b0ee71a1f0e87b4395b38de39afba54d254a9abcee3");
  EXPECT_EQ(pdq_hex(pdq_of(draw(512, 300, scene).view()).code),
            "3fe04759d0e055254014ff0ec71a8f0e87a42b5b78deb92ffa5450d489ab8ee3");
  EXPECT_EQ(pdq_hex(pdq_of(draw(1300, 700, scene).view()).code),
            "3fe0134bd0e215454014ff0ec71a8f0e87b42b5b78deb92ffa5450d489ab8ee3");
}

TEST(Pdq, HalfOfTheBitsAreSet) {
  for (const auto& [width, height] : {std::pair(1U, 1U), {64U, 64U}, {65U, 300U}, {700U, 513U}}) {
    const Pdq pdq = pdq_of(draw(width, height, scene).view());
    if (width > 1) {
      EXPECT_EQ(bits_set(pdq.code), 128) << width;
    }
    EXPECT_GE(pdq.quality, 0);
    EXPECT_LE(pdq.quality, 100);
  }
}

TEST(Pdq, BrightnessContrastAndSizeHardlyMatter) {
  const Pdq one = pdq_of(draw(400, 300, scene).view());
  const auto other = [](double x, double y) {
    auto rgb = scene(x, y);
    for (double& value : rgb) value = 0.7 * value + 40;
    return rgb;
  };
  EXPECT_LE(pdq_distance(one.code, pdq_of(draw(400, 300, other).view()).code), kPdqMatchDistance);
  EXPECT_LE(pdq_distance(one.code, pdq_of(draw(160, 120, scene).view()).code), kPdqMatchDistance);
  const auto upside_down = [](double x, double y) { return scene(x, 1 - y); };
  EXPECT_GE(pdq_distance(one.code, pdq_of(draw(400, 300, upside_down).view()).code), 80);
}

// Nearly: the samples are not symmetric by half a pixel.
TEST(Pdq, TurnedPicturesHaveTheCodesOfAllOrientations) {
  const std::array<Paint, 8> paints = {scene,
                                       [](double x, double y) { return scene(1 - y, x); },
                                       [](double x, double y) { return scene(1 - x, 1 - y); },
                                       [](double x, double y) { return scene(y, 1 - x); },
                                       [](double x, double y) { return scene(x, 1 - y); },
                                       [](double x, double y) { return scene(1 - x, y); },
                                       [](double x, double y) { return scene(y, x); },
                                       [](double x, double y) { return scene(1 - y, 1 - x); }};
  const auto all = pdq_of_all_orientations(draw(384, 384, scene).view());
  for (std::size_t i = 0; i < paints.size(); ++i) {
    const Pdq turned = pdq_of(draw(384, 384, paints[i]).view());
    for (std::size_t j = 0; j < all.size(); ++j) {
      const int distance = pdq_distance(turned.code, all[j].code);
      if (i == j) {
        EXPECT_LE(distance, kPdqMatchDistance) << i;
      } else {
        EXPECT_GE(distance, 60) << i << ' ' << j;
      }
    }
  }
}

TEST(Pdq, FlatPicturesHaveNoQuality) {
  const auto flat = [](double, double) { return std::array<double, 3>{90, 90, 90}; };
  EXPECT_EQ(pdq_of(draw(300, 200, flat).view()).quality, 0);
  EXPECT_GE(pdq_of(draw(300, 200, scene).view()).quality, kPdqLeastQuality);
}

TEST(Pdq, HexIsReadBack) {
  const PdqCode code = {1, 0x8000000000000000U, 0x0123456789ABCDEFU, 0xF000000000000000U};
  const std::string hex = "f0000000000000000123456789abcdef80000000000000000000000000000001";
  EXPECT_EQ(pdq_hex(code), hex);
  EXPECT_EQ(parse_pdq_hex(hex), code);
  EXPECT_EQ(parse_pdq_hex("F" + hex.substr(1)), code);
  EXPECT_FALSE(parse_pdq_hex(hex.substr(1)));
  EXPECT_FALSE(parse_pdq_hex(hex + "0"));
  EXPECT_FALSE(parse_pdq_hex("g" + hex.substr(1)));
}

}  // namespace
}  // namespace twinsift
