// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "media/image/test_jp2.h"

namespace twinsift {
namespace {

constexpr PictureKind kJp2 = PictureKind::kJp2;

TEST(Jp2, GreyRgbAlphaAnd16BitsComeBackExactly) {
  for (const OPJ_UINT32 bits : {8U, 16U}) {
    for (std::uint32_t channels = 1; channels <= 4; ++channels) {
      const Drawing drawing = draw(65, 47, channels);
      const auto picture = decode(kJp2, encode_jp2(drawing, false, bits));
      ASSERT_TRUE(picture) << picture.error().message;
      EXPECT_LE(difference(*picture, flattened(drawing)), 1) << bits << ' ' << channels;
    }
  }
}

TEST(Jp2, BareCodestreamIsRead) {
  const Drawing drawing = draw(64, 48, 3);
  const std::string file = encode_jp2(drawing, true);
  ASSERT_EQ(recognise_picture(bytes_of(file)), kJp2);
  const auto picture = decode(kJp2, file);
  ASSERT_TRUE(picture) << picture.error().message;
  EXPECT_EQ(difference(*picture, drawing), 0);
}

// The lowest band of a wavelet is not a box filter, but on soft pictures nearly so.
TEST(Jp2, ShrinkingWhileReadingIsNearlyABoxFilter) {
  const Drawing drawing = draw(509, 384, 1);
  const std::string file = encode_jp2(drawing);
  for (const std::uint32_t factor : {4U, 8U, 16U, 32U}) {
    const PictureRequest request = {.min_side = 384 / factor, .grey = true};
    const auto small = decode(kJp2, file, request);
    ASSERT_TRUE(small) << small.error().message;
    ASSERT_EQ(small->columns, (509 + factor - 1) / factor);
    PictureBuilder box(request, 1 << 20);
    ASSERT_TRUE(box.begin({.width = 509, .height = 384, .channels = 1}));
    for (std::size_t y = 0; y < 384; ++y) box.row(std::span(drawing.pixels).subspan(509 * y, 509));
    EXPECT_LE(mean_difference(small->bytes, box.finish("test")->bytes), 4.0) << factor;
  }
}

TEST(Jp2, TruncatedIsDamaged) {
  const std::string file = encode_jp2(draw(64, 64, 3));
  const auto picture = decode(kJp2, file.substr(0, file.size() / 2));
  ASSERT_FALSE(picture);
  EXPECT_EQ(picture.error().message, "damaged JPEG 2000");
}

}  // namespace
}  // namespace twinsift
