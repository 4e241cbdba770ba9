// SPDX-License-Identifier: Apache-2.0
// PNG: every kind of pixel, exactly; animation, EXIF and bombs.
#include <gtest/gtest.h>

#include "media/image/test_encoders.h"

namespace twinsift {
namespace {

constexpr PictureKind kPng = PictureKind::kPng;

void expect_exact(const Drawing& expected, const std::string& file, int within = 0) {
  const auto picture = decode(kPng, file);
  ASSERT_TRUE(picture) << picture.error().message;
  EXPECT_LE(difference(*picture, expected), within);
  EXPECT_EQ(fact_of(*picture, "format"), "png");
  EXPECT_EQ(fact_of(*picture, "lossless"), "yes");
}

TEST(Png, EveryKindOfPixelComesBack) {
  for (const bool interlaced : {false, true}) {
    for (const int bits : {8, 16}) {
      for (std::uint32_t channels = 1; channels <= 4; ++channels) {
        const Drawing drawing = draw(53, 37, channels);
        expect_exact(flattened(drawing),
                     encode_png(drawing, {.bits = bits, .interlaced = interlaced}), 1);
      }
    }
  }
}

TEST(Png, PaletteAndFewBitsComeBack) {
  const Drawing grey = draw(53, 37, 1);
  Drawing negative = flattened(grey);
  for (auto& value : negative.pixels) value = static_cast<std::uint8_t>(255 - value);
  expect_exact(negative, encode_png(grey, {.palette = true}));
  for (const int bits : {1, 2, 4}) {
    Drawing coarse = flattened(grey);
    for (auto& value : coarse.pixels) {
      const int levels = (1 << bits) - 1;
      value = static_cast<std::uint8_t>((value >> (8 - bits)) * 255 / levels);
    }
    expect_exact(coarse, encode_png(grey, {.bits = bits}));
  }
}

TEST(Png, ExifTurnsThePicture) {
  const auto picture = decode(kPng, encode_png(draw(20, 10, 3), {.exif = make_exif(8)}));
  ASSERT_TRUE(picture);
  EXPECT_EQ(picture->width, 10U);
  EXPECT_EQ(picture->rows, 20U);
}

TEST(Png, AnimationIsItsFirstFrame) {
  std::string file = encode_png(draw(20, 10, 3));
  const std::string control("\0\0\0\10acTL\0\0\0\5\0\0\0\0\0\0\0\0", 20);
  file.insert(33, control);  // behind the header; its checksum is wrong, which nobody minds
  const auto picture = decode(kPng, file);
  ASSERT_TRUE(picture) << picture.error().message;
  EXPECT_EQ(fact_of(*picture, "frames"), "5");
}

TEST(Png, AFewMissingRowsAreSaidAndManyAreDamage) {
  Drawing noise = draw(100, 400, 3);
  std::uint32_t state = 1;
  for (auto& value : noise.pixels) {
    state = state * 1664525 + 1013904223;
    value = static_cast<std::uint8_t>(state >> 24U);
  }
  const std::string file = encode_png(noise);
  const auto most = decode(kPng, file.substr(0, file.size() - file.size() / 20));
  ASSERT_TRUE(most) << most.error().message;
  EXPECT_TRUE(fact_of(*most, "truncated").ends_with(" of 400 rows"));
  EXPECT_FALSE(most->digest);
  EXPECT_FALSE(decode(kPng, file.substr(0, file.size() / 2)));
}

// A flat picture of 400 million pixels has a few hundred kilobytes; its header is enough to see it.
TEST(Png, BombIsRefusedByItsHeader) {
  std::string file = encode_png(draw(16, 16, 1));
  const std::string size("\0\0\x4E\x20\0\0\x4E\x20", 8);
  file.replace(16, 8, size);
  std::uint32_t crc = 0xFFFFFFFF;
  for (std::size_t i = 12; i < 29; ++i) {
    crc ^= static_cast<std::uint8_t>(file[i]);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
  }
  for (std::size_t i = 0; i < 4; ++i) file[29 + i] = static_cast<char>(~crc >> (24 - 8 * i));
  const auto picture = decode(kPng, file, {.min_side = 256, .grey = true});
  ASSERT_FALSE(picture);
  EXPECT_EQ(picture.error().code, ErrorCode::kLimit);
  EXPECT_EQ(picture.error().message, "too large: 20000 x 20000 pixels are more than 268435456");
}

TEST(Png, SamePixelsInAnotherContainerHaveTheSameDigest) {
  const Drawing grey = draw(50, 40, 1);
  const PictureRequest request = {.digest = true};
  const auto png = decode(kPng, encode_png(grey), request);
  const auto wide = decode(kPng, encode_png(grey, {.bits = 16, .interlaced = true}), request);
  const auto bmp = decode(PictureKind::kBmp, encode_bmp(grey), request);
  const auto pnm = decode(PictureKind::kPnm, encode_pnm(flattened(grey)), request);
  ASSERT_TRUE(png && wide && bmp && pnm);
  ASSERT_TRUE(png->digest);
  EXPECT_EQ(png->digest, wide->digest);
  EXPECT_EQ(png->digest, bmp->digest);
  EXPECT_EQ(png->digest, pnm->digest);
  Drawing other = grey;
  other.at(49, 39, 0) ^= 1;
  EXPECT_NE(png->digest, decode(kPng, encode_png(other), request)->digest);
}

}  // namespace
}  // namespace twinsift
