// SPDX-License-Identifier: Apache-2.0
// RAW, as a DNG drawn by hand: sixteen bits for each filter of an RGGB sensor, and perhaps a
// preview.
#include <gtest/gtest.h>

#include "media/image/test_encoders.h"

namespace twinsift {
namespace {

constexpr std::uint32_t kSide = 64;

struct Entry {
  unsigned tag;
  unsigned type;  // 1 byte, 2 text, 3 short, 4 long, 10 signed rational
  std::string value;
};

std::string numbers(std::initializer_list<std::uint64_t> values, int bytes) {
  std::string out;
  for (const auto value : values) append_number(out, value, bytes);
  return out;
}

std::string dng(unsigned orientation) {
  std::string sensor;
  for (std::uint32_t y = 0; y < kSide; ++y) {
    for (std::uint32_t x = 0; x < kSide; ++x) {
      const bool red = y % 2 == 0 && x % 2 == 0;
      append_number(sensor, y < kSide / 2 && red ? 60000 : 8000, 2);
    }
  }
  const std::string unit = numbers({1, 1, 0, 1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1, 1, 1}, 4);
  const std::vector<Entry> entries = {
      {254, 4, numbers({0}, 4)},
      {256, 4, numbers({kSide}, 4)},
      {257, 4, numbers({kSide}, 4)},
      {258, 3, numbers({16}, 2)},
      {259, 3, numbers({1}, 2)},
      {262, 3, numbers({32803}, 2)},  // a mosaic of filters
      {271, 2, std::string("Maker\0", 6)},
      {272, 2, std::string("Model 1\0", 8)},
      {273, 4, numbers({2000}, 4)},
      {274, 3, numbers({orientation}, 2)},
      {277, 3, numbers({1}, 2)},
      {278, 4, numbers({kSide}, 4)},
      {279, 4, numbers({sensor.size()}, 4)},
      {306, 2, std::string("2021:07:08 09:10:11\0", 20)},
      {33421, 3, numbers({2, 2}, 2)},
      {33422, 1, numbers({0, 1, 1, 2}, 1)},
      {50706, 1, numbers({1, 4, 0, 0}, 1)},
      {50708, 2, std::string("Maker Model 1\0", 14)},
      {50721, 10, unit},
  };
  std::string file("II*\0\10\0\0\0", 8);
  std::string values;
  append_number(file, entries.size(), 2);
  constexpr std::size_t kSizes[] = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8};
  for (const auto& [tag, type, value] : entries) {
    append_number(file, tag, 2);
    append_number(file, type, 2);
    append_number(file, value.size() / kSizes[type], 4);
    if (value.size() <= 4) {
      file += value + std::string(4 - value.size(), '\0');
    } else {
      append_number(file, 1000 + values.size(), 4);
      values += value + std::string(value.size() % 2, '\0');
    }
  }
  file.resize(1000);
  file += values;
  file.resize(2000);
  return file + sensor;
}

TEST(Raw, SensorIsReadAtHalfSizeAndTurned) {
  const std::string file = dng(1);
  ASSERT_EQ(recognise_picture(bytes_of(file)), PictureKind::kRaw);
  const auto picture = decode(PictureKind::kRaw, file, {.digest = true});
  ASSERT_TRUE(picture) << picture.error().message;
  EXPECT_EQ(picture->width, kSide);
  EXPECT_EQ(picture->columns, kSide / 2);
  EXPECT_EQ(fact_of(*picture, "format"), "raw");
  EXPECT_EQ(fact_of(*picture, "camera"), "Maker Model 1");
  EXPECT_EQ(fact_of(*picture, "exif_date"), "2021-07-08 09:10:11");
  EXPECT_FALSE(picture->digest) << "the pixels are not the sensor's";
  const auto redness = [](const Picture& p, std::uint32_t x, std::uint32_t y) {
    return p.row(y)[3 * x] - p.row(y)[3 * x + 2];
  };
  EXPECT_GT(redness(*picture, 16, 8), redness(*picture, 16, 24) + 20) << "the upper half is red";
  const auto turned = decode(PictureKind::kRaw, dng(6));
  ASSERT_TRUE(turned) << turned.error().message;
  EXPECT_GT(redness(*turned, 24, 16), redness(*turned, 8, 16) + 20) << "now it is the right one";
}

TEST(Raw, TruncatedIsDamagedOrPartlyReadButNoCrash) {
  const std::string file = dng(1);
  for (std::size_t size = 0; size < file.size(); size += 97) {
    const auto picture = decode(PictureKind::kRaw, file.substr(0, size), {}, 1 << 20);
    EXPECT_TRUE(picture || !picture.error().message.empty());
  }
}

}  // namespace
}  // namespace twinsift
