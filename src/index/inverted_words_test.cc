// SPDX-License-Identifier: Apache-2.0
#include "index/inverted_words.h"

#include <atomic>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "base/bit_code.h"
#include "verify/local_match.h"
#include "verify/test_local_words.h"

namespace twinsift {
namespace {

// Ten scenes with five versions each, and as many pictures of something else.
std::vector<LocalWords> collection(std::uint64_t seed, double kept = 0.3) {
  Rng rng(seed);
  std::vector<LocalWords> pictures;
  const MadeOptions small{.points = 80, .vocabulary = 400};
  for (int scene = 0; scene < 10; ++scene) {
    pictures.push_back(random_words(rng, small));
    for (int version = 0; version < 4; ++version) {
      const auto map = turned_map(360 * rng.uniform(), 0.4 + rng.uniform(), {256, 192}, {256, 192});
      pictures.push_back(copy_under(
          pictures[pictures.size() - 1 - static_cast<unsigned>(version)], map, 512, 384, rng,
          {.kept = kept * rng.uniform(), .pixels = 0.7, .flipped = 14, .others = 40}));
    }
    for (int other = 0; other < 5; ++other) pictures.push_back(random_words(rng, small));
  }
  return pictures;
}

// Key points of a that have a partner in b, by definition.
std::uint32_t agreeing_by_hand(const LocalWords& a, const LocalWords& b, std::uint32_t radius) {
  std::uint32_t count = 0;
  for (const LocalWord& x : a.words) {
    count += std::ranges::any_of(b.words,
                                 [&](const LocalWord& y) {
                                   return x.word == y.word &&
                                          hamming_distance(x.signature, y.signature) <= radius;
                                 })
                 ? 1U
                 : 0U;
  }
  return count;
}

// Whether some range of 67.5 degrees and 1.5 octaves holds `least` agreeing pairs.
bool consistent_by_hand(const LocalWords& a, const LocalWords& b, std::uint32_t radius,
                        std::uint32_t least, int turn_range, int scale_range) {
  std::vector<std::pair<int, int>> seen;
  for (const LocalWord& x : a.words) {
    for (const LocalWord& y : b.words) {
      if (x.word != y.word || hamming_distance(x.signature, y.signature) > radius) continue;
      seen.emplace_back((y.angle - x.angle) & 0xFFFF, y.scale - x.scale);
    }
  }
  for (const auto& from : seen) {
    for (const auto& low : seen) {
      std::uint32_t inside = 0;
      for (const auto& s : seen) {
        const int turn = (s.first - from.first) & 0xFFFF;
        const int scale = s.second - low.second;
        if (turn < turn_range && scale >= 0 && scale < scale_range) ++inside;
      }
      if (inside >= least) return true;
    }
  }
  return false;
}

TEST(InvertedWords, WithoutGeometryCandidatesAreThoseOfAllPairs) {
  const auto pictures = collection(1);
  for (const std::uint32_t radius : {20U, 36U, 52U}) {
    const InvertedWords index(pictures, {.radius = radius, .least = 4, .weak_geometry = false});
    std::size_t candidates = 0;
    for (const LocalWords& question : pictures) {
      std::vector<std::pair<std::uint32_t, std::uint32_t>> expected;
      for (std::uint32_t i = 0; i < pictures.size(); ++i) {
        const std::uint32_t agreeing = agreeing_by_hand(question, pictures[i], radius);
        if (agreeing >= 4) expected.emplace_back(i, agreeing);
      }
      const WordCandidates found = index.query(question);
      EXPECT_FALSE(found.capped);
      ASSERT_EQ(found.pictures.size(), expected.size());
      for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(found.pictures[i].picture, expected[i].first);
        EXPECT_EQ(found.pictures[i].agreeing, expected[i].second);
        EXPECT_GT(found.pictures[i].vote, 0);
      }
      candidates += expected.size();
    }
    EXPECT_GT(candidates, pictures.size());  // more than each itself
    EXPECT_LT(candidates, pictures.size() * pictures.size() / 2);
  }
}

// All that agree within 67.5 degrees and 1.5 octaves are candidates, and none that do not within
// 90 degrees and two octaves.
TEST(InvertedWords, WeakGeometryKeepsWhatAgreesRoughly) {
  const auto pictures = collection(2);
  const InvertedWords index(pictures, {.radius = 60, .least = 4});
  std::size_t rejected = 0;
  for (std::size_t q = 0; q < pictures.size(); q += 3) {
    std::set<std::uint32_t> found;
    for (const auto& candidate : index.query(pictures[q]).pictures) found.insert(candidate.picture);
    for (std::uint32_t i = 0; i < pictures.size(); ++i) {
      if (agreeing_by_hand(pictures[q], pictures[i], 60) < 4) {
        EXPECT_FALSE(found.contains(i));
        continue;
      }
      if (consistent_by_hand(pictures[q], pictures[i], 60, 4, 12288, 384)) {
        EXPECT_TRUE(found.contains(i));
      }
      if (!consistent_by_hand(pictures[q], pictures[i], 60, 4, 16384, 512)) {
        EXPECT_FALSE(found.contains(i));
        ++rejected;
      }
    }
  }
  EXPECT_GT(rejected, 0U);
}

// The promise: whoever would match is a candidate.
TEST(InvertedWords, NoMatchIsMissed) {
  LocalMatchOptions options;  // nearly everything matches
  options.evidence = 0.5;
  options.span = 0.001;
  options.agreement = 0.01;
  int matches = 0;
  for (std::uint64_t seed = 10; seed < 14; ++seed) {
    const auto pictures = collection(seed, 0.5);
    const InvertedWords index(pictures);
    for (std::uint32_t i = 0; i < pictures.size(); ++i) {
      std::set<std::uint32_t> found;
      for (const auto& candidate : index.query(pictures[i], i).pictures) {
        found.insert(candidate.picture);
      }
      for (std::uint32_t j = 0; j < i; ++j) {
        if (!match_local(pictures[j], pictures[i], options)) continue;
        EXPECT_TRUE(found.contains(j)) << j << ' ' << i;
        ++matches;
      }
    }
  }
  EXPECT_GT(matches, 40);
}

TEST(InvertedWords, EndLeavesLaterPicturesOut) {
  const auto pictures = collection(3);
  const InvertedWords index(pictures);
  const auto all = index.query(pictures[2]).pictures;
  for (const std::uint32_t end : {0U, 1U, 3U, 50U, 100U, 1000U}) {
    auto expected = all;
    std::erase_if(expected, [end](const WordCandidate& c) { return c.picture >= end; });
    EXPECT_EQ(index.query(pictures[2], end).pictures, expected);
  }
}

TEST(InvertedWords, TooManyCandidatesAreCutToTheBestAndTold) {
  Rng rng(4);
  const LocalWords scene = random_words(rng);
  std::vector<LocalWords> pictures;
  for (int i = 0; i < 30; ++i) {
    const auto map = turned_map(12.0 * i, 1, {256, 192}, {256, 192});
    pictures.push_back(copy_under(scene, map, 512, 384, rng, {.kept = i % 3 == 0 ? 0.9 : 0.3}));
  }
  EXPECT_FALSE(InvertedWords(pictures, {.most = 30}).query(scene).capped);
  const WordCandidates best = InvertedWords(pictures, {.most = 10}).query(scene);
  EXPECT_TRUE(best.capped);
  ASSERT_EQ(best.pictures.size(), 10U);
  for (std::uint32_t i = 0; i < 10; ++i) EXPECT_EQ(best.pictures[i].picture, 3 * i);
}

TEST(InvertedWords, WordsThatAreTooCommonAreLeftOutAndTold) {
  auto pictures = collection(5);
  for (LocalWords& picture : pictures) {
    for (std::size_t i = 0; i < picture.words.size() / 2; ++i) picture.words[i].word = 7;
    sort_words(picture);
  }
  EXPECT_FALSE(InvertedWords(pictures, {.longest = 1U << 20U}).query(pictures[0]).capped);
  const InvertedWords index(pictures, {.longest = 1000, .weak_geometry = false});
  const WordCandidates found = index.query(pictures[0]);
  EXPECT_TRUE(found.capped);
  ASSERT_FALSE(found.pictures.empty());
  EXPECT_EQ(found.pictures[0].picture, 0U);  // by its other words
  EXPECT_LE(found.pictures[0].agreeing, (pictures[0].words.size() + 1) / 2);
}

TEST(InvertedWords, NothingIsFoundInNothing) {
  Rng rng(6);
  const LocalWords one = random_words(rng);
  EXPECT_TRUE(InvertedWords({}).query(one).pictures.empty());
  EXPECT_TRUE(InvertedWords({}).query({}).pictures.empty());
  const std::vector<LocalWords> blank(3);
  EXPECT_TRUE(InvertedWords(blank).query(one).pictures.empty());
  const std::vector<LocalWords> known = {one};
  EXPECT_TRUE(InvertedWords(known).query({}).pictures.empty());
  EXPECT_EQ(InvertedWords(known).query(one).pictures.size(), 1U);
}

TEST(InvertedWords, ThreadsGetTheSameAnswers) {
  const auto pictures = collection(7);
  const InvertedWords index(pictures);
  std::vector<WordCandidates> alone;
  for (const LocalWords& picture : pictures) alone.push_back(index.query(picture));
  std::vector<std::jthread> threads;
  std::atomic<int> different = 0;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (std::size_t i = 0; i < pictures.size(); ++i) {
        if (index.query(pictures[i]).pictures != alone[i].pictures) ++different;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(different, 0);
}

TEST(InvertedWords, BytesAreAsPromised) {
  const auto pictures = collection(8);
  std::size_t points = 0;
  for (const LocalWords& picture : pictures) points += picture.words.size();
  const std::size_t bytes = InvertedWords(pictures).bytes();
  EXPECT_GE(bytes, 24 * points);
  EXPECT_LE(bytes, 24 * points + 2 * 8 * 16384 + 8 * pictures.size());
}

}  // namespace
}  // namespace twinsift
