// SPDX-License-Identifier: Apache-2.0
// Writes RAW for tests, as a DNG drawn by hand: sixteen bits for each filter of an RGGB sensor.
#pragma once

#include "media/image/test_encoders.h"

namespace twinsift {

inline constexpr std::uint32_t kDngSide = 64;

struct DngEntry {
  unsigned tag;
  unsigned type;  // 1 byte, 2 text, 3 short, 4 long, 10 signed rational
  std::string value;
};

inline std::string dng_numbers(std::initializer_list<std::uint64_t> values, int bytes) {
  std::string out;
  for (const auto value : values) append_number(out, value, bytes);
  return out;
}

inline std::string encode_dng(unsigned orientation) {
  std::string sensor;
  for (std::uint32_t y = 0; y < kDngSide; ++y) {
    for (std::uint32_t x = 0; x < kDngSide; ++x) {
      const bool red = y % 2 == 0 && x % 2 == 0;
      append_number(sensor, y < kDngSide / 2 && red ? 60000 : 8000, 2);
    }
  }
  const std::string unit = dng_numbers({1, 1, 0, 1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1, 1, 1}, 4);
  const std::vector<DngEntry> entries = {
      {254, 4, dng_numbers({0}, 4)},
      {256, 4, dng_numbers({kDngSide}, 4)},
      {257, 4, dng_numbers({kDngSide}, 4)},
      {258, 3, dng_numbers({16}, 2)},
      {259, 3, dng_numbers({1}, 2)},
      {262, 3, dng_numbers({32803}, 2)},  // a mosaic of filters
      {271, 2, std::string("Maker\0", 6)},
      {272, 2, std::string("Model 1\0", 8)},
      {273, 4, dng_numbers({2000}, 4)},
      {274, 3, dng_numbers({orientation}, 2)},
      {277, 3, dng_numbers({1}, 2)},
      {278, 4, dng_numbers({kDngSide}, 4)},
      {279, 4, dng_numbers({sensor.size()}, 4)},
      {306, 2, std::string("2021:07:08 09:10:11\0", 20)},
      {33421, 3, dng_numbers({2, 2}, 2)},
      {33422, 1, dng_numbers({0, 1, 1, 2}, 1)},
      {50706, 1, dng_numbers({1, 4, 0, 0}, 1)},
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

}  // namespace twinsift
