// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "media/image/test_heif.h"

namespace twinsift {
namespace {

void expect_near(heif_compression_format codec, std::uint32_t channels, std::string_view format) {
  const Drawing drawing = draw(96, 64, channels);
  const std::string file = encode_heif(drawing, codec);
  if (file.empty()) GTEST_SKIP() << "no encoder for " << format;
  ASSERT_EQ(recognise_picture(bytes_of(file)), PictureKind::kHeif);
  const auto picture = decode(PictureKind::kHeif, file);
  ASSERT_TRUE(picture) << picture.error().message;
  const Drawing flat = flattened(drawing);
  EXPECT_LE(mean_difference(picture->bytes, {reinterpret_cast<const char*>(flat.pixels.data()),
                                             flat.pixels.size()}),
            5);
  EXPECT_EQ(picture->width, 96U);
  EXPECT_EQ(fact_of(*picture, "format"), format);
  EXPECT_EQ(fact_of(*picture, "alpha"), channels == 4 ? "yes" : "");
}

TEST(Heif, HeicComesBackNearly) { expect_near(heif_compression_HEVC, 3, "heif"); }
TEST(Heif, AvifComesBackNearly) { expect_near(heif_compression_AV1, 3, "avif"); }
TEST(Heif, AlphaIsLaidOnWhite) { expect_near(heif_compression_AV1, 4, "avif"); }

TEST(Heif, TruncatedIsDamaged) {
  const std::string file = encode_heif(draw(64, 64, 3), heif_compression_AV1);
  if (file.empty()) GTEST_SKIP() << "no encoder";
  const auto picture = decode(PictureKind::kHeif, file.substr(0, file.size() / 2));
  ASSERT_FALSE(picture);
  EXPECT_TRUE(picture.error().message.starts_with("damaged HEIF")) << picture.error().message;
}

}  // namespace
}  // namespace twinsift
