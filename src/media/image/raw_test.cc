// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "media/image/test_raw.h"

namespace twinsift {
namespace {

TEST(Raw, SensorIsReadAtHalfSizeAndTurned) {
  const std::string file = encode_dng(1);
  ASSERT_EQ(recognise_picture(bytes_of(file)), PictureKind::kRaw);
  const auto picture = decode(PictureKind::kRaw, file, {.digest = true});
  ASSERT_TRUE(picture) << picture.error().message;
  EXPECT_EQ(picture->width, kDngSide);
  EXPECT_EQ(picture->columns, kDngSide / 2);
  EXPECT_EQ(fact_of(*picture, "format"), "raw");
  EXPECT_EQ(fact_of(*picture, "camera"), "Maker Model 1");
  EXPECT_EQ(fact_of(*picture, "exif_date"), "2021-07-08 09:10:11");
  EXPECT_FALSE(picture->digest) << "the pixels are not the sensor's";
  const auto redness = [](const Picture& p, std::uint32_t x, std::uint32_t y) {
    return p.row(y)[3 * x] - p.row(y)[3 * x + 2];
  };
  EXPECT_GT(redness(*picture, 16, 8), redness(*picture, 16, 24) + 20) << "the upper half is red";
  const auto turned = decode(PictureKind::kRaw, encode_dng(6));
  ASSERT_TRUE(turned) << turned.error().message;
  EXPECT_GT(redness(*turned, 24, 16), redness(*turned, 8, 16) + 20) << "now it is the right one";
}

TEST(Raw, TruncatedIsDamagedOrPartlyReadButNoCrash) {
  const std::string file = encode_dng(1);
  for (std::size_t size = 0; size < file.size(); size += 97) {
    const auto picture = decode(PictureKind::kRaw, file.substr(0, size), {}, 1 << 20);
    EXPECT_TRUE(picture || !picture.error().message.empty());
  }
}

}  // namespace
}  // namespace twinsift
