// SPDX-License-Identifier: Apache-2.0
// Made-up key points for tests: pictures at random, and what a known map makes of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

#include "base/planar.h"
#include "base/random.h"
#include "feature/key_points.h"

namespace twinsift {

inline void sort_words(LocalWords& words) {
  std::ranges::sort(words.words, {}, [](const LocalWord& w) {
    return std::tie(w.word, w.x, w.y, w.scale, w.angle, w.signature);
  });
}

struct MadeOptions {
  std::uint32_t width = 512;
  std::uint32_t height = 384;
  int points = 300;
  std::uint32_t vocabulary = 16384;
};

inline LocalWord random_word(Rng& rng, std::uint32_t vocabulary) {
  LocalWord word;
  word.word = rng.below(vocabulary);
  word.x = static_cast<std::uint16_t>(rng.below(65536));
  word.y = static_cast<std::uint16_t>(rng.below(65536));
  word.scale = static_cast<std::uint16_t>(4096 + 256 + rng.below(768));
  word.angle = static_cast<std::uint16_t>(rng.below(65536));
  word.signature = {rng.next(), rng.next()};
  return word;
}

inline LocalWords random_words(Rng& rng, const MadeOptions& options = {}) {
  LocalWords words{.width = options.width, .height = options.height, .words = {}};
  for (int i = 0; i < options.points; ++i) {
    words.words.push_back(random_word(rng, options.vocabulary));
  }
  sort_words(words);
  return words;
}

struct CopyOptions {
  double kept = 0.6;    // of the key points that the copy shows
  double pixels = 0.7;  // by which they are off, either way
  int flipped = 12;     // bits of the signature
  int others = 100;     // key points of its own
};

// The copy shows what the map, in pixels, brings into width x height.
inline LocalWords copy_under(const LocalWords& words, const PlanarMap& map, std::uint32_t width,
                             std::uint32_t height, Rng& rng, const CopyOptions& options = {}) {
  LocalWords copy{.width = width, .height = height, .words = {}};
  const auto noise = [&] { return options.pixels * (2 * rng.uniform() - 1); };
  for (LocalWord word : words.words) {
    const Point at{word.x / 65536.0 * words.width, word.y / 65536.0 * words.height};
    const Point to = map(at);
    const double x = (to.x + noise()) / width;
    const double y = (to.y + noise()) / height;
    if (x < 0 || x >= 1 || y < 0 || y >= 1 || rng.uniform() > options.kept) continue;
    const auto slope = map.slope(at);
    const double scale = std::sqrt(std::abs(slope[0] * slope[3] - slope[1] * slope[2]));
    const double angle = word.angle / 65536.0 * 2 * std::numbers::pi;
    const double dx = slope[0] * std::cos(angle) + slope[1] * std::sin(angle);
    const double dy = slope[2] * std::cos(angle) + slope[3] * std::sin(angle);
    const double turns = std::atan2(dy, dx) / (2 * std::numbers::pi) + 0.02 * (rng.uniform() - 0.5);
    word.x = static_cast<std::uint16_t>(x * 65536);
    word.y = static_cast<std::uint16_t>(y * 65536);
    word.scale = static_cast<std::uint16_t>(word.scale + std::lround(256 * std::log2(scale)) +
                                            rng.below(20));
    word.angle = static_cast<std::uint16_t>(std::lround((turns - std::floor(turns)) * 65535));
    for (int i = 0; i < options.flipped; ++i) {
      const std::uint32_t bit = rng.below(128);
      word.signature[bit / 64] ^= std::uint64_t{1} << (bit % 64);
    }
    copy.words.push_back(word);
  }
  for (int i = 0; i < options.others; ++i) copy.words.push_back(random_word(rng, 16384));
  sort_words(copy);
  return copy;
}

// Turned clockwise by so many degrees around the middle of `from`, scaled, its middle moved to
// `to`.
inline PlanarMap turned_map(double degrees, double scale, Point from, Point to) {
  const double angle = degrees * std::numbers::pi / 180;
  const double p = scale * std::cos(angle);
  const double q = scale * std::sin(angle);
  return {
      .m = {p, -q, to.x - p * from.x + q * from.y, q, p, to.y - q * from.x - p * from.y, 0, 0, 1}};
}

// The key points of the mirror image, left side right; twice is nothing.
inline LocalWords mirrored_words(const LocalWords& words) {
  LocalWords mirrored = words;
  for (LocalWord& word : mirrored.words) {
    word.x = static_cast<std::uint16_t>(65535 - word.x);
    word.angle = static_cast<std::uint16_t>(32768 - word.angle);
    // A mirror changes what a key point looks like.
    word.word = word.word ^ 1U;
    word.signature = {~word.signature[1], ~word.signature[0]};
  }
  sort_words(mirrored);
  return mirrored;
}

}  // namespace twinsift
