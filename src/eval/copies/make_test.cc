// SPDX-License-Identifier: Apache-2.0
#include "eval/copies/make.h"

#include <map>
#include <string>

#include <gtest/gtest.h>
#include <xxhash.h>

#include "eval/copies/caption.h"
#include "eval/copies/font.h"
#include "eval/copies/test_photo.h"
#include "media/image/decoders.h"

namespace twinsift {
namespace {

constexpr std::uint64_t kSeed = 20190503;

std::string hash_of(const RgbImage& image) {
  const std::string size = std::to_string(image.width) + "x" + std::to_string(image.height);
  char text[32];
  std::snprintf(
      text, sizeof(text), "%016llx",
      static_cast<unsigned long long>(XXH3_64bits_withSeed(image.bytes.data(), image.bytes.size(),
                                                           XXH3_64bits(size.data(), size.size()))));
  return text;
}

const CopyVersion& version_of(std::string_view name) {
  return *std::ranges::find(kCopyVersions, name, &CopyVersion::name);
}

TEST(Versions, HaveNamesOfTheirOwn) {
  std::map<std::string_view, int> names;
  for (const CopyVersion& version : kCopyVersions) ++names[version.name];
  EXPECT_EQ(names.size(), 27U);
}

// The pixels before they are saved; a change here makes old and new figures incomparable.
TEST(Versions, AreTheSamePixelsEverywhere) {
  const RgbImage photo = draw_photo(150, 100, 1);
  const std::map<std::string_view, std::string_view> golden = {
      {"jpeg75", "80573290bd92fef2"},     {"scale75", "d98007f056a7bea5"},
      {"scale50", "736e920bf230eae0"},    {"scale25", "9b3572d17469e6de"},
      {"blur1", "e59a0e02d719aecd"},      {"blur3", "3aa1435df4884d3e"},
      {"noise10", "00ece97b429557cf"},    {"noise25", "c942270a11a23c90"},
      {"crop10", "8ca76f2b9ddf8b4c"},     {"crop20", "671c5b674509a394"},
      {"rotate5", "f5619ad3a3e7e467"},    {"caption", "5b4c46d774dcf54d"},
      {"brightness", "e3de33ed22a8fc03"}, {"crop50", "17b28c20e28c9ef3"},
      {"rotate25", "78d9eaa8f9393f02"},   {"rotate90", "460bacbe29ad2a50"},
      {"mirror", "75e7dff1bb971964"},     {"grey", "68ca907ce5bbc323"},
      {"border", "44abcc43423f82f9"},     {"meme", "f7253f37bf6a94f2"},
  };
  for (const auto& [name, hash] : golden) {
    EXPECT_EQ(hash_of(changed(photo, version_of(name), kSeed)), hash) << name;
  }
}

TEST(Versions, OfAnotherPhotoAreCroppedAndWrittenOnDifferently) {
  const RgbImage photo = draw_photo(150, 100, 1);
  for (const char* name : {"noise10", "crop10", "crop50", "meme"}) {
    EXPECT_NE(changed(photo, version_of(name), 1), changed(photo, version_of(name), 2)) << name;
  }
  for (const char* name : {"jpeg5", "scale50", "blur3", "rotate25", "mirror", "border", "grey"}) {
    EXPECT_EQ(changed(photo, version_of(name), 1), changed(photo, version_of(name), 2)) << name;
  }
}

TEST(Versions, AreFilesThatShowTheChangedPhoto) {
  const RgbImage photo = draw_photo(150, 100, 1);
  for (const CopyVersion& version : kCopyVersions) {
    const RgbImage image = changed(photo, version, kSeed);
    const auto file = encoded(image, version.format, version.quality);
    if (!file) {
      EXPECT_EQ(file.error().code, ErrorCode::kUnsupported) << version.name;
      continue;
    }
    const Bytes bytes = std::as_bytes(std::span(*file));
    constexpr std::array kKinds = {PictureKind::kJpeg, PictureKind::kPng, PictureKind::kWebp};
    const PictureKind kind = kKinds[static_cast<std::size_t>(version.format)];
    ASSERT_EQ(recognise_picture(bytes), kind) << version.name;
    const auto decoded = decode_picture(kind, bytes, {}, 1 << 20);
    ASSERT_TRUE(decoded) << version.name << decoded.error().message;
    ASSERT_EQ(decoded->columns, image.width) << version.name;
    ASSERT_EQ(decoded->rows, image.height) << version.name;
    double error = 0;
    for (std::size_t i = 0; i < image.bytes.size(); ++i) {
      error += std::abs(static_cast<std::uint8_t>(decoded->bytes[i]) - image.bytes[i]);
    }
    error /= static_cast<double>(image.bytes.size());
    EXPECT_LT(error, version.quality < 50 || version.name.starts_with("noise") ? 25 : 12)
        << version.name;
    if (version.format == CopyFormat::kPng) {
      EXPECT_EQ(error, 0);
    }
  }
}

TEST(Font, HasEightRowsOfFiveCellsForEveryCharacterAndNoTwoAlike) {
  std::map<std::string_view, char> seen;
  for (const Glyph& glyph : kFont) {
    ASSERT_EQ(glyph.rows.size(), kGlyphRows) << glyph.character;
    EXPECT_EQ(glyph.rows.find_first_not_of("0123456789abcdefghijklmnopqrstuv"),
              std::string_view::npos);
    EXPECT_TRUE(seen.emplace(glyph.rows, glyph.character).second) << glyph.character;
  }
  for (char c = 'a'; c <= 'z'; ++c) EXPECT_NE(glyph_of(c), glyph_of('?')) << c;
  for (char c = 'A'; c <= 'Z'; ++c) EXPECT_NE(glyph_of(c), glyph_of('?')) << c;
  for (char c = '0'; c <= '9'; ++c) EXPECT_NE(glyph_of(c), glyph_of('?')) << c;
  EXPECT_EQ(glyph_of('\t'), glyph_of('?'));
  // An L: its left column and its foot.
  EXPECT_TRUE(is_inked(glyph_of('L'), 0, 0));
  EXPECT_FALSE(is_inked(glyph_of('L'), 1, 0));
  EXPECT_TRUE(is_inked(glyph_of('L'), 4, 6));
}

TEST(Caption, IsWhiteOnBlackAndStaysAtItsEdge) {
  RgbImage image(300, 160);
  std::ranges::fill(image.bytes, std::uint8_t{128});
  RgbImage top = image;
  write_caption(top, "Hello", CaptionPlace::kTop);
  RgbImage bottom = image;
  write_caption(bottom, "Hello", CaptionPlace::kBottom);
  const auto changed_rows = [&](const RgbImage& written) {
    std::pair<std::uint32_t, std::uint32_t> rows = {UINT32_MAX, 0};
    for (std::uint32_t y = 0; y < 160; ++y) {
      if (std::equal(written.at(0, y), written.at(0, y) + 900, image.at(0, y))) continue;
      rows = {std::min(rows.first, y), y};
    }
    return rows;
  };
  EXPECT_LT(changed_rows(top).second, 160U / 4);
  EXPECT_GT(changed_rows(bottom).first, 160U * 3 / 4);
  EXPECT_GT(std::ranges::count(top.bytes, 255), 300);
  EXPECT_GT(std::ranges::count(top.bytes, 0), 300);
}

TEST(Caption, LongerThanThePictureIsCutOffAndNothingElse) {
  RgbImage tiny(3, 2);
  write_caption(tiny, std::string(500, 'W'), CaptionPlace::kBottom);
  write_caption(tiny, "", CaptionPlace::kTop);
  EXPECT_EQ(tiny.bytes.size(), 18U);
}

}  // namespace
}  // namespace twinsift
