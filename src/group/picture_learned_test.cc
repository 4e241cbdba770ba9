// SPDX-License-Identifier: Apache-2.0
// Pairs of learned codes against comparing every pair.
#include "group/picture_learned.h"

#include <array>
#include <utility>

#include <gtest/gtest.h>

#include "base/random.h"
#include "feature/picture_print.h"
#include "feature/test_scene.h"
#include "learn/picture_copies.h"
#include "verify/picture_similarity.h"

namespace twinsift {
namespace {

constexpr std::uint32_t kRadius = 12;

ImageCode flipped(ImageCode code, std::uint32_t flips, Rng& rng) {
  for (; flips > 0; --flips) {
    const std::uint32_t bit = rng.below(256);
    code[bit / 64] ^= std::uint64_t{1} << (bit % 64);
  }
  return code;
}

// Of each family every 25th, with codes that differ in up to some 30 bits, half of them mirrored.
// The codes of mirror images stray by themselves, as those of a network do.
std::vector<LearnedCodes> some_codes() {
  constexpr std::uint32_t kFamilies = 25;
  Rng rng(3);
  std::vector<std::array<ImageCode, 2>> families(kFamilies);
  for (auto& codes : families) {
    for (ImageCode& code : codes) {
      for (std::uint64_t& word : code) word = rng.next();
    }
  }
  std::vector<LearnedCodes> codes;
  for (std::uint32_t i = 0; i < 6 * kFamilies; ++i) {
    ImageCode plain = flipped(families[i % kFamilies][0], rng.below(16), rng);
    ImageCode mirrored = flipped(families[i % kFamilies][1], rng.below(16), rng);
    if (rng.below(2) == 0) std::swap(plain, mirrored);
    codes.push_back({plain, mirrored});
  }
  return codes;
}

class PictureLearned : public testing::Test {
 protected:
  // Scores fall with the bits that differ; who is forbidden has none.
  LearnedPairsTask task() {
    return {.codes = codes,
            .radius = kRadius,
            .compare = [](auto a, auto b, LearnedDistance distance) -> Result<WholeMatch> {
              if ((a + b) % 5 == 0) return WholeMatch{};
              return WholeMatch{.score = 1 - distance.bits / 256.0, .learned_bits = distance.bits};
            },
            .threshold = 0.96};
  }

  std::vector<LearnedCodes> codes = some_codes();
};

TEST_F(PictureLearned, PairsAreThoseOfBruteForceForAnyNumberOfThreads) {
  constexpr std::uint32_t kReferences = 40;
  for (std::uint32_t i = 0; i < kReferences; ++i) codes[i].mirrored.reset();
  std::vector<std::array<std::uint32_t, 3>> expected;
  std::uint64_t near = 0;
  bool mirrored = false;
  for (std::uint32_t b = kReferences; b < codes.size(); ++b) {
    for (std::uint32_t a = 0; a < b; ++a) {
      const LearnedDistance distance = learned_distance(codes[a], codes[b]);
      if (distance.bits > kRadius) continue;
      ++near;
      if ((a + b) % 5 == 0 || 1 - distance.bits / 256.0 < 0.96) continue;
      expected.push_back({a, b, distance.bits});
      mirrored = mirrored || distance.mirrored;
    }
  }
  ASSERT_GT(expected.size(), 20U);
  ASSERT_LT(expected.front()[0], kReferences);
  ASSERT_GT(near, expected.size());
  ASSERT_TRUE(mirrored);
  for (const unsigned threads : {1U, 2U, 5U}) {
    LearnedPairsTask how = task();
    how.references = kReferences;
    how.threads = threads;
    const auto found = find_learned_pairs(how);
    ASSERT_TRUE(found);
    std::vector<std::array<std::uint32_t, 3>> pairs;
    for (const auto& [a, b, match] : found->pairs) pairs.push_back({a, b, *match.learned_bits});
    EXPECT_EQ(pairs, expected) << threads;
    EXPECT_EQ(found->candidates, near);
  }
}

TEST_F(PictureLearned, RadiusOfNothingFindsEqualCodesOnly) {
  codes.push_back(codes[1]);
  LearnedPairsTask how = task();
  how.radius = 0;
  const auto found = find_learned_pairs(how);
  ASSERT_TRUE(found);
  ASSERT_FALSE(found->pairs.empty());
  EXPECT_EQ(found->pairs.back().b, codes.size() - 1);
  for (const auto& [a, b, match] : found->pairs) EXPECT_EQ(match.learned_bits, 0U);
}

TEST_F(PictureLearned, FailsAsTheComparisonDoes) {
  LearnedPairsTask how = task();
  how.compare = [](auto, auto, LearnedDistance) -> Result<WholeMatch> {
    return Error{ErrorCode::kCorrupt, "no picture"};
  };
  const auto found = find_learned_pairs(how);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::kCorrupt);
}

TEST_F(PictureLearned, StopsWhenItIsTold) {
  std::stop_source source;
  source.request_stop();
  LearnedPairsTask how = task();
  how.stop = source.get_token();
  const auto found = find_learned_pairs(how);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::kCancelled);
}

TEST_F(PictureLearned, NothingIsMadeOfNothing) {
  codes.clear();
  EXPECT_TRUE(find_learned_pairs(task())->pairs.empty());
}

// Drawn pictures and a hard copy of each: cropped, turned, framed or captioned.
class ShippedNetwork : public testing::Test {
 protected:
  static constexpr std::uint32_t kPictures = 40;

  ShippedNetwork() {
    Rng rng(11);
    std::vector<GreyImage> copies;
    for (std::uint32_t i = 0; i < kPictures; ++i) {
      const GreyImage picture = draw_grey(160, 120, blob_scene(500 + i, 160));
      add(picture);
      copies.push_back(random_hard_copy(picture.view(), rng));
    }
    for (const GreyImage& copy : copies) add(copy);
  }

  void add(const GreyImage& picture) {
    PicturePrint print{.width = picture.width, .height = picture.height};
    print.thumbnail = thumbnail_of(picture.view());
    print.code = CodeModel::shipped().code_of(print.thumbnail);
    prints.push_back(pack(print));
    codes.push_back(*detector->learned(prints.back(), Mirrored::kToo));
  }

  // Of pictures and copies that the other codes do not find.
  std::uint32_t found_anew(std::uint32_t radius) {
    const auto found =
        find_learned_pairs({.codes = codes,
                            .radius = radius,
                            .compare =
                                [&](auto a, auto b, LearnedDistance distance) {
                                  return detector->compare_learned(prints[a], prints[b], distance);
                                },
                            .threshold = 0.6});
    std::uint32_t anew = 0;
    for (const auto& [a, b, match] : found->pairs) {
      EXPECT_EQ(a + kPictures, b) << "strangers";
      EXPECT_TRUE(match.placement && match.learned_bits);
      if (detector->compare(prints[a], prints[b])->score < 0.6) ++anew;
    }
    return anew;
  }

  std::unique_ptr<PictureDetector> detector = make_picture_similarity(LearnedLook::kYes);
  std::vector<Packed> prints;
  std::vector<LearnedCodes> codes;
};

TEST_F(ShippedNetwork, FindsCopiesThatTheOtherCodesMiss) {
  EXPECT_GE(found_anew(detector->learned_radius()), 4U);
  EXPECT_EQ(found_anew(0), 0U);
}

}  // namespace
}  // namespace twinsift
