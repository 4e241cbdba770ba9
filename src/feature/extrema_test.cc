// SPDX-License-Identifier: Apache-2.0
#include "feature/extrema.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"
#include "feature/test_scene.h"

namespace twinsift {
namespace {

// ORACLE, with small whole numbers, so that equal neighbours are everywhere.
TEST(Extrema, FastScanEqualsTheReference) {
  Rng rng(1);
  std::size_t all = 0;
  for (std::uint32_t width = 3; width < 60; ++width) {
    for (const std::uint32_t values : {3U, 50U}) {
      std::vector<Plane> planes(3, Plane(width, 3));
      for (Plane& plane : planes) {
        for (float& value : plane.values) {
          value = static_cast<float>(rng.below(values)) - static_cast<float>(values) / 2;
        }
      }
      std::vector<std::uint32_t> fast;
      std::vector<std::uint32_t> slow;
      const RowOfThree row{planes[0], planes[1], planes[2], 1};
      scan_row(row, 0.5F, fast);
      scan_row_scalar(row, 0.5F, slow);
      EXPECT_EQ(fast, slow) << width;
      all += slow.size();
    }
  }
  EXPECT_GT(all, 50U);
}

// A single blob responds once, where it is, at its size, even right between four pixels.
TEST(Extrema, BlobIsFoundAtItsPlaceAndSize) {
  for (const double sigma : {2.5, 3.0, 4.0, 6.0, 9.0}) {
    for (const auto& [x, y] : {std::pair(60.0, 55.0), {60.5, 55.5}, {61.3, 54.8}}) {
      for (const double height : {100.0, -100.0}) {
        const Blob blob{x, y, sigma, height};
        const auto image = draw_grey(
            120, 110, [&](double at_x, double at_y) { return 120 + blob_at(blob, at_x, at_y); });
        ScaleSpace space(image.view(), 0);
        int found = 0;
        while (const auto octave = space.next()) {
          for (const Extremum& extremum : find_extrema(*octave, {.contrast = 4})) {
            ++found;
            const double pixel = std::exp2(octave->number);
            EXPECT_NEAR(extremum.x * pixel, x, 0.15 * sigma);
            EXPECT_NEAR(extremum.y * pixel, y, 0.15 * sigma);
            // The difference of blurs s and 2^(1/3) s answers most to their geometric mean.
            const double found_sigma =
                kFirstSigma * std::exp2((double{extremum.blur} + 0.5) / kScalesPerOctave) * pixel;
            EXPECT_NEAR(found_sigma / sigma, 1, 0.12);
          }
        }
        EXPECT_EQ(found, 1) << sigma << ' ' << x << ' ' << height;
      }
    }
  }
}

TEST(Extrema, EdgesAndFaintBlobsAreDropped) {
  const auto edge = draw_grey(100, 100, [](double x, double) { return x < 50 ? 20.0 : 220.0; });
  const Blob faint{50, 50, 4, 3};
  const auto dim =
      draw_grey(100, 100, [&](double x, double y) { return 120 + blob_at(faint, x, y); });
  for (const auto* image : {&edge, &dim}) {
    ScaleSpace space(image->view(), 0);
    while (const auto octave = space.next()) {
      EXPECT_TRUE(find_extrema(*octave, {.contrast = 2}).empty());
    }
  }
}

}  // namespace
}  // namespace twinsift
