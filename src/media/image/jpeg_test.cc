// SPDX-License-Identifier: Apache-2.0
// JPEG: colours, shrinking while it is read, orientation, quality, and files that end too soon.
#include <gtest/gtest.h>

#include "media/image/test_encoders.h"

namespace twinsift {
namespace {

constexpr PictureKind kJpeg = PictureKind::kJpeg;

Picture decoded(const std::string& file, const PictureRequest& request = {}) {
  auto picture = decode(kJpeg, file, request);
  EXPECT_TRUE(picture) << picture.error().message;
  return picture ? *std::move(picture) : Picture{};
}

TEST(Jpeg, ColoursAndGreyComeBack) {
  const Drawing colour = draw(160, 120, 3);
  const Picture picture = decoded(encode_jpeg(colour, {.quality = 95}));
  EXPECT_LE(mean_difference(picture.bytes, {reinterpret_cast<const char*>(colour.pixels.data()),
                                            colour.pixels.size()}),
            2);
  EXPECT_EQ(fact_of(picture, "colour"), "rgb");
  EXPECT_EQ(fact_of(picture, "lossless"), "no");
  const Drawing grey = draw(160, 120, 1);
  const Picture plain = decoded(encode_jpeg(grey, {.quality = 95}), {.grey = true});
  EXPECT_LE(difference(plain, grey), 12);
  EXPECT_EQ(fact_of(plain, "colour"), "grey");
}

TEST(Jpeg, RgbAndInksBecomeTheSameColours) {
  const Drawing colour = draw(64, 48, 3);
  const Picture expected = decoded(encode_jpeg(colour, {.quality = 95}));
  const Picture stored_as_rgb = decoded(encode_jpeg(colour, {.quality = 95, .rgb = true}));
  EXPECT_LE(mean_difference(expected.bytes, stored_as_rgb.bytes), 2);
  // Without black ink the inks are the complements, which Adobe stores inverted.
  Drawing inks{64, 48, 4, {}};
  for (std::size_t i = 0; i < colour.pixels.size(); i += 3) {
    for (std::size_t c = 0; c < 3; ++c) inks.pixels.push_back(colour.pixels[i + c]);
    inks.pixels.push_back(255);
  }
  const Picture printed = decoded(encode_jpeg(inks, {.quality = 95, .inks = true}));
  EXPECT_LE(mean_difference(expected.bytes, printed.bytes), 3);
  EXPECT_EQ(fact_of(printed, "colour"), "cmyk");
}

// libjpeg's scaled transform is not a box filter, but on soft pictures nearly so.
TEST(Jpeg, ShrinkingWhileReadingIsNearlyABoxFilter) {
  for (const std::uint32_t width : {512U, 509U}) {
    const std::string file = encode_jpeg(draw(width, 384, 3), {.quality = 95});
    const Picture full = decoded(file, {.grey = true});
    for (const std::uint32_t factor : {2U, 4U, 8U, 16U}) {
      const Picture small = decoded(file, {.min_side = 384 / factor, .grey = true});
      ASSERT_EQ(small.columns, (width + factor - 1) / factor);
      ASSERT_EQ(small.rows, 384 / factor);
      EXPECT_EQ(small.width, width);
      PictureBuilder box({.min_side = 384 / factor, .grey = true}, 1 << 20);
      ASSERT_TRUE(box.begin({.width = width, .height = 384, .channels = 1}));
      for (std::uint32_t y = 0; y < full.rows; ++y) box.row(full.row(y));
      const auto expected = box.finish("test");
      ASSERT_TRUE(expected);
      EXPECT_LE(mean_difference(small.bytes, expected->bytes), 1.0) << factor;
    }
  }
}

TEST(Jpeg, ShorterSideIsNeverBelowTheRequest) {
  const std::string file = encode_jpeg(draw(300, 200, 1));
  EXPECT_EQ(decoded(file, {.min_side = 201}).rows, 200U);
  EXPECT_EQ(decoded(file, {.min_side = 101}).rows, 200U);
  EXPECT_EQ(decoded(file, {.min_side = 100}).rows, 100U);
  EXPECT_EQ(decoded(file, {.min_side = 1}).rows, 2U);
}

TEST(Jpeg, QualityIsThatOfTheEncoder) {
  for (const int quality : {5, 25, 50, 75, 85, 90, 95, 100}) {
    EXPECT_EQ(fact_of(decoded(encode_jpeg(draw(16, 16, 3), {.quality = quality})), "quality"),
              std::to_string(quality));
  }
}

TEST(Jpeg, ExifTurnsThePictureAndBecomesFacts) {
  const std::string file = encode_jpeg(draw(64, 32, 3), {.exif = make_exif(6)});
  const Picture picture = decoded(file);
  EXPECT_EQ(picture.width, 32U);
  EXPECT_EQ(picture.height, 64U);
  EXPECT_EQ(picture.columns, 32U);
  EXPECT_LT(picture.row(19)[3 * 26], 90) << "the dark block belongs to the upper right";
  EXPECT_EQ(fact_of(picture, "camera"), "Kamera");
  EXPECT_EQ(fact_of(picture, "exif_date"), "2019-05-03 12:33:01");
}

// ---- damage

TEST(Jpeg, AFewMissingRowsAreSaidAndManyAreDamage) {
  const std::string file = encode_jpeg(draw(640, 640, 3), {.restart = 1});
  const auto most = decode(kJpeg, file.substr(0, file.size() - file.size() / 20));
  ASSERT_TRUE(most) << most.error().message;
  EXPECT_TRUE(fact_of(*most, "truncated").ends_with(" of 640 rows")) << fact_of(*most, "truncated");
  EXPECT_EQ(most->rows, 640U);
  EXPECT_EQ(most->row(639)[0], 255) << "what is missing is white";
  const auto half = decode(kJpeg, file.substr(0, file.size() / 2));
  ASSERT_FALSE(half);
  EXPECT_EQ(half.error().code, ErrorCode::kCorrupt);
  EXPECT_TRUE(half.error().message.starts_with("damaged: only ")) << half.error().message;
  EXPECT_TRUE(fact_of(decoded(file), "truncated").empty());
}

TEST(Jpeg, ProgressiveMayMissItsFineDetailOnly) {
  const std::string file = encode_jpeg(draw(320, 320, 3), {.progressive = true});
  EXPECT_FALSE(decode(kJpeg, file.substr(0, file.size() / 4)));
  const auto most = decode(kJpeg, file.substr(0, file.size() - 20));
  ASSERT_TRUE(most) << most.error().message;
  EXPECT_EQ(fact_of(*most, "truncated"), "fine detail");
}

std::string with_size(std::string file, unsigned side) {
  const std::size_t frame = file.find("\xFF\xC0");
  for (const std::size_t at : {frame + 5, frame + 7}) {
    file[at] = static_cast<char>(side >> 8U);
    file[at + 1] = static_cast<char>(side);
  }
  return file;
}

// A header of 65,535 x 65,535 pixels and no data.
TEST(Jpeg, GiantHeaderIsRefusedOrFoundEmptyAtOnce) {
  const std::string file = encode_jpeg(draw(16, 16, 3));
  for (const unsigned side : {65535U, 65000U}) {
    const auto full = decode(kJpeg, with_size(file, side));
    ASSERT_FALSE(full);
    EXPECT_EQ(full.error().code, ErrorCode::kLimit);
    EXPECT_TRUE(full.error().message.starts_with("too large: ")) << full.error().message;
  }
  const auto small = decode(kJpeg, with_size(file, 65000), {.min_side = 256, .grey = true});
  ASSERT_FALSE(small);
  EXPECT_EQ(small.error().message, "damaged: only 0 of 8125 rows can be read");
}

TEST(Jpeg, ZeroSizeAndTextAreDamaged) {
  EXPECT_FALSE(decode(kJpeg, with_size(encode_jpeg(draw(16, 16, 3)), 0)));
  const auto text = decode(kJpeg, "This is a text, whatever its name says.");
  ASSERT_FALSE(text);
  EXPECT_TRUE(text.error().message.starts_with("damaged JPEG: Not a JPEG file"));
}

TEST(Jpeg, DigestDoesNotChangeThePixels) {
  const std::string file = encode_jpeg(draw(256, 256, 3));
  const Picture plain = decoded(file, {.min_side = 64, .grey = true});
  const Picture hashed = decoded(file, {.min_side = 64, .grey = true, .digest = true});
  EXPECT_EQ(plain.bytes, hashed.bytes);
  EXPECT_FALSE(plain.digest);
  ASSERT_TRUE(hashed.digest);
  EXPECT_EQ(hashed.digest, decoded(file, {.digest = true, .pixels = false}).digest);
}

}  // namespace
}  // namespace twinsift
