// SPDX-License-Identifier: Apache-2.0
#include <chrono>

#include <gtest/gtest.h>

#include "media/image/test_gif.h"

namespace twinsift {
namespace {

constexpr PictureKind kGif = PictureKind::kGif;

// The palette of encode_gif applied.
Drawing coloured(const Drawing& grey) {
  Drawing colour{grey.width, grey.height, 3, {}};
  for (const std::uint8_t value : grey.pixels) {
    colour.pixels.insert(colour.pixels.end(), {value, static_cast<std::uint8_t>(255 - value), 7});
  }
  return colour;
}

TEST(Gif, PaletteComesBackExactly) {
  const Drawing grey = draw(53, 37, 1);
  for (const bool interlaced : {false, true}) {
    const auto picture = decode(kGif, encode_gif(grey, {.interlaced = interlaced}));
    ASSERT_TRUE(picture) << picture.error().message;
    EXPECT_EQ(difference(*picture, coloured(grey)), 0) << interlaced;
    EXPECT_EQ(fact_of(*picture, "colour"), "palette");
    EXPECT_EQ(fact_of(*picture, "frames"), "");
  }
}

TEST(Gif, TransparentIsWhiteAndSoIsTheRestOfTheScreen) {
  Drawing grey = draw(20, 10, 1);
  grey.at(3, 3, 0) = 99;
  const auto picture = decode(kGif, encode_gif(grey, {.transparent = 99, .left = 5, .top = 2}));
  ASSERT_TRUE(picture) << picture.error().message;
  EXPECT_EQ(picture->width, 30U);
  EXPECT_EQ(picture->row(0)[0], 255);
  EXPECT_EQ(picture->row(5)[3 * 8 + 2], 255);
  EXPECT_EQ(picture->row(2)[3 * 5], grey.at(0, 0, 0));
  EXPECT_EQ(fact_of(*picture, "alpha"), "yes");
}

TEST(Gif, TenThousandFramesAreCountedAndOneIsDecoded) {
  const std::string file = encode_gif(draw(16, 16, 1), {.transparent = 1, .frames = 10'000});
  const auto start = std::chrono::steady_clock::now();
  const auto picture = decode(kGif, file);
  ASSERT_TRUE(picture) << picture.error().message;
  EXPECT_EQ(fact_of(*picture, "frames"), "10000");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
}

TEST(Gif, AFewMissingRowsAreSaidAndManyAreDamage) {
  const std::string file = encode_gif(draw(100, 400, 1));
  const auto most = decode(kGif, file.substr(0, file.size() - file.size() / 20));
  ASSERT_TRUE(most) << most.error().message;
  EXPECT_FALSE(fact_of(*most, "truncated").empty());
  EXPECT_FALSE(decode(kGif, file.substr(0, file.size() / 2)));
}

TEST(Gif, GiantScreensAreRefusedByTheirHeaders) {
  std::string file = encode_gif(draw(16, 16, 1));
  for (std::size_t i = 6; i < 10; ++i) file[i] = '\xFF';
  const auto picture = decode(kGif, file);
  ASSERT_FALSE(picture);
  EXPECT_EQ(picture.error().code, ErrorCode::kLimit);
}

}  // namespace
}  // namespace twinsift
