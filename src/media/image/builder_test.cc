// SPDX-License-Identifier: Apache-2.0
// What becomes of rows: boxes, orientation, digest, and refusals.
#include "media/image/builder.h"

#include <gtest/gtest.h>

#include "media/image/test_pictures.h"

namespace twinsift {
namespace {

constexpr std::uint64_t kPlenty = 1 << 20;

Picture build(const Drawing& drawing, const PictureRequest& request, unsigned orientation = 1) {
  PictureBuilder builder(request, kPlenty);
  builder.orient(orientation);
  EXPECT_TRUE(builder.begin(
      {.width = drawing.width, .height = drawing.height, .channels = drawing.channels}));
  const std::size_t length = std::size_t{drawing.width} * drawing.channels;
  for (std::uint32_t y = 0; y < drawing.height; ++y) {
    builder.row(std::span(drawing.pixels).subspan(length * y, length));
  }
  auto picture = builder.finish("test");
  EXPECT_TRUE(picture);
  return *std::move(picture);
}

// Where the pixel of the stored picture must appear, said in another way than the code does.
std::pair<std::uint32_t, std::uint32_t> upright(std::uint32_t x, std::uint32_t y,
                                                const Drawing& drawing, unsigned orientation) {
  const std::uint32_t right = drawing.width - 1 - x;
  const std::uint32_t bottom = drawing.height - 1 - y;
  switch (orientation) {
    case 2:
      return {right, y};
    case 3:
      return {right, bottom};
    case 4:
      return {x, bottom};
    case 5:
      return {y, x};
    case 6:
      return {bottom, x};
    case 7:
      return {bottom, right};
    case 8:
      return {y, right};
    default:
      return {x, y};
  }
}

TEST(PictureBuilder, AllEightOrientationsAreUpright) {
  for (const std::uint32_t channels : {1U, 3U}) {
    const Drawing drawing = draw(7, 4, channels);
    for (unsigned orientation = 1; orientation <= 8; ++orientation) {
      const Picture picture = build(drawing, {.grey = channels == 1}, orientation);
      ASSERT_EQ(picture.columns, orientation < 5 ? 7U : 4U);
      ASSERT_EQ(picture.rows, orientation < 5 ? 4U : 7U);
      EXPECT_EQ(picture.width, picture.columns);
      for (std::uint32_t y = 0; y < 4; ++y) {
        for (std::uint32_t x = 0; x < 7; ++x) {
          const auto [u, v] = upright(x, y, drawing, orientation);
          EXPECT_EQ(picture.row(v)[u * channels], drawing.at(x, y, 0)) << orientation;
        }
      }
    }
  }
}

// A turned file and a file that is upright already show the same, so their digests are equal.
TEST(PictureBuilder, DigestIsThatOfTheUprightPicture) {
  const Drawing drawing = draw(31, 17, 3);
  for (unsigned orientation = 1; orientation <= 8; ++orientation) {
    const Picture turned = build(drawing, {.digest = true}, orientation);
    Drawing straight{turned.columns, turned.rows, 3, {}};
    straight.pixels.assign(turned.bytes.begin(), turned.bytes.end());
    EXPECT_EQ(turned.digest, build(straight, {.digest = true}).digest) << orientation;
  }
}

TEST(PictureBuilder, BoxesAreMeansAlsoAtTheEdges) {
  Drawing drawing{5, 3, 1, {10, 20, 30, 40, 50, 20, 30, 40, 50, 60, 100, 101, 0, 255, 7}};
  const Picture picture = build(drawing, {.min_side = 1, .grey = true});
  EXPECT_EQ(picture.columns, 3U);
  EXPECT_EQ(picture.rows, 2U);
  EXPECT_EQ(picture.width, 5U);
  const std::vector<std::uint8_t> expected = {20, 40, 55, 101, 128, 7};
  EXPECT_EQ(std::vector<std::uint8_t>(picture.bytes.begin(), picture.bytes.end()), expected);
}

TEST(PictureBuilder, GreyIsTheLumaAndRgbIsRepeatedGrey) {
  const Drawing colour = {1, 1, 3, {200, 100, 50}};
  EXPECT_EQ(build(colour, {.grey = true}).row(0)[0], 124);  // .299 R + .587 G + .114 B
  const Drawing grey = {1, 1, 1, {77}};
  const Picture picture = build(grey, {});
  EXPECT_EQ(picture.bytes, "MMM");
}

TEST(PictureBuilder, EmptyAndTooLargeAreRefusedBeforeAnythingIsAllocated) {
  PictureBuilder builder({}, 1000);
  EXPECT_EQ(builder.begin({.width = 0, .height = 5}).error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(builder.begin({.width = 1001, .height = 1}).error().code, ErrorCode::kLimit);
  EXPECT_EQ(builder.begin({.width = 1ULL << 40U, .height = 1ULL << 40U}).error().code,
            ErrorCode::kLimit);
  EXPECT_TRUE(builder.begin({.width = 8000, .height = 8, .shrunk = 8}));
}

TEST(PictureBuilder, SevenEighthsOfTheRowsAreEnough) {
  const std::vector<std::uint8_t> row(4, 9);
  for (const std::uint32_t rows : {55U, 56U, 64U}) {
    PictureBuilder builder({.grey = true, .digest = true}, kPlenty);
    ASSERT_TRUE(builder.begin({.width = 4, .height = 64, .channels = 1}));
    for (std::uint32_t y = 0; y < rows; ++y) builder.row(row);
    const auto picture = builder.finish("test");
    ASSERT_EQ(picture.has_value(), rows >= 56) << rows;
    if (!picture) continue;
    EXPECT_EQ(fact_of(*picture, "truncated"), rows == 64 ? "" : "8 of 64 rows");
    EXPECT_EQ(picture->digest.has_value(), rows == 64);
    EXPECT_EQ(picture->row(63)[0], rows == 64 ? 9 : 255);
  }
}

}  // namespace
}  // namespace twinsift
