// SPDX-License-Identifier: Apache-2.0
// Pictures are recognised by their content, and text never is one.
#include "media/picture.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "media/tiff_head.h"

namespace twinsift {
namespace {

using std::string_view_literals::operator""sv;

PictureKind kind_of(std::string_view head) {
  return recognise_picture(std::as_bytes(std::span(head)));
}

TEST(RecognisePicture, ByMagic) {
  EXPECT_EQ(kind_of("\xFF\xD8\xFF\xE0\0\x10JFIF"sv), PictureKind::kJpeg);
  EXPECT_EQ(kind_of("\x89PNG\r\n\x1A\n"sv), PictureKind::kPng);
  EXPECT_EQ(kind_of("RIFF\1\2\3\4WEBPVP8 "sv), PictureKind::kWebp);
  EXPECT_EQ(kind_of("GIF89a"sv), PictureKind::kGif);
  EXPECT_EQ(kind_of("II*\0\10\0\0\0\0\0"sv), PictureKind::kTiff);
  EXPECT_EQ(kind_of("MM\0*\0\0\0\10\0\0"sv), PictureKind::kTiff);
  EXPECT_EQ(kind_of("\0\0\0\x0CjP  \r\n\x87\n"sv), PictureKind::kJp2);
  EXPECT_EQ(kind_of("\xFF\x4F\xFF\x51\0"sv), PictureKind::kJp2);
  EXPECT_EQ(kind_of("P6\n# by hand\n640 480\n255\n\1"sv), PictureKind::kPnm);
  EXPECT_EQ(kind_of("BM\1\1\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\1\0\0\0\1\0\0\0"sv), PictureKind::kBmp);
}

TEST(RecognisePicture, ByBrand) {
  EXPECT_EQ(kind_of("\0\0\0\x18"
                    "ftypheic\0\0\0\0mif1heic"sv),
            PictureKind::kHeif);
  EXPECT_EQ(kind_of("\0\0\0\x1C"
                    "ftypmif1\0\0\0\0mif1avifmiaf"sv),
            PictureKind::kHeif);
  EXPECT_EQ(kind_of("\0\0\0\x18"
                    "ftypavif\0\0\0\0mif1miaf"sv),
            PictureKind::kHeif);
  EXPECT_EQ(kind_of("\0\0\0\x18"
                    "ftypcrx \0\0\0\1crx isom"sv),
            PictureKind::kRaw);
  EXPECT_EQ(kind_of("\0\0\0\x18"
                    "ftypisom\0\0\2\0isommp41"sv),
            PictureKind::kNone)
      << "a film";
  EXPECT_EQ(kind_of("\0\0\0\x10"
                    "ftypisom\0\0\2\0heic"sv),
            PictureKind::kNone)
      << "another box";
}

std::string tiff_of(std::vector<std::array<unsigned, 4>> entries) {
  std::string file("II*\0\10\0\0\0", 8);
  const auto number = [&](unsigned value, int bytes) {
    for (int i = 0; i < bytes; ++i) file.push_back(static_cast<char>(value >> (8 * i)));
  };
  number(static_cast<unsigned>(entries.size()), 2);
  for (const auto& [tag, type, count, value] : entries) {
    number(tag, 2);
    number(type, 2);
    number(count, 4);
    number(value, 4);
  }
  return file + std::string(64, '\0');
}

TEST(RecognisePicture, RawFlavours) {
  EXPECT_EQ(kind_of("II*\0\x10\0\0\0CR\2\0"sv), PictureKind::kRaw);
  EXPECT_EQ(kind_of("FUJIFILMCCD-RAW 0201"sv), PictureKind::kRaw);
  EXPECT_EQ(kind_of("IIRO\10\0\0\0"sv), PictureKind::kRaw);
  EXPECT_EQ(kind_of("IIU\0\10\0\0\0"sv), PictureKind::kRaw);
  EXPECT_EQ(kind_of(tiff_of({{50706, 1, 4, 0x00000401}})), PictureKind::kRaw) << "DNG";
  EXPECT_EQ(kind_of(tiff_of({{254, 4, 1, 1}, {271, 2, 6, 60}, {330, 4, 2, 60}})), PictureKind::kRaw)
      << "NEF, ARW";
  EXPECT_EQ(kind_of(tiff_of({{254, 4, 1, 0}, {271, 2, 6, 60}, {330, 4, 2, 60}})),
            PictureKind::kTiff)
      << "a photo saved as TIFF";
}

TEST(RecognisePicture, TextIsNone) {
  for (const auto text :
       {""sv, "B"sv, "BMW builds cars, and other things as well."sv, "P6"sv,
        "P5 is a street, 12 houses long"sv, "P4 2 be or not"sv, "GIF"sv, "II* begins this line"sv,
        "MM"sv, "RIFF is a word"sv, "ftypheic is a brand"sv, "P654 3 2 1\n"sv}) {
    EXPECT_EQ(kind_of(text), PictureKind::kNone) << text;
  }
}

TEST(TiffReader, OffsetsOutsideTheFileAreLeftOut) {
  const std::string file =
      tiff_of({{271, 2, 0xFFFFFFFF, 8}, {272, 2, 9, 0xFFFFFFF0}, {254, 4, 1, 7}});
  const TiffReader tiff(std::as_bytes(std::span(file)));
  ASSERT_TRUE(tiff.first_directory());
  EXPECT_EQ(tiff.entries(*tiff.first_directory()).size(), 1U);
  EXPECT_TRUE(tiff.entries(0xFFFFFFFF).empty());
}

}  // namespace
}  // namespace twinsift
