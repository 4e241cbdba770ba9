// SPDX-License-Identifier: Apache-2.0
#include "net/content_sets.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.h"
#include "feature/film_print.h"
#include "feature/picture_print.h"
#include "feature/recording_print.h"
#include "feature/sound_print.h"
#include "net/film_sets.h"
#include "net/unary_set.h"

namespace twinsift::net {
namespace {

double jaccard(const TokenSet& a, const TokenSet& b) {
  TokenSet both;
  std::ranges::set_intersection(a, b, std::back_inserter(both));
  return static_cast<double>(both.size()) / static_cast<double>(a.size() + b.size() - both.size());
}

ImageCode random_code(Rng& random) {
  return {random.next(), random.next(), random.next(), random.next()};
}

ImageCode with_flips(ImageCode code, std::uint32_t bits) {
  for (std::uint32_t i = 0; i < bits; ++i) code[i % 4] ^= std::uint64_t{1} << (i / 4);
  return code;
}

// The formula that docs/peers.md gives: J = (256 - h) / (256 + h).
TEST(ContentSets, BitsThatDifferAreAKnownSimilarity) {
  Rng random(1);
  const ImageCode code = random_code(random);
  for (const std::uint32_t h : {0U, 13U, 28U, 29U, 64U, 128U, 256U}) {
    const double j = jaccard(bit_set(code), bit_set(with_flips(code, h)));
    EXPECT_NEAR(j, (256.0 - h) / (256.0 + h), 1e-12) << h;
    EXPECT_EQ(j >= 0.8, h <= 28) << h;
  }
}

RC_GTEST_PROP(UnarySet, SimilarityIsThatOfTheSums,
              (std::vector<std::pair<std::uint8_t, std::uint8_t>> values)) {
  UnarySet a;
  UnarySet b;
  double apart = 0;
  for (const auto& [v, w] : values) {
    a.add(v % 5, 4);
    b.add(w % 5, 4);
    apart += std::abs(v % 5 - w % 5);
  }
  RC_PRE(!values.empty());
  const double all = 4.0 * static_cast<double>(values.size());
  const TokenSet set = a.finish();
  RC_ASSERT(std::ranges::is_sorted(set));
  RC_ASSERT(set.size() == static_cast<std::size_t>(all));
  RC_ASSERT(std::abs(jaccard(set, b.finish()) - (all - apart) / (all + apart)) < 1e-12);
}

TEST(ContentSets, TextsAreTheirSets) {
  const TokenSet set = {1, 5, 9};
  const auto sets = content_sets("text1:words:5", SetView(set));
  ASSERT_TRUE(sets);
  ASSERT_EQ(sets->size(), 1U);
  EXPECT_EQ(sets->front(), (ContentSet{.detector = "text1:words:5", .set = set}));
}

TEST(ContentSets, WeightedSetsAreNotShared) {
  const WeightedSet set{.tokens = {1, 2}, .weights = {0.5, 2}};
  const auto sets = content_sets("text1:tfidf", SetView(set));
  ASSERT_TRUE(sets);
  EXPECT_TRUE(sets->empty());
}

TEST(ContentSets, PlainPicturesAreNotShared) {
  PicturePrint print{.code = {1, 2, 3, 4}, .width = 10, .height = 10};
  const auto shared = content_sets("image1:gist", SetView(pack(print)));
  ASSERT_TRUE(shared);
  ASSERT_EQ(shared->size(), 1U);
  EXPECT_EQ(shared->front().set.size(), 256U);
  print.plain = true;
  const auto plain = content_sets("image1:gist", SetView(pack(print)));
  ASSERT_TRUE(plain);
  EXPECT_TRUE(plain->empty());
}

TEST(ContentSets, DamagedFeaturesAreAnError) {
  const Packed packed{{1, 2, 3}};
  for (const std::string_view spec : {"image1:gist", "image1:pdq", "av3:print,codes"}) {
    EXPECT_FALSE(content_sets(spec, SetView(packed))) << spec;
  }
}

// A film of `shots` scenes of two seconds, eight frames a second, each a little different.
FilmCodes made_film(std::uint64_t seed, std::size_t shots, std::uint32_t noise) {
  Rng scenes(seed);
  Rng flips(seed + 1000 * noise);
  FilmCodes frames;
  for (std::size_t shot = 0; shot < shots; ++shot) {
    const ImageCode scene = random_code(scenes);
    for (std::uint32_t i = 0; i < 16; ++i) {
      ImageCode code = scene;
      for (std::uint32_t bit = 0; bit < noise; ++bit) {
        const std::uint64_t at = flips.next() % 256;
        code[at / 64] ^= std::uint64_t{1} << (at % 64);
      }
      const auto time = static_cast<std::uint32_t>(2000 * shot + 125 * i);
      frames.add(code, time, time);
    }
  }
  return frames;
}

TEST(FilmSets, ShotsCoverTheFilmAndSurviveNoise) {
  const auto clean = shots_of(made_film(7, 10, 0));
  const auto noisy = shots_of(made_film(7, 10, 20));
  ASSERT_EQ(clean.size(), 10U);
  ASSERT_EQ(noisy.size(), 10U);
  for (std::size_t i = 0; i < clean.size(); ++i) {
    EXPECT_GE(jaccard(bit_set(clean[i].code), bit_set(noisy[i].code)), 0.9) << i;
    EXPECT_EQ(clean[i].begin, i == 0 ? 0 : clean[i - 1].end);
  }
}

// Linkage: a part of a film has the shots of the whole film, wherever it was cut.
TEST(FilmSets, APartHasTheShotsOfTheWhole) {
  const FilmCodes whole = made_film(3, 10, 0);
  FilmCodes part;
  for (std::size_t i = 40; i < 110; ++i) {
    part.add({whole.code(i)[0], whole.code(i)[1], whole.code(i)[2], whole.code(i)[3]},
             whole.begin[i] - whole.begin[40], whole.end[i] - whole.begin[40]);
  }
  const auto all = shots_of(whole);
  const auto some = shots_of(part);
  ASSERT_EQ(some.size(), 5U);
  for (std::size_t i = 0; i < some.size(); ++i) EXPECT_EQ(some[i].code, all[i + 2].code) << i;
}

TEST(FilmSets, TheLongestShotsAreShared) {
  RecordingPrint print{.seconds = 300, .width = 320, .height = 240};
  FilmPrint film;
  film.seconds = 300;
  film.frames = made_film(5, 150, 0);
  print.film = pack(film);
  const auto sets = content_sets("av3:print,codes", SetView(pack(print)));
  ASSERT_TRUE(sets) << sets.error().message;
  EXPECT_EQ(sets->size(), kMostShots);
  for (const ContentSet& set : *sets) {
    EXPECT_EQ(set.detector, "shots1:av3:codes");
    EXPECT_EQ(set.set.size(), 256U);
    EXPECT_GE(set.end_seconds - set.begin_seconds, kShortestShot);
  }
}

std::vector<ContentSet> sound_of(std::vector<SoundCode> codes) {
  SoundPrint sound{.samples = static_cast<std::uint64_t>(codes.size() + 2) * kSoundHop,
                   .codes = std::move(codes)};
  RecordingPrint print{.seconds = sound.seconds()};
  print.sound = pack_sound_print(sound);
  return *content_sets("av3:print,codes", SetView(pack(print)));
}

TEST(SoundSets, BothEndsAreShared) {
  Rng random(11);
  std::vector<SoundCode> codes;
  for (std::size_t i = 0; i < std::size_t{16} * 100; ++i)
    codes.push_back({random.next(), random.next()});
  const auto whole = sound_of(codes);
  ASSERT_EQ(whole.size(), 2U);
  EXPECT_EQ(whole[0].detector, "ends1:av3:print");
  EXPECT_NEAR(whole[0].end_seconds - whole[0].begin_seconds, kSoundSeconds, 0.3);
  EXPECT_NEAR(whole[1].end_seconds, 100, 0.5);
  // Silence before it changes nothing, and a copy without its beginning has the same end.
  std::vector<SoundCode> later(40, SoundCode{0, 0});
  later.insert(later.end(), codes.begin(), codes.end());
  EXPECT_EQ(sound_of(later)[0].set, whole[0].set);
  codes.erase(codes.begin(), codes.begin() + 117);
  const auto cut = sound_of(codes);
  EXPECT_EQ(cut[1].set, whole[1].set);
  EXPECT_LT(jaccard(cut[0].set, whole[0].set), 0.7);
}

TEST(SoundSets, ShortAndSilentSoundsAreNotShared) {
  Rng random(12);
  std::vector<SoundCode> codes(16 * 20, SoundCode{0, 0});
  EXPECT_TRUE(sound_of(codes).empty());
  for (std::size_t i = 0; i < 16 * 4; ++i) codes[i] = {random.next(), random.next()};
  EXPECT_TRUE(sound_of(codes).empty());
}

}  // namespace
}  // namespace twinsift::net
