// SPDX-License-Identifier: Apache-2.0
#include "eval/av_copies/picture_frame.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace twinsift {
namespace {

// Every pixel of the luma tells its place.
PictureFrame numbered(std::size_t width, std::size_t height) {
  PictureFrame frame(width, height);
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      frame.planes[0].row(y)[x] = static_cast<std::uint8_t>(16 + (x + 7 * y) % 200);
      frame.planes[1].row(y / 2)[x / 2] = static_cast<std::uint8_t>(x / 2);
      frame.planes[2].row(y / 2)[x / 2] = static_cast<std::uint8_t>(y / 2);
    }
  }
  return frame;
}

TEST(PictureFrame, CropsKeepLumaAndColourTogether) {
  const PictureFrame frame = numbered(100, 60);
  const PictureFrame centred = cropped(frame, 20, 0.5, 0.5);
  EXPECT_EQ(centred.width(), 80U);
  EXPECT_EQ(centred.height(), 48U);
  EXPECT_EQ(centred.planes[0].row(0)[0], frame.planes[0].row(6)[10]);
  EXPECT_EQ(centred.planes[1].row(0)[0], 5);
  EXPECT_EQ(centred.planes[2].row(0)[0], 3);
  const PictureFrame corner = cropped(frame, 20, 1, 1);
  EXPECT_EQ(corner.planes[0].row(47)[79], frame.planes[0].row(59)[99]);
}

TEST(PictureFrame, MirrorsAndTurnsComeBack) {
  const PictureFrame frame = numbered(100, 60);
  EXPECT_EQ(mirrored(frame).planes[0].row(3)[0], frame.planes[0].row(3)[99]);
  EXPECT_EQ(mirrored(mirrored(frame)), frame);
  const PictureFrame quarter = turned(frame, 1);
  EXPECT_EQ(quarter.width(), 60U);
  EXPECT_EQ(quarter.planes[0].row(0)[59], frame.planes[0].row(0)[0]);
  EXPECT_EQ(turned(quarter, 3), frame);
  EXPECT_EQ(turned(frame, -1), turned(frame, 3));
  EXPECT_EQ(turned(frame, 4), frame);
}

TEST(PictureFrame, BarsAreBlackAndTheRestIsAsItWas) {
  const PictureFrame frame = numbered(100, 60);
  const PictureFrame boxed = letterboxed(frame);
  EXPECT_EQ(boxed.height(), 80U);
  EXPECT_TRUE(std::all_of(boxed.planes[0].row(0), boxed.planes[0].row(10),
                          [](std::uint8_t value) { return value == 16; }));
  EXPECT_EQ(boxed.planes[0].row(10)[0], frame.planes[0].row(0)[0]);
  EXPECT_EQ(boxed.planes[0].row(70)[0], 16);
}

TEST(PictureFrame, BrightnessStaysWithinWhite) {
  PictureFrame frame(2, 2);
  frame.planes[0].bytes = {16, 100, 180, 235};
  EXPECT_EQ(brightened(frame).planes[0].bytes, (std::vector<std::uint8_t>{34, 135, 231, 235}));
}

TEST(PictureFrame, ALogoCoversItsShareInEachCorner) {
  const PictureFrame frame(200, 100);
  for (unsigned corner = 0; corner < 4; ++corner) {
    PictureFrame out = with_logo(frame, 7, corner);
    const auto coloured = std::ranges::count(out.planes[1].bytes, 90);
    EXPECT_NEAR(static_cast<double>(coloured) / 5000, 0.07, 0.005) << corner;
    const std::size_t x = corner == 1 || corner == 2 ? 99 : 0;
    EXPECT_EQ(out.planes[1].row(corner >= 2 ? 49 : 0)[x], 90) << corner;
  }
}

// A flat picture stays flat, and a black and white edge spreads over some pixels.
TEST(PictureFrame, BlurIsANormalisedKernelAndNoiseHasItsSigma) {
  PictureFrame frame(120, 80);
  std::ranges::fill(frame.planes[0].bytes, std::uint8_t{120});
  EXPECT_EQ(blurred_noisy(frame, 0, 1).planes[0], frame.planes[0]);
  const PictureFrame noise = blurred_noisy(frame, 10, 1);
  double sum = 0;
  for (const std::uint8_t value : noise.planes[0].bytes) sum += (value - 120.0) * (value - 120.0);
  // 9,600 samples: the variance has a standard error of 1.4 %; rounding adds 1/12.
  EXPECT_NEAR(sum / 9600, 100.08, 6);
  for (std::size_t y = 0; y < 80; ++y) std::fill_n(frame.planes[0].row(y), 60, std::uint8_t{16});
  const PictureFrame edge = blurred_noisy(frame, 0, 1);
  EXPECT_EQ(edge.planes[0].row(40)[50], 16);
  EXPECT_EQ(edge.planes[0].row(40)[70], 120);
  EXPECT_NEAR(edge.planes[0].row(40)[59] + edge.planes[0].row(40)[60], 136, 1);
}

}  // namespace
}  // namespace twinsift
