// SPDX-License-Identifier: Apache-2.0
#include "feature/gist320.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "base/random.h"

namespace twinsift {
namespace {

constexpr std::uint32_t kSide = 128;
constexpr std::size_t kCells = GistBank::kCells * GistBank::kCells;

const GistBank& bank() {
  static const GistBank made;
  return made;
}

struct Scale {
  std::size_t first;  // of its filters
  std::size_t orientations;
  double frequency;
};
constexpr Scale kScales[] = {{0, 8, 0.3}, {8, 8, 0.3 / 1.85}, {16, 4, 0.3 / 1.85 / 1.85}};

template <class Value>
GreyImage make_image(std::uint32_t width, std::uint32_t height, Value&& value) {
  GreyImage image{.pixels = {}, .width = width, .height = height};
  for (std::uint32_t y = 0; y < height; ++y) {
    for (std::uint32_t x = 0; x < width; ++x) {
      image.pixels.push_back(static_cast<std::uint8_t>(std::lround(value(x, y))));
    }
  }
  return image;
}

GreyImage grating(double frequency, double angle) {
  return make_image(kSide, kSide, [&](double x, double y) {
    const double along = x * std::cos(angle) + y * std::sin(angle);
    return 128 + 100 * std::cos(2 * std::numbers::pi * frequency * along);
  });
}

// Blots of all sizes.
GreyImage scene(std::uint64_t seed, std::uint32_t width = kSide, std::uint32_t height = kSide) {
  Rng rng(seed);
  std::vector<double> waves;
  for (int i = 0; i < 120; ++i) waves.push_back(rng.uniform());
  return make_image(width, height, [&](double x, double y) {
    double sum = 0;
    for (std::size_t i = 0; i < waves.size(); i += 4) {
      const double fx = 40 * waves[i + 1] / width;
      const double fy = (80 * waves[i + 2] - 40) / height;
      sum += std::sin(2 * std::numbers::pi * (fx * x + fy * y + waves[i + 3])) *
             (waves[i] < 0.5 && x < width / 2.0 ? 2.0 : 1.0);
    }
    return std::clamp(128 + 8 * sum, 0.0, 255.0);
  });
}

double largest(const Gist320& gist) { return *std::ranges::max_element(gist); }

// Over all cells.
double strength(const Gist320& gist, std::size_t filter) {
  double sum = 0;
  for (std::size_t c = 0; c < kCells; ++c) sum += double{gist[filter * kCells + c]};
  return sum;
}

std::size_t strongest(const Gist320& gist) {
  std::size_t best = 0;
  for (std::size_t f = 1; f < GistBank::kFilters; ++f) {
    if (strength(gist, f) > strength(gist, best)) best = f;
  }
  return best;
}

TEST(Gist320, FlatPicturesAreZero) {
  for (const int grey : {0, 7, 255}) {
    const GreyImage flat = make_image(33, 200, [&](double, double) { return grey; });
    for (const float x : bank().gist_of(flat.view())) EXPECT_EQ(x, 0);
  }
}

TEST(Gist320, OnePixelIsAPicture) {
  const GreyImage one = make_image(1, 1, [](double, double) { return 9; });
  EXPECT_EQ(largest(bank().gist_of(one.view())), 0);
  const GreyImage two = make_image(2, 1, [](double x, double) { return 200 * x; });
  EXPECT_GT(largest(bank().gist_of(two.view())), 0);
}

// Light and contrast are stretched away before anything else.
TEST(Gist320, BrightnessAndContrastDoNotMatter) {
  const GreyImage original = make_image(kSide, kSide, [](double x, double y) {
    return 100 + 2 * std::lround(30 * std::sin(x / 5) * std::cos(y / 9) + y / 8);
  });
  const Gist320 expected = bank().gist_of(original.view());
  for (const double scale : {0.5, 1.0}) {
    for (const double offset : {0.0, 20.0}) {
      GreyImage changed = original;
      for (auto& p : changed.pixels) p = static_cast<std::uint8_t>(std::lround(scale * p + offset));
      EXPECT_EQ(bank().gist_of(changed.view()), expected);
    }
  }
}

TEST(Gist320, AGratingExcitesItsFilterEverywhere) {
  for (const Scale& scale : kScales) {
    for (std::size_t j = 0; j < scale.orientations; ++j) {
      const double angle =
          -std::numbers::pi * static_cast<double>(j) / static_cast<double>(scale.orientations);
      const Gist320 gist = bank().gist_of(grating(scale.frequency, angle).view());
      EXPECT_EQ(strongest(gist), scale.first + j);
      for (std::size_t c = 0; c < kCells; ++c) {
        const float own = gist[(scale.first + j) * kCells + c];
        for (std::size_t other = 0; other < scale.orientations; ++other) {
          EXPECT_LE(gist[(scale.first + other) * kCells + c], own) << c << ' ' << other;
        }
      }
    }
  }
}

TEST(Gist320, AMirroredGratingExcitesTheMirroredFilter) {
  for (const Scale& scale : kScales) {
    for (std::size_t j = 0; j < scale.orientations; ++j) {
      const double angle =
          std::numbers::pi * static_cast<double>(j) / static_cast<double>(scale.orientations);
      const Gist320 gist = bank().gist_of(grating(scale.frequency, angle).view());
      EXPECT_EQ(strongest(gist), scale.first + (scale.orientations - j) % scale.orientations);
    }
  }
}

// Every second pixel counts, and mirroring exchanges those with the others.
TEST(Gist320, AMirroredPictureHasAMirroredGist) {
  const GreyImage image = scene(5);
  GreyImage mirrored = image;
  for (std::uint32_t y = 0; y < kSide; ++y) {
    std::reverse(mirrored.pixels.begin() + y * kSide, mirrored.pixels.begin() + (y + 1) * kSide);
  }
  const Gist320 a = bank().gist_of(image.view());
  const Gist320 b = bank().gist_of(mirrored.view());
  double difference = 0;
  for (const Scale& scale : kScales) {
    for (std::size_t j = 0; j < scale.orientations; ++j) {
      const std::size_t f = scale.first + j;
      const std::size_t g = scale.first + (scale.orientations - j) % scale.orientations;
      for (std::size_t c = 0; c < kCells; ++c) {
        const float there = b[g * kCells + c / 4 * 4 + (3 - c % 4)];
        difference = std::max(difference, std::abs(double{a[f * kCells + c]} - double{there}));
      }
    }
  }
  EXPECT_LT(difference, 0.02 * largest(a));
  EXPECT_NE(a, b);
}

// The picture is squeezed into a square: the same scene at any size has nearly the same gist.
TEST(Gist320, SizeHardlyMatters) {
  const Gist320 small = bank().gist_of(scene(6, 160, 160).view());
  const Gist320 large = bank().gist_of(scene(6, 330, 200).view());
  const Gist320 other = bank().gist_of(scene(7, 160, 160).view());
  double same = 0;
  double different = 0;
  for (std::size_t i = 0; i < kGist320Size; ++i) {
    same += std::pow(small[i] - large[i], 2);
    different += std::pow(small[i] - other[i], 2);
  }
  EXPECT_LT(same, 0.05 * different);
}

// ORACLE: the mean over all pixels, the formula of the filter written down once more.
TEST(Gist320, IsTheMeanStrengthOfTheFilters) {
  constexpr std::size_t kPadded = 256;
  const GreyImage image = scene(8);
  const Gist320 gist = bank().gist_of(image.view());
  const std::vector<float> square = gist_prefilter(image.view());
  const auto mirror = [](std::size_t i) {  // 64 pixels before, 64 after
    return i < 64 ? 63 - i : (i < 192 ? i - 64 : 319 - i);
  };
  const Fft fft(kPadded);
  const auto both_ways = [&](std::vector<float>& re, std::vector<float>& im, bool forward) {
    for (int way = 0; way < 2; ++way) {
      forward ? fft.forward(re, im, kPadded) : fft.backward(re, im, kPadded);
      transpose_square(re, kPadded);
      transpose_square(im, kPadded);
    }
  };
  std::vector<float> re(kPadded * kPadded);
  std::vector<float> im(kPadded * kPadded);
  for (std::size_t i = 0; i < re.size(); ++i) {
    re[i] = square[mirror(i / kPadded) * kSide + mirror(i % kPadded)];
  }
  both_ways(re, im, true);
  const auto wrapped = [](std::size_t k) {
    return k < 128 ? static_cast<double>(k) / kPadded : static_cast<double>(k) / kPadded - 1;
  };
  for (const auto& [filter, centre, orientations, j] :
       {std::tuple{std::size_t{3}, 0.3, 8.0, 3}, {std::size_t{18}, 0.3 / 1.85 / 1.85, 4.0, 2}}) {
    std::vector<float> a = re;
    std::vector<float> b = im;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double fy = wrapped(i / kPadded);
      const double fx = wrapped(i % kPadded);
      double turn = std::atan2(fy, fx) + std::numbers::pi * j / orientations;
      if (turn > std::numbers::pi) turn -= 2 * std::numbers::pi;
      const auto gain = static_cast<float>(
          std::exp(-10 * 0.35 * std::pow(std::hypot(fx, fy) / centre - 1, 2) -
                   2 * std::numbers::pi * 16 * orientations * orientations / 1024 * turn * turn));
      a[i] *= gain;
      b[i] *= gain;
    }
    both_ways(a, b, false);
    for (std::size_t c = 0; c < kCells; ++c) {
      double sum = 0;
      for (std::size_t y = 0; y < 32; ++y) {
        for (std::size_t x = 0; x < 32; ++x) {
          const std::size_t at = (64 + c / 4 * 32 + y) * kPadded + 64 + c % 4 * 32 + x;
          sum += std::hypot(a[at], b[at]) / (kPadded * kPadded);
        }
      }
      EXPECT_NEAR(gist[filter * kCells + c], sum / 1024, 0.02 * largest(gist)) << filter;
    }
  }
}

}  // namespace
}  // namespace twinsift
