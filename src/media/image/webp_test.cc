// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "media/image/test_encoders.h"
#include "media/image/test_webp.h"

namespace twinsift {
namespace {

constexpr PictureKind kWebp = PictureKind::kWebp;

TEST(Webp, LosslessComesBackExactlyAlsoWithAlpha) {
  for (const std::uint32_t channels : {3U, 4U}) {
    const Drawing drawing = draw(53, 37, channels);
    const auto picture = decode(kWebp, encode_webp(drawing, true));
    ASSERT_TRUE(picture) << picture.error().message;
    EXPECT_LE(difference(*picture, flattened(drawing)), 1);
    EXPECT_EQ(fact_of(*picture, "lossless"), "yes");
    EXPECT_EQ(fact_of(*picture, "alpha"), channels == 4 ? "yes" : "");
  }
}

TEST(Webp, LossyComesBackNearly) {
  const Drawing drawing = draw(160, 120, 3);
  const auto picture = decode(kWebp, encode_webp(drawing, false));
  ASSERT_TRUE(picture) << picture.error().message;
  EXPECT_LE(mean_difference(picture->bytes, {reinterpret_cast<const char*>(drawing.pixels.data()),
                                             drawing.pixels.size()}),
            4);
  EXPECT_EQ(fact_of(*picture, "lossless"), "no");
}

TEST(Webp, AnimationIsItsFirstFrameOnWhite) {
  const Drawing drawing = draw(20, 16, 3);
  const auto picture = decode(kWebp, animated_webp(encode_webp(drawing, true), 40, 30));
  ASSERT_TRUE(picture) << picture.error().message;
  EXPECT_EQ(fact_of(*picture, "frames"), "2");
  EXPECT_EQ(picture->width, 40U);
  EXPECT_EQ(picture->height, 30U);
  EXPECT_EQ(picture->row(0)[0], 255);
  EXPECT_EQ(picture->row(29)[3 * 39], 255);
  EXPECT_EQ(picture->row(2)[3 * 4], drawing.at(0, 0, 0));
  EXPECT_EQ(picture->row(17)[3 * 23 + 2], drawing.at(19, 15, 2));
}

TEST(Webp, ExifTurnsThePicture) {
  const auto picture =
      decode(kWebp, webp_with_exif(encode_webp(draw(20, 10, 3), true), make_exif(6)));
  ASSERT_TRUE(picture) << picture.error().message;
  EXPECT_EQ(picture->width, 10U);
  EXPECT_EQ(fact_of(*picture, "camera"), "Kamera");
}

TEST(Webp, AFewMissingRowsAreSaidAndManyAreDamage) {
  const std::string file = encode_webp(draw(320, 640, 3), false);
  const auto most = decode(kWebp, file.substr(0, file.size() - file.size() / 50));
  ASSERT_TRUE(most) << most.error().message;
  EXPECT_FALSE(fact_of(*most, "truncated").empty());
  EXPECT_FALSE(decode(kWebp, file.substr(0, file.size() / 2)));
}

}  // namespace
}  // namespace twinsift
