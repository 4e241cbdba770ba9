// SPDX-License-Identifier: Apache-2.0
#include "media/image/make_preview.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "media/image/test_encoders.h"
#include "media/preview.h"

namespace twinsift {
namespace {

Picture picture_of(const Drawing& drawing) {
  Picture picture;
  picture.width = picture.columns = drawing.width;
  picture.height = picture.rows = drawing.height;
  picture.channels = drawing.channels;
  picture.bytes.assign(reinterpret_cast<const char*>(drawing.pixels.data()), drawing.pixels.size());
  return picture;
}

// The mean over the area of each new pixel, in real numbers.
double area_mean(const Drawing& d, double x0, double x1, double y0, double y1, std::uint32_t c) {
  double sum = 0;
  for (std::uint32_t y = 0; y < d.height; ++y) {
    const double tall = std::min<double>(y + 1, y1) - std::max<double>(y, y0);
    for (std::uint32_t x = 0; tall > 0 && x < d.width; ++x) {
      const double wide = std::min<double>(x + 1, x1) - std::max<double>(x, x0);
      if (wide > 0) sum += tall * wide * d.at(x, y, c);
    }
  }
  return sum / ((x1 - x0) * (y1 - y0));
}

TEST(Preview, PixelsAreMeansOfAreas) {
  Drawing noise{37, 23, 3, {}};
  Rng rng(1);
  for (int i = 0; i < 37 * 23 * 3; ++i) {
    noise.pixels.push_back(static_cast<std::uint8_t>(rng.below(256)));
  }
  for (const std::uint32_t side : {1U, 7U, 20U, 36U}) {
    const Picture small = shrunk_to(picture_of(noise), side);
    EXPECT_EQ(small.columns, side);
    EXPECT_EQ(small.rows, std::max(1U, (23 * side + 18) / 37));
    ASSERT_EQ(small.bytes.size(), std::size_t{small.columns} * small.rows * 3);
    const double wide = 37.0 / small.columns;
    const double tall = 23.0 / small.rows;
    for (std::uint32_t y = 0; y < small.rows; ++y) {
      for (std::uint32_t i = 0; i < small.columns * 3; ++i) {
        const std::uint32_t x = i / 3;
        EXPECT_NEAR(small.row(y)[i],
                    area_mean(noise, x * wide, (x + 1) * wide, y * tall, (y + 1) * tall, i % 3),
                    0.51);
      }
    }
  }
}

TEST(Preview, SmallPicturesStayAsTheyAre) {
  const Picture picture = picture_of(draw(40, 30, 3));
  EXPECT_EQ(shrunk_to(picture, 40).bytes, picture.bytes);
  EXPECT_EQ(shrunk_to(picture, 1000).columns, 40U);
}

TEST(Preview, NarrowPicturesKeepARow) {
  const Picture strip = shrunk_to(picture_of(draw(2000, 2, 3)), 100);
  EXPECT_EQ(strip.columns, 100U);
  EXPECT_EQ(strip.rows, 1U);
}

TEST(Preview, BothFilesComeBack) {
  const Drawing drawing = draw(61, 47, 3);
  const auto png = write_png(picture_of(drawing));
  ASSERT_TRUE(png);
  EXPECT_EQ(preview_size(*png)->type, "image/png");
  const auto exact = decode(PictureKind::kPng, *png);
  ASSERT_TRUE(exact);
  EXPECT_EQ(difference(*exact, drawing), 0);
  const auto jpeg = write_jpeg(picture_of(drawing));
  ASSERT_TRUE(jpeg);
  EXPECT_EQ(preview_size(*jpeg)->type, "image/jpeg");
  EXPECT_EQ(preview_size(*jpeg)->width, 61U);
  EXPECT_EQ(preview_size(*jpeg)->height, 47U);
  const auto near = decode(PictureKind::kJpeg, *jpeg);
  ASSERT_TRUE(near);
  EXPECT_LT(mean_difference(near->bytes, picture_of(drawing).bytes), 5);
}

TEST(Preview, TooLargeForTheFormatIsAnError) {
  Picture wide = picture_of(draw(1, 1, 3));
  wide.columns = 70'000;
  wide.bytes.assign(std::size_t{70'000} * 3, 'x');
  EXPECT_FALSE(write_jpeg(wide));
}

TEST(Preview, SizeOfDamagedFilesIsNone) {
  for (const std::string& good : {encode_jpeg(draw(40, 30, 3)), encode_png(draw(40, 30, 3))}) {
    ASSERT_TRUE(preview_size(good));
    for (std::size_t length = 0; length < good.size(); ++length) {
      EXPECT_FALSE(preview_size(std::string_view(good).substr(0, length))) << length;
    }
  }
  std::string empty = encode_jpeg(draw(40, 30, 3));
  const std::size_t frame = empty.find("\xFF\xC0");
  ASSERT_NE(frame, std::string::npos);
  empty[frame + 7] = empty[frame + 8] = '\0';
  EXPECT_FALSE(preview_size(empty)) << "no columns";
}

// PROPERTY: whatever the bytes are, there is an answer.
TEST(Preview, SizeOfAnyBytesIsSafe) {
  const std::string good = encode_jpeg(draw(40, 30, 3));
  Rng rng(1);
  for (int round = 0; round < 5000; ++round) {
    std::string bytes = good;
    for (int i = 0; i < 3; ++i) bytes[rng.below(200)] = static_cast<char>(rng.below(256));
    const auto size = preview_size(bytes);
    EXPECT_TRUE(!size || (size->width > 0 && size->height > 0));
  }
}

}  // namespace
}  // namespace twinsift
