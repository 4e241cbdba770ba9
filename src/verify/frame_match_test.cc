// SPDX-License-Identifier: Apache-2.0
#include "verify/frame_match.h"

#include <gtest/gtest.h>

#include "feature/test_film.h"

namespace twinsift {
namespace {

// The codes of one frame of a film, as of a picture.
OrientedCodes codes_of(const FilmPrint& film, std::size_t frame) {
  OrientedCodes codes{};
  std::ranges::copy(film.frames.code(frame), codes[0].begin());
  return codes;
}

TEST(FrameMatch, FindsTheMomentOfAFrame) {
  const TestFilm film(1, 20);
  const FilmPrint whole = film_print(film);
  // A frame of a copy at another size, with some noise.
  const FilmPrint copy = film_print(film, {.from = 12, .to = 13, .noise = 4, .width = 96});
  ASSERT_GT(copy.frames.size(), 2U);
  const auto match = match_frame(codes_of(copy, 2), whole);
  ASSERT_TRUE(match);
  EXPECT_NEAR(match->seconds, 12 + copy.frames.middle(2), 0.5);
  EXPECT_FALSE(match->mirrored);
  EXPECT_GE(match->score, 0.6);
  EXPECT_LT(match->score, 0.8) << "no picture is the same as a film";
}

TEST(FrameMatch, KnowsMirroredFrames) {
  const TestFilm film(2, 10);
  const FilmPrint mirrored = film_print(film, {.mirrored = true});
  const auto match = match_frame(codes_of(mirrored, 20), film_print(film));
  ASSERT_TRUE(match);
  EXPECT_TRUE(match->mirrored);
  EXPECT_NEAR(match->seconds, mirrored.frames.middle(20), 0.5);
}

TEST(FrameMatch, OtherFilmsHaveNoSuchFrame) {
  const FilmPrint film = film_print(TestFilm(3, 20));
  const FilmPrint other = film_print(TestFilm(4, 20));
  for (std::size_t i = 0; i < other.frames.size(); ++i) {
    EXPECT_FALSE(match_frame(codes_of(other, i), film)) << i;
  }
  EXPECT_FALSE(match_frame(codes_of(other, 0), FilmPrint{}));
}

TEST(FrameMatch, EvidenceIsATimelineOfAMoment) {
  FilmPrint film;
  film.seconds = 90;
  const FrameMatch match{.seconds = 12.5, .bits = 32, .mirrored = true, .score = 0.7};
  const Evidence first = evidence_of(match, film, true);
  ASSERT_TRUE(first.film);
  EXPECT_EQ(first.film->seconds_a, 0);
  EXPECT_EQ(first.film->seconds_b, 90);
  EXPECT_EQ(first.film->stretches, (std::vector<Stretch>{{0, 0, 12.5, 12.5}}));
  EXPECT_TRUE(first.film->mirrored);
  EXPECT_EQ(first.film->agreement, 0.75);
  EXPECT_EQ(first.containment_a, 1);
  const Evidence second = evidence_of(match, film, false);
  EXPECT_EQ(second.film->stretches, (std::vector<Stretch>{{12.5, 12.5, 0, 0}}));
  EXPECT_EQ(second.film->seconds_a, 90);
  EXPECT_EQ(second.containment_b, 1);
}

}  // namespace
}  // namespace twinsift
