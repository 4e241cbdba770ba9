// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "media/image/test_tiff.h"

namespace twinsift {
namespace {

constexpr PictureKind kTiff = PictureKind::kTiff;

Picture decoded(const std::string& file, const PictureRequest& request = {}) {
  auto picture = decode(kTiff, file, request);
  EXPECT_TRUE(picture) << picture.error().message;
  return picture ? *std::move(picture) : Picture{};
}

TEST(Tiff, GreyRgbAlphaAnd16BitsComeBack) {
  for (const std::uint16_t bits : {std::uint16_t{8}, std::uint16_t{16}}) {
    for (const std::uint32_t channels : {1U, 3U, 4U}) {
      const Drawing drawing = draw(53, 37, channels);
      const Picture picture = decoded(encode_tiff(drawing, {.bits = bits}));
      EXPECT_LE(difference(picture, flattened(drawing)), 1) << bits << ' ' << channels;
      EXPECT_EQ(fact_of(picture, "bits"), std::to_string(bits));
      EXPECT_EQ(fact_of(picture, "lossless"), "yes");
    }
  }
}

TEST(Tiff, PaletteWhiteIsZeroAndOneBitComeBack) {
  const Drawing grey = draw(53, 37, 1);
  Drawing negative = flattened(grey);
  for (auto& value : negative.pixels) value = static_cast<std::uint8_t>(255 - value);
  const Picture palette = decoded(encode_tiff(grey, {.photometric = PHOTOMETRIC_PALETTE}));
  EXPECT_EQ(difference(palette, negative), 0);
  EXPECT_EQ(fact_of(palette, "colour"), "palette");
  EXPECT_EQ(
      difference(decoded(encode_tiff(grey, {.photometric = PHOTOMETRIC_MINISWHITE})), negative), 0);
  Drawing coarse = flattened(grey);
  for (auto& value : coarse.pixels) value = value >= 128 ? 255 : 0;
  EXPECT_EQ(difference(decoded(encode_tiff(grey, {.bits = 1})), coarse), 0);
}

TEST(Tiff, InksBecomeColours) {
  Drawing inks = draw(20, 10, 4);
  Drawing expected{20, 10, 3, {}};
  for (std::size_t i = 0; i < inks.pixels.size(); i += 4) {
    for (std::size_t c = 0; c < 3; ++c) {
      const int black = 255 - inks.pixels[i + 3];
      expected.pixels.push_back(
          static_cast<std::uint8_t>((255 - inks.pixels[i + c]) * black / 255));
    }
  }
  const Picture picture = decoded(encode_tiff(inks, {.photometric = PHOTOMETRIC_SEPARATED}));
  EXPECT_LE(difference(picture, expected), 1);
  EXPECT_EQ(fact_of(picture, "colour"), "cmyk");
}

TEST(Tiff, StripsOfAnyHeightAndCompressionComeBack) {
  const Drawing drawing = draw(40, 37, 3);
  for (const std::uint32_t rows : {1U, 7U, 37U, 1000U}) {
    for (const int compression :
         {COMPRESSION_NONE, COMPRESSION_PACKBITS, COMPRESSION_ADOBE_DEFLATE}) {
      const std::string file = encode_tiff(
          drawing,
          {.compression = static_cast<std::uint16_t>(compression), .rows_per_strip = rows});
      EXPECT_EQ(difference(decoded(file), drawing), 0) << rows << ' ' << compression;
    }
  }
}

TEST(Tiff, OrientationIsApplied) {
  const Drawing drawing = draw(7, 4, 3);
  for (std::uint16_t orientation = 1; orientation <= 8; ++orientation) {
    PictureBuilder builder({}, 1000);
    builder.orient(orientation);
    ASSERT_TRUE(builder.begin({.width = 7, .height = 4}));
    for (std::size_t y = 0; y < 4; ++y) builder.row(std::span(drawing.pixels).subspan(21 * y, 21));
    EXPECT_EQ(decoded(encode_tiff(drawing, {.orientation = orientation})).bytes,
              builder.finish("test")->bytes)
        << orientation;
  }
}

TEST(Tiff, PagesAreCountedAndTheFirstIsShown) {
  const Drawing drawing = draw(20, 10, 3);
  const Picture picture = decoded(encode_tiff(drawing, {.pages = 3}));
  EXPECT_EQ(fact_of(picture, "pages"), "3");
  EXPECT_EQ(difference(picture, drawing), 0);
}

TEST(Tiff, ShrinkingIsABoxFilter) {
  const Drawing drawing = draw(64, 48, 1);
  const Picture small = decoded(encode_tiff(drawing), {.min_side = 12, .grey = true});
  EXPECT_EQ(small.columns, 16U);
  int sum = 0;
  for (std::uint32_t y = 0; y < 4; ++y) {
    for (std::uint32_t x = 0; x < 4; ++x) sum += drawing.at(x, y, 0);
  }
  EXPECT_EQ(small.row(0)[0], (sum + 8) / 16);
}

}  // namespace
}  // namespace twinsift
