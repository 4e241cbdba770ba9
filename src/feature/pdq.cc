// SPDX-License-Identifier: Apache-2.0
#include "feature/pdq.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/bit_code.h"

namespace twinsift {
namespace {

constexpr std::uint32_t kLargest = 512;  // larger pictures are sampled to this width and height
constexpr std::uint32_t kSide = 64;
constexpr std::uint32_t kTerms = 16;
constexpr std::size_t kBits = std::size_t{kTerms} * kTerms;

using Sampled = std::array<std::array<float, kSide>, kSide>;
using Terms = std::array<std::array<float, kTerms>, kTerms>;

struct Luma {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::vector<float> values;
};

Luma luma_of(const RgbPixels& pixels) {
  const bool large = pixels.width > kLargest || pixels.height > kLargest;
  Luma luma{.width = large ? kLargest : pixels.width,
            .height = large ? kLargest : pixels.height,
            .values = {}};
  luma.values.reserve(std::size_t{luma.width} * luma.height);
  for (std::uint64_t y = 0; y < luma.height; ++y) {
    const std::uint64_t row = y * pixels.height / luma.height * pixels.width;
    for (std::uint64_t x = 0; x < luma.width; ++x) {
      const std::uint8_t* rgb = &pixels.bytes[3 * (row + x * pixels.width / luma.width)];
      luma.values.push_back(0.299F * static_cast<float>(rgb[0]) +
                            0.587F * static_cast<float>(rgb[1]) +
                            0.114F * static_cast<float>(rgb[2]));
    }
  }
  return luma;
}

// The mean of `window` values around each; fewer at the ends.  The sum is carried along in float,
// because what rounding makes of it is part of the code.
void smooth(const float* in, float* out, std::uint32_t count, std::size_t stride,
            std::uint32_t window) {
  const std::uint32_t right = window / 2;
  const std::uint32_t left = window - 1 - right;
  float sum = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  for (; end < right; ++end) sum += in[end * stride];
  for (std::uint32_t i = 0; i < count; ++i) {
    if (end < count) sum += in[end++ * stride];
    if (i > begin + left) sum -= in[begin++ * stride];
    out[i * stride] = sum / static_cast<float>(end - begin);
  }
}

std::uint32_t window_for(std::uint32_t size) { return (size + 2 * kSide - 1) / (2 * kSide); }

// Twice a box filter in each direction is nearly a triangle's; then every n-th value.
Sampled sample(Luma luma) {
  std::vector<float> other(luma.values.size());
  for (int pass = 0; pass < 2; ++pass) {
    for (std::size_t y = 0; y < luma.height; ++y) {
      const std::size_t row = y * luma.width;
      smooth(&luma.values[row], &other[row], luma.width, 1, window_for(luma.width));
    }
    for (std::size_t x = 0; x < luma.width; ++x) {
      smooth(&other[x], &luma.values[x], luma.height, luma.width, window_for(luma.height));
    }
  }
  const auto place = [](std::uint32_t i, std::uint32_t size) {
    return static_cast<std::size_t>((i + 0.5) * size / kSide);
  };
  Sampled sampled{};
  for (std::uint32_t y = 0; y < kSide; ++y) {
    const std::size_t row = place(y, luma.height) * luma.width;
    for (std::uint32_t x = 0; x < kSide; ++x) {
      sampled[y][x] = luma.values[row + place(x, luma.width)];
    }
  }
  return sampled;
}

int quality_of(const Sampled& sampled) {
  const auto step = [](float a, float b) {
    return std::abs(static_cast<int>((a - b) * 100 / 255));
  };
  int sum = 0;
  for (std::size_t i = 0; i < kSide; ++i) {
    for (std::size_t j = 0; j + 1 < kSide; ++j) {
      sum += step(sampled[j][i], sampled[j + 1][i]) + step(sampled[i][j], sampled[i][j + 1]);
    }
  }
  return std::min(sum / 90, 100);
}

using Waves = std::array<std::array<float, kSide>, kTerms>;

Waves make_waves() {
  Waves waves{};
  for (std::uint32_t i = 0; i < kTerms; ++i) {
    for (std::uint32_t j = 0; j < kSide; ++j) {
      const double angle = std::numbers::pi / 2 / kSide * (i + 1) * (2 * j + 1);
      waves[i][j] = static_cast<float>(std::sqrt(2.0 / kSide) * std::cos(angle));
    }
  }
  return waves;
}

Terms transform(const Sampled& sampled) {
  static const Waves waves = make_waves();
  Waves half{};
  for (std::size_t i = 0; i < kTerms; ++i) {
    for (std::size_t j = 0; j < kSide; ++j) {
      float sum = 0;
      for (std::size_t k = 0; k < kSide; ++k) sum += waves[i][k] * sampled[k][j];
      half[i][j] = sum;
    }
  }
  Terms terms{};
  for (std::size_t i = 0; i < kTerms; ++i) {
    for (std::size_t j = 0; j < kTerms; ++j) {
      float sum = 0;
      for (std::size_t k = 0; k < kSide; ++k) sum += half[i][k] * waves[j][k];
      terms[i][j] = sum;
    }
  }
  return terms;
}

PdqCode code_of(const Terms& terms) {
  std::array<float, kBits> sorted{};
  for (std::size_t bit = 0; bit < kBits; ++bit) sorted[bit] = terms[bit / kTerms][bit % kTerms];
  constexpr std::size_t kMedian = kBits / 2 - 1;  // the lower of the two in the middle
  std::nth_element(sorted.begin(), sorted.begin() + kMedian, sorted.end());
  PdqCode code{};
  for (std::size_t bit = 0; bit < kBits; ++bit) {
    const bool set = terms[bit / kTerms][bit % kTerms] > sorted[kMedian];
    code[bit / 64] |= std::uint64_t{set} << (bit % 64);
  }
  return code;
}

// Turning the picture over changes the sign of the odd waves, which are those with an even number
// here, because the constant one is left out.
Terms turned(const Terms& terms, bool swap, bool flip_rows, bool flip_columns) {
  Terms out{};
  for (std::size_t i = 0; i < kTerms; ++i) {
    for (std::size_t j = 0; j < kTerms; ++j) {
      const bool negative = (flip_rows && i % 2 == 0) != (flip_columns && j % 2 == 0);
      const float term = swap ? terms[j][i] : terms[i][j];
      out[i][j] = negative ? -term : term;
    }
  }
  return out;
}

}  // namespace

Pdq pdq_of(const RgbPixels& pixels) {
  assert(pixels.width > 0 && pixels.height > 0);
  assert(pixels.bytes.size() == std::size_t{3} * pixels.width * pixels.height);
  const Sampled sampled = sample(luma_of(pixels));
  return {.code = code_of(transform(sampled)), .quality = quality_of(sampled)};
}

std::array<Pdq, 8> pdq_of_all_orientations(const RgbPixels& pixels) {
  const Sampled sampled = sample(luma_of(pixels));
  const Terms terms = transform(sampled);
  const int quality = quality_of(sampled);
  const auto pdq = [&](bool swap, bool flip_rows, bool flip_columns) {
    return Pdq{.code = code_of(turned(terms, swap, flip_rows, flip_columns)), .quality = quality};
  };
  return {pdq(false, false, false), pdq(true, true, false),  pdq(false, true, true),
          pdq(true, false, true),   pdq(false, true, false), pdq(false, false, true),
          pdq(true, false, false),  pdq(true, true, true)};
}

std::string pdq_hex(const PdqCode& code) {
  return fmt::format("{:016x}{:016x}{:016x}{:016x}", code[3], code[2], code[1], code[0]);
}

std::optional<PdqCode> parse_pdq_hex(std::string_view hex) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  if (hex.size() != kBits / 4) return std::nullopt;
  PdqCode code{};
  for (std::size_t i = 0; i < hex.size(); ++i) {
    const bool upper = hex[i] >= 'A' && hex[i] <= 'F';
    const std::size_t value = kDigits.find(upper ? static_cast<char>(hex[i] - 'A' + 'a') : hex[i]);
    if (value == std::string_view::npos) return std::nullopt;
    std::uint64_t& word = code[3 - i / 16];
    word = word << 4U | value;
  }
  return code;
}

int pdq_distance(const PdqCode& a, const PdqCode& b) {
  return static_cast<int>(hamming_distance(a, b));
}

}  // namespace twinsift
