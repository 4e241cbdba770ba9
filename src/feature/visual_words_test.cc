// SPDX-License-Identifier: Apache-2.0
#include "feature/visual_words.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include <gtest/gtest.h>

#include "base/bit_code.h"
#include "base/crc32c.h"
#include "base/random.h"
#include "feature/models.h"
#include "feature/sift_descriptor.h"

namespace twinsift {
namespace {

SiftDescriptor random_descriptor(Rng& rng) {
  SiftDescriptor one;
  for (auto& entry : one) entry = static_cast<std::uint8_t>(rng.below(120));
  return one;
}

// `words` words in cells of four.
Vocabulary make_vocabulary(std::uint32_t words, std::uint64_t seed = 1) {
  Rng rng(seed);
  WordTree tree;
  for (std::uint32_t i = 0; i < words; ++i) {
    tree.words.push_back(random_descriptor(rng));
    if (i % 4 == 3 || i + 1 == words) {
      tree.middles.push_back(tree.words.back());
      tree.ends.push_back(i + 1);
    }
  }
  return Vocabulary(std::move(tree));
}

KeyPoints random_points(std::size_t count, std::uint64_t seed) {
  Rng rng(seed);
  KeyPoints points{.width = 200, .height = 100, .points = {}, .descriptors = {}};
  for (std::size_t i = 0; i < count; ++i) {
    points.points.push_back({.x = static_cast<float>(199 * rng.uniform()),
                             .y = static_cast<float>(99 * rng.uniform()),
                             .scale = static_cast<float>(1.6 + 20 * rng.uniform()),
                             .angle = static_cast<float>(6.28 * rng.uniform())});
    points.descriptors.push_back(random_descriptor(rng));
  }
  return points;
}

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text));
}

TEST(VisualWords, WordIsTheNearestAndPlaceIsKept) {
  const Vocabulary vocabulary = make_vocabulary(16);
  KeyPoints points{.width = 200, .height = 100, .points = {}, .descriptors = {}};
  points.points.push_back({.x = 49.5F, .y = 24.5F, .scale = 4, .angle = std::numbers::pi_v<float>});
  Rng rng(1);
  points.descriptors.push_back(random_descriptor(rng));  // that of word 0
  ++points.descriptors[0][5];
  const LocalWords found = vocabulary.words_of(points);
  ASSERT_EQ(found.words.size(), 1U);
  EXPECT_EQ(found.width, 200U);
  EXPECT_EQ(found.words[0].word, 0U);
  EXPECT_EQ(found.words[0].x, 65536 / 4);
  EXPECT_EQ(found.words[0].y, 65536 / 4);
  EXPECT_EQ(found.words[0].scale, 4096 + 2 * 256);
  EXPECT_EQ(found.words[0].angle, 65536 / 2);
}

TEST(VisualWords, AreAscending) {
  const LocalWords found = make_vocabulary(16).words_of(random_points(100, 2));
  EXPECT_EQ(found.words.size(), 100U);
  EXPECT_TRUE(std::ranges::is_sorted(found.words, {}, &LocalWord::word));
}

// STATISTICAL: a bit tells the side of a plane, so the share of bits that differ is the angle
// between the two residues over pi.
TEST(VisualWords, SignaturesDifferByTheAngle) {
  constexpr std::uint64_t kWordSeed = 11;
  const Vocabulary vocabulary = make_vocabulary(1, kWordSeed);
  Rng rng(3);
  double off = 0;
  double unrelated = 0;
  constexpr int kTrials = 200;
  const SiftDescriptor middle = [] {
    Rng first(kWordSeed);
    return random_descriptor(first);
  }();
  for (int i = 0; i < kTrials; ++i) {
    SiftDescriptor a = random_descriptor(rng);
    SiftDescriptor b = random_descriptor(rng);
    const auto s = vocabulary.signature(a, 0);
    unrelated += hamming_distance_scalar(s, vocabulary.signature(b, 0));
    double dot = 0;
    double aa = 0;
    double bb = 0;
    for (std::size_t j = 0; j < a.size(); ++j) {
      if (rng.below(4) != 0) b[j] = a[j];
      const double x = a[j] - middle[j];
      const double y = b[j] - middle[j];
      dot += x * y;
      aa += x * x;
      bb += y * y;
    }
    const double expected = 128 * std::acos(dot / std::sqrt(aa * bb)) / std::numbers::pi;
    off += hamming_distance_scalar(s, vocabulary.signature(b, 0)) - expected;
  }
  EXPECT_NEAR(off / kTrials, 0, 2);
  // Residues of one word have that word in common: their angle is 60 degrees on average.
  EXPECT_NEAR(unrelated / kTrials, 128.0 / 3, 5);
}

TEST(VisualWords, MirroredWordsAreThoseOfMirroredPoints) {
  const Vocabulary vocabulary = make_vocabulary(64);
  const KeyPoints points = random_points(50, 4);
  const LocalWords found = vocabulary.mirrored_words_of(points);
  EXPECT_NE(found.words, vocabulary.words_of(points).words);
  const KeyPoints twice = mirrored(mirrored(points));
  for (std::size_t i = 0; i < points.points.size(); ++i) {
    EXPECT_EQ(twice.descriptors[i], points.descriptors[i]);
    EXPECT_NEAR(twice.points[i].x, points.points[i].x, 1e-3);
    EXPECT_NEAR(std::remainder(twice.points[i].angle - points.points[i].angle, 6.2831853), 0, 1e-5);
  }
}

TEST(VisualWords, SetHasEachWordOnceAndBagHasLengthOne) {
  const Vocabulary vocabulary = make_vocabulary(8);
  const LocalWords words = vocabulary.words_of(random_points(60, 5));
  const TokenSet set = word_set(words);
  EXPECT_EQ(set.size(), 8U);
  EXPECT_TRUE(std::ranges::is_sorted(set));
  const DenseVector bag = vocabulary.bag_of_features(words);
  ASSERT_EQ(bag.size(), 8U);
  double sum = 0;
  for (const float value : bag) sum += double{value} * double{value};
  EXPECT_NEAR(sum, 1, 1e-5);
  const auto first = std::ranges::count(words.words, 0U, &LocalWord::word);
  const auto second = std::ranges::count(words.words, 1U, &LocalWord::word);
  EXPECT_NEAR(bag[0] / bag[1], static_cast<double>(first) / static_cast<double>(second), 1e-5);
  for (const float value : vocabulary.bag_of_features({})) EXPECT_EQ(value, 0);
}

TEST(VisualWords, VocabularyIsReadBack) {
  const Vocabulary one = make_vocabulary(30);
  const auto read = Vocabulary::parse(bytes_of(one.serialise()));
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->serialise(), one.serialise());
  EXPECT_EQ(read->spec(), one.spec());
  EXPECT_TRUE(one.spec().starts_with("words1:n=30,id="));
  EXPECT_NE(make_vocabulary(30, 2).spec(), one.spec());
}

// CORRUPT: each byte changed, each length.
TEST(VisualWords, DamagedVocabularyIsRefused) {
  const std::string good = make_vocabulary(5).serialise();
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x41);
    EXPECT_FALSE(Vocabulary::parse(bytes_of(bad)).has_value()) << i;
    EXPECT_FALSE(Vocabulary::parse(bytes_of(good.substr(0, i))).has_value()) << i;
  }
  EXPECT_FALSE(Vocabulary::parse(bytes_of(good + "x")).has_value());
  EXPECT_EQ(Vocabulary::parse({}).error().message, "this is no vocabulary of visual words");
}

// Numbers that do not fit, under a checksum that does.
TEST(VisualWords, SenselessVocabularyIsRefused) {
  const std::string good = make_vocabulary(8).serialise();
  const auto with = [&](std::size_t place, std::uint32_t value) {
    std::string bad = good;
    std::memcpy(bad.data() + place, &value, 4);
    const std::uint32_t crc = crc32c(bytes_of(bad).first(bad.size() - 4));
    std::memcpy(bad.data() + bad.size() - 4, &crc, 4);
    return Vocabulary::parse(bytes_of(bad));
  };
  EXPECT_TRUE(with(20, 4).has_value());
  EXPECT_FALSE(with(20, 0).has_value());        // the first cell is empty
  EXPECT_FALSE(with(20, 9).has_value());        // and here too large
  EXPECT_FALSE(with(20 + 132, 7).has_value());  // a word without a cell
  EXPECT_FALSE(with(12, 0).has_value());
  EXPECT_FALSE(with(12, UINT32_MAX).has_value());
  EXPECT_FALSE(with(16, UINT32_MAX).has_value());
}

TEST(VisualWords, ShippedVocabularyIsSound) {
  EXPECT_EQ(shipped_vocabulary().size(), 8192U);
  EXPECT_TRUE(Vocabulary::parse(word_model()).has_value());
}

TEST(VisualWords, OtherVersionIsRefusedByName) {
  std::string other = make_vocabulary(5).serialise();
  other[8] = 7;
  const auto read = Vocabulary::parse(bytes_of(other));
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(read.error().message, "the vocabulary has version 7, but this program reads version 1");
}

}  // namespace
}  // namespace twinsift
