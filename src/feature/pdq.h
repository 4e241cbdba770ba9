// SPDX-License-Identifier: Apache-2.0
// PDQ: the 256-bit code of a picture by which trust-and-safety systems exchange what they know.
//
// The picture's luma, smoothed and sampled to 64 x 64, is transformed by the first 16 x 16 terms of
// a cosine transform without its constant rows; each bit says whether a term is above the median of
// all, so that half of the bits are set.  The quality is a measure of the gradients: pictures with
// little in them have codes that mean little.  The eight codes of a turned or mirrored picture
// follow from one transform, by signs and by exchanging rows and columns.
//
// Papers:  Facebook, "The TMK+PDQF Video-Hashing Algorithm and the PDQ Image-Hashing Algorithm",
//          2019.
// Differs: nothing; the codes are those of the published program, bit by bit, which takes every
//          n-th pixel of pictures larger than 512 x 512.
// Cost:    one pass over at most 2^18 pixels and 80,000 multiplications.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace twinsift {

// Bit i is bit i % 64 of word i / 64.
using PdqCode = std::array<std::uint64_t, 4>;

struct Pdq {
  PdqCode code{};
  int quality = 0;  // 0 to 100; up to 49: too little in it for a match to mean anything
};

inline constexpr int kPdqLeastQuality = 50;
inline constexpr int kPdqMatchDistance = 31;  // bits, as its authors recommend

// Three bytes a pixel, row by row.
struct RgbPixels {
  std::span<const std::uint8_t> bytes;
  std::uint32_t width = 0;
  std::uint32_t height = 0;
};

// Requires: 3 * width * height bytes, neither of them 0.
Pdq pdq_of(const RgbPixels& pixels);

// In this order: as it is; turned left by 90, 180 and 270 degrees; mirrored upside down, left to
// right, at the main diagonal and at the other one.
std::array<Pdq, 8> pdq_of_all_orientations(const RgbPixels& pixels);

// 64 hexadecimal digits, the highest bit first, as everybody writes them.
std::string pdq_hex(const PdqCode& code);
std::optional<PdqCode> parse_pdq_hex(std::string_view hex);

int pdq_distance(const PdqCode& a, const PdqCode& b);

}  // namespace twinsift
