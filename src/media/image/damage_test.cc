// SPDX-License-Identifier: Apache-2.0
// Small files of each format with each byte changed and at each length: an error with a reason or
// a picture of the size it claims, never a crash.
#include <gtest/gtest.h>

#include "media/image/test_encoders.h"
#if defined(TWINSIFT_HAVE_WEBP)
#include "media/image/test_webp.h"
#endif
#if defined(TWINSIFT_HAVE_GIF)
#include "media/image/test_gif.h"
#endif
#if defined(TWINSIFT_HAVE_TIFF)
#include "media/image/test_tiff.h"
#endif
#if defined(TWINSIFT_HAVE_HEIF)
#include "media/image/test_heif.h"
#endif
#if defined(TWINSIFT_HAVE_JP2)
#include "media/image/test_jp2.h"
#endif

namespace twinsift {
namespace {

constexpr std::uint64_t kFewPixels = 1 << 20;  // so that lies about sizes cost little

void expect_sane(PictureKind kind, std::string_view file) {
  for (const PictureRequest& request :
       {PictureRequest{.digest = true}, PictureRequest{.min_side = 4, .grey = true}}) {
    const auto picture = decode(kind, file, request, kFewPixels);
    if (!picture) {
      ASSERT_FALSE(picture.error().message.empty());
      continue;
    }
    ASSERT_GT(picture->width, 0U);
    ASSERT_EQ(picture->bytes.size(),
              std::size_t{picture->columns} * picture->rows * picture->channels);
    ASSERT_GT(picture->bytes.size(), 0U);
  }
}

// Every `step`-th byte and length.
void damage(PictureKind kind, const std::string& file, std::size_t step = 1) {
  ASSERT_TRUE(decode(kind, file, {}, kFewPixels));
  for (std::size_t at = 0; at < file.size(); at += step) {
    expect_sane(kind, std::string_view(file).substr(0, at));
    for (const int flip : {0x01, 0x80, 0xFF}) {
      std::string changed = file;
      changed[at] = static_cast<char>(changed[at] ^ flip);
      expect_sane(kind, changed);
    }
  }
}

TEST(Damage, Jpeg) {
  damage(PictureKind::kJpeg, encode_jpeg(draw(24, 20, 3), {.exif = make_exif(6)}));
  damage(PictureKind::kJpeg, encode_jpeg(draw(24, 20, 3), {.progressive = true}), 3);
  damage(PictureKind::kJpeg, encode_jpeg(draw(24, 20, 1), {.restart = 1}), 3);
}
TEST(Damage, Png) {
  damage(PictureKind::kPng, encode_png(draw(10, 8, 4), {.exif = make_exif(8)}));
  damage(PictureKind::kPng, encode_png(draw(10, 8, 1), {.palette = true, .interlaced = true}));
}
TEST(Damage, Bmp) { damage(PictureKind::kBmp, encode_bmp(draw(10, 8, 3))); }
TEST(Damage, Pnm) { damage(PictureKind::kPnm, encode_pnm(draw(10, 8, 3))); }
#if defined(TWINSIFT_HAVE_WEBP)
TEST(Damage, Webp) {
  const std::string lossless = encode_webp(draw(20, 16, 4), true);
  damage(PictureKind::kWebp, lossless);
  damage(PictureKind::kWebp, encode_webp(draw(40, 32, 3), false));
  damage(PictureKind::kWebp, animated_webp(lossless, 40, 30));
}
#endif
#if defined(TWINSIFT_HAVE_GIF)
TEST(Damage, Gif) {
  damage(PictureKind::kGif, encode_gif(draw(10, 8, 1), {.transparent = 3, .frames = 2}));
}
#endif
#if defined(TWINSIFT_HAVE_TIFF)
TEST(Damage, Tiff) {
  damage(PictureKind::kTiff, encode_tiff(draw(10, 8, 4)));
  damage(PictureKind::kTiff,
         encode_tiff(draw(16, 16, 3), {.compression = COMPRESSION_JPEG, .pages = 2}), 2);
}
#endif
#if defined(TWINSIFT_HAVE_HEIF)
TEST(Damage, Heif) {
  const std::string file = encode_heif(draw(64, 64, 3), heif_compression_HEVC);
  if (file.empty()) GTEST_SKIP() << "no encoder";
  damage(PictureKind::kHeif, file, 7);
}
#endif
#if defined(TWINSIFT_HAVE_JP2)
TEST(Damage, Jp2) { damage(PictureKind::kJp2, encode_jp2(draw(32, 32, 3)), 5); }
#endif

}  // namespace
}  // namespace twinsift
