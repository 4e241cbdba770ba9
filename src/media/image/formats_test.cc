// SPDX-License-Identifier: Apache-2.0
// The formats that are read without a library: BMP and PNM.
#include <gtest/gtest.h>

#include "media/image/test_encoders.h"

namespace twinsift {
namespace {

TEST(Bmp, GreyAndRgbComeBackExactly) {
  for (const std::uint32_t channels : {1U, 3U}) {
    for (const std::uint32_t width : {53U, 64U}) {
      const Drawing drawing = draw(width, 37, channels);
      const auto picture = decode(PictureKind::kBmp, encode_bmp(drawing));
      ASSERT_TRUE(picture) << picture.error().message;
      EXPECT_EQ(difference(*picture, flattened(drawing)), 0);
    }
  }
}

// A header of 40 bytes and what else a test wants; the pixels follow `extra`.
std::string bmp_of(std::uint32_t width, std::uint32_t height, unsigned bits, unsigned compression,
                   const std::string& extra, const std::string& pixels) {
  std::string file = "BM";
  append_number(file, 54 + extra.size() + pixels.size(), 4);
  append_number(file, 0, 4);
  append_number(file, 54 + extra.size(), 4);
  append_number(file, 40, 4);
  append_number(file, width, 4);
  append_number(file, height, 4);
  append_number(file, 1, 2);
  append_number(file, bits, 2);
  append_number(file, compression, 4);
  file.resize(54);
  return file + extra + pixels;
}

std::string palette_of_bits(unsigned bits) {
  std::string palette;
  for (unsigned i = 0; i < 1U << bits; ++i) append_number(palette, 0x010101U * i, 4);
  return palette;
}

void expect_red(const std::string& file, const std::vector<std::uint8_t>& expected) {
  const auto picture = decode(PictureKind::kBmp, file);
  ASSERT_TRUE(picture) << picture.error().message;
  std::vector<std::uint8_t> red;
  for (std::size_t i = 0; i < picture->bytes.size(); i += 3) {
    red.push_back(static_cast<std::uint8_t>(picture->bytes[i]));
  }
  EXPECT_EQ(red, expected);
}

TEST(Bmp, FewBitsAreUnpacked) {
  expect_red(bmp_of(3, 1, 1, 0, std::string("\0\0\0\0\xFF\xFF\xFF\0", 8), "\xA0xyz"),
             {255, 0, 255});
  expect_red(bmp_of(3, 1, 4, 0, palette_of_bits(4), std::string("\x1F\x30yz", 4)), {1, 15, 3});
}

TEST(Bmp, RunsAreUnpackedFromTheBottomUp) {
  // Lower row: 3 x 7, end of row.  Upper row: 1, 2, 3 as they are, padded; end of picture.
  const std::string runs("\3\7\0\0\0\3\1\2\3\0\0\1", 12);
  expect_red(bmp_of(3, 2, 8, 1, palette_of_bits(8), runs), {1, 2, 3, 7, 7, 7});
  const std::string nibbles("\3\x7A\0\0\0\3\x12\x30\0\1", 10);
  expect_red(bmp_of(3, 2, 4, 2, palette_of_bits(4), nibbles), {1, 2, 3, 7, 10, 7});
}

TEST(Bmp, FieldsAndTopDownRows) {
  const std::string fields("\0\xF8\0\0\xE0\7\0\0\x1F\0\0\0", 12);  // 5, 6 and 5 bits
  expect_red(bmp_of(2, 1, 16, 3, fields, std::string("\0\xF8\xFF\7", 4)), {255, 0});
  const std::string rows("\0\0\1\0\0\0\2\0", 8);
  expect_red(bmp_of(1, 0xFFFFFFFE, 32, 0, "", rows), {1, 2});
}

// A palette of any length may stand before pixels that do not use it.
TEST(Bmp, PaletteOfTrueColourIsIgnored) {
  std::string file = bmp_of(1, 1, 24, 0, "", std::string("\0\0\5\0", 4));
  file[47] = '\4';  // 1,024 colours
  expect_red(file + std::string(5000, 'x'), {5});
}

TEST(Bmp, StrangeOnesAreRefused) {
  EXPECT_EQ(decode(PictureKind::kBmp, bmp_of(1, 1, 24, 4, "", "xxxx")).error().code,
            ErrorCode::kUnsupported);
  EXPECT_EQ(decode(PictureKind::kBmp, bmp_of(0x7FFFFFFF, 0x7FFFFFFF, 24, 0, "", "")).error().code,
            ErrorCode::kLimit);
  EXPECT_EQ(decode(PictureKind::kBmp, bmp_of(0, 1, 24, 0, "", "")).error().code,
            ErrorCode::kCorrupt);
}

TEST(Pnm, BinaryKindsComeBackExactly) {
  for (const std::uint32_t channels : {1U, 3U}) {
    const Drawing drawing = draw(53, 37, channels);
    const auto picture = decode(PictureKind::kPnm, encode_pnm(drawing));
    ASSERT_TRUE(picture) << picture.error().message;
    EXPECT_EQ(difference(*picture, flattened(drawing)), 0);
  }
  const auto bitmap = decode(PictureKind::kPnm, "P4 3 1\n\xA0", {.grey = true});
  ASSERT_TRUE(bitmap);
  EXPECT_EQ(bitmap->bytes, std::string("\0\xFF\0", 3));
  const auto wide =
      decode(PictureKind::kPnm, std::string("P5 2 1 65535\n\xFF\xFF\x80\x80", 17), {.grey = true});
  ASSERT_TRUE(wide);
  EXPECT_EQ(wide->bytes, "\xFF\x80");
}

TEST(Pnm, HeadersThatMakeNoSenseAreDamaged) {
  for (const char* header : {"P6", "P6 ", "P6 1", "P6 1 1 ", "P6 1 1 0 x", "P6 1 1 70000 x",
                             "P6 99999999999 1 255 x", "P6 # no end"}) {
    EXPECT_FALSE(decode(PictureKind::kPnm, header)) << header;
  }
}

}  // namespace
}  // namespace twinsift
