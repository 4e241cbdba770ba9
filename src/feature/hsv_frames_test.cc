// SPDX-License-Identifier: Apache-2.0
#include "feature/hsv_frames.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.h"

namespace twinsift {
namespace {

using Colour = std::array<std::uint8_t, 3>;

// Stripes of colours, each so many pixels wide, one pixel high.
struct Striped {
  std::vector<std::uint8_t> bytes;
  void stripe(const Colour& colour, std::size_t pixels) {
    for (std::size_t i = 0; i < pixels; ++i)
      bytes.insert(bytes.end(), colour.begin(), colour.end());
  }
  [[nodiscard]] RgbPixels view() const {
    return {bytes, static_cast<std::uint32_t>(bytes.size() / 3), 1};
  }
};

Striped flat(const Colour& colour) {
  Striped frame;
  frame.stripe(colour, 10);
  return frame;
}

std::size_t only_bin(const Colour& colour) {
  const HsvHistogram histogram = hsv_histogram(flat(colour).view());
  return static_cast<std::size_t>(std::ranges::max_element(histogram) - histogram.begin());
}

// (hue of 16) * 16 + (saturation of 4) * 4 + (value of 4), by the textbook's formula.
std::size_t textbook_bin(const Colour& colour) {
  const double r = colour[0] / 255.0;
  const double g = colour[1] / 255.0;
  const double b = colour[2] / 255.0;
  const double value = std::max({r, g, b});
  const double chroma = value - std::min({r, g, b});
  double hue = 0;
  if (chroma > 0) {
    if (value == r) {
      hue = std::fmod((g - b) / chroma + 6, 6);
    } else if (value == g) {
      hue = (b - r) / chroma + 2;
    } else {
      hue = (r - g) / chroma + 4;
    }
  }
  const double saturation = value > 0 ? chroma / value : 0;
  // Borders are exact fractions; what is rounded must not fall below them.
  const auto part = [](double x, int of) {
    return std::min(of - 1, static_cast<int>(x * of + 1e-9));
  };
  return static_cast<std::size_t>(part(hue / 6, 16) * 16 + part(saturation, 4) * 4 +
                                  std::max({colour[0], colour[1], colour[2]}) / 64);
}

RC_GTEST_PROP(HsvFrames, BinsAreThoseOfTheTextbook,
              (std::uint8_t r, std::uint8_t g, std::uint8_t b)) {
  RC_ASSERT(only_bin({r, g, b}) == textbook_bin({r, g, b}));
}

TEST(HsvFrames, PrimaryColoursHaveTheirBins) {
  EXPECT_EQ(only_bin({0, 0, 0}), 0U);
  EXPECT_EQ(only_bin({255, 255, 255}), 3U);
  EXPECT_EQ(only_bin({255, 0, 0}), 15U);
  EXPECT_EQ(only_bin({0, 255, 0}), 5U * 16 + 15);
  EXPECT_EQ(only_bin({0, 0, 255}), 10U * 16 + 15);
}

TEST(HsvFrames, DistanceIsTheShareOfOtherPixels) {
  Striped a;
  a.stripe({255, 0, 0}, 7);
  a.stripe({0, 255, 0}, 3);
  Striped b;
  b.stripe({255, 0, 0}, 4);
  b.stripe({0, 0, 255}, 6);
  const HsvHistogram one = hsv_histogram(a.view());
  const HsvHistogram other = hsv_histogram(b.view());
  EXPECT_NEAR(hsv_distance(one, other), 0.6, 1e-6);
  EXPECT_EQ(hsv_distance(one, one), 0);
  EXPECT_NEAR(std::accumulate(one.begin(), one.end(), 0.0), 1, 1e-6);
}

// The order of the stripes does not matter, nor how many pixels they have, as long as they are the
// commonest: this is what the fingerprint can, and all that it can.
TEST(HsvFrames, FingerprintKnowsTheCommonestColoursAlone) {
  Striped a;
  a.stripe({255, 0, 0}, 50);
  a.stripe({0, 255, 0}, 30);
  a.stripe({0, 0, 255}, 20);
  a.stripe({0, 0, 0}, 1);
  Striped b;
  b.stripe({0, 0, 255}, 40);
  b.stripe({255, 255, 255}, 2);
  b.stripe({0, 255, 0}, 41);
  b.stripe({255, 0, 0}, 42);
  const HsvHistogram one = hsv_histogram(a.view());
  const HsvHistogram other = hsv_histogram(b.view());
  EXPECT_EQ(hsv_fingerprint(one, 3), hsv_fingerprint(other, 3));
  EXPECT_NE(hsv_fingerprint(one, 4), hsv_fingerprint(other, 4));
  EXPECT_NE(hsv_fingerprint(one, 1), hsv_fingerprint(one, 2));
  // There are but four colours.
  EXPECT_EQ(hsv_fingerprint(one, 4), hsv_fingerprint(one, 8));
}

TEST(HsvFrames, EqualBinsAreTakenByTheLowerNumber) {
  Striped a;
  a.stripe({0, 0, 255}, 5);
  a.stripe({0, 0, 0}, 5);
  a.stripe({0, 255, 0}, 5);
  Striped b;
  b.stripe({0, 0, 0}, 5);
  b.stripe({0, 255, 0}, 5);
  EXPECT_EQ(hsv_fingerprint(hsv_histogram(a.view()), 2),
            hsv_fingerprint(hsv_histogram(b.view()), 2));
}

// A frame whose share of green is `green`, the rest red.
Striped mixture(double green) {
  Striped frame;
  const auto pixels = static_cast<std::size_t>(std::lround(1000 * green));
  frame.stripe({0, 255, 0}, pixels);
  frame.stripe({255, 0, 0}, 1000 - pixels);
  return frame;
}

// Against the last key frame, not the last frame: a slow fade has key frames, too.
TEST(HsvFrames, KeyFramesAndSegmentsFollowTheLastOfTheirKind) {
  HsvKeyFrames film({.bins = 1, .key_distance = 0.25, .cut_distance = 0.55});
  for (int i = 0; i <= 10; ++i) film.add(i, mixture(i / 10.0).view());
  // Key frames at 0, 3, (6: a cut), 9; the commonest is red up to 5.
  const std::vector<HsvSegment> segments = film.segments(12);
  ASSERT_EQ(segments.size(), 2U);
  EXPECT_EQ(segments[0].begin, 0);
  EXPECT_EQ(segments[0].end, 6);
  EXPECT_EQ(segments[1].begin, 6);
  EXPECT_EQ(segments[1].end, 12);
  const std::uint64_t red = hsv_fingerprint(hsv_histogram(mixture(0).view()), 1);
  const std::uint64_t green = hsv_fingerprint(hsv_histogram(mixture(1).view()), 1);
  EXPECT_EQ(segments[0].fingerprints, TokenSet{red});
  EXPECT_EQ(segments[1].fingerprints, TokenSet{green});
  EXPECT_EQ(film.fingerprints().size(), 2U);
  EXPECT_FALSE(film.indexable());
}

std::vector<Striped> random_film(std::uint64_t seed, std::size_t frames) {
  Rng rng(seed);
  std::vector<Striped> film;
  Striped shown;
  for (std::size_t i = 0; i < frames; ++i) {
    if (i == 0 || rng.below(4) == 0) {
      shown.bytes.clear();
      for (int stripe = 0; stripe < 6; ++stripe) {
        Colour colour;
        for (std::uint8_t& c : colour) c = static_cast<std::uint8_t>(rng.below(256));
        shown.stripe(colour, 5 + rng.below(60));
      }
    }
    film.push_back(shown);
  }
  return film;
}

HsvKeyFrames keys_of(const std::vector<Striped>& film, std::size_t from = 0) {
  HsvKeyFrames keys({});
  for (std::size_t i = from; i < film.size(); ++i) {
    keys.add(static_cast<double>(i - from) / 4, film[i].view());
  }
  return keys;
}

RC_GTEST_PROP(HsvFrames, SegmentsCoverTheFilm, (std::uint64_t seed)) {
  const auto film = random_film(seed, 60);
  const auto segments = keys_of(film).segments(15);
  RC_ASSERT(segments.front().begin == 0 && segments.back().end == 15);
  for (std::size_t i = 0; i < segments.size(); ++i) {
    RC_ASSERT(!segments[i].fingerprints.empty());
    RC_ASSERT(segments[i].begin < segments[i].end);
    if (i > 0) RC_ASSERT(segments[i].begin == segments[i - 1].end);
  }
}

// A part that begins at a cut has the segments of the whole.
RC_GTEST_PROP(HsvFrames, PartsHaveTheSegmentsOfTheWhole, (std::uint64_t seed)) {
  const auto film = random_film(seed, 60);
  const auto whole = keys_of(film).segments(15);
  const auto middle = static_cast<std::size_t>(whole[whole.size() / 2].begin * 4);
  const auto part = keys_of(film, middle).segments(15 - static_cast<double>(middle) / 4);
  RC_ASSERT(part.size() == whole.size() - whole.size() / 2);
  for (std::size_t i = 0; i < part.size(); ++i) {
    RC_ASSERT(part[i].fingerprints == whole[whole.size() / 2 + i].fingerprints);
  }
}

TEST(HsvFrames, NothingAndBlackAreNotWorthAnIndex) {
  HsvKeyFrames film({});
  EXPECT_TRUE(film.segments(0).empty());
  EXPECT_TRUE(film.fingerprints().empty());
  for (int i = 0; i < 100; ++i) film.add(i, flat({0, 0, 0}).view());
  EXPECT_EQ(film.fingerprints().size(), 1U);
  EXPECT_FALSE(film.indexable());
  EXPECT_TRUE(keys_of(random_film(1, 60)).indexable());
}

TEST(HsvFrames, SpecsAreReadAndWritten) {
  EXPECT_EQ(hsv_spec({}), "hsv1:m=5,tau=0.3,tau2=0.5");
  EXPECT_EQ(*parse_hsv_spec("hsv1"), HsvOptions{});
  EXPECT_EQ(*parse_hsv_spec("hsv1:tau2=1,m=3"),
            (HsvOptions{.bins = 3, .key_distance = 0.3, .cut_distance = 1}));
  for (const char* bad :
       {"", "hsv", "hsv2", "hsv1:", "hsv1,m=3", "hsv1:m=0", "hsv1:m=9", "hsv1:m=3,", "hsv1:m=3x",
        "hsv1:tau=0.6", "hsv1:tau=-1", "hsv1:tau=nan", "hsv1:tau2=1.5", "hsv1:k=3", "hsv1:m"}) {
    EXPECT_EQ(parse_hsv_spec(bad).error().code, ErrorCode::kInvalidArgument) << bad;
  }
}

}  // namespace
}  // namespace twinsift
