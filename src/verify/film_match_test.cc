// SPDX-License-Identifier: Apache-2.0
#include "verify/film_match.h"

#include <gtest/gtest.h>

#include "feature/test_film.h"
#include "verify/time_score.h"

namespace twinsift {
namespace {

// The whole of `copy` from `from` to `to` seconds of `film`.
void expect_stretch(const FilmPrint& film, const FilmPrint& copy, double from, double to,
                    double speed = 1) {
  const auto match = match_film(film, copy);
  ASSERT_TRUE(match);
  ASSERT_EQ(match->stretches.size(), 1U);
  const Stretch& stretch = match->stretches[0];
  EXPECT_NEAR(stretch.begin_a, from, 0.5);
  EXPECT_NEAR(stretch.end_a, to, 0.5);
  EXPECT_NEAR(stretch.begin_b, 0, 0.5);
  EXPECT_NEAR(stretch.end_b, copy.seconds, 0.5);
  EXPECT_NEAR(match->speed, speed, 0.02);
}

class FilmMatch : public testing::Test {
 protected:
  static constexpr double kSeconds = 12.5;
  const TestFilm film_{1, kSeconds};
  const FilmPrint print_ = film_print(film_);
};

TEST_F(FilmMatch, FindsTheFilmItself) {
  const auto match = match_film(print_, print_);
  ASSERT_TRUE(match);
  EXPECT_EQ(score_of(*match).relation, Relation::kSame);
  EXPECT_EQ(match->speed, 1);
  EXPECT_EQ(match->agreement, 1);
  EXPECT_FALSE(match->mirrored);
}

TEST_F(FilmMatch, FindsWholeCopies) {
  const FilmEdit edits[] = {{.width = 40, .height = 30},
                            {.gain = 1.3},
                            {.noise = 12},
                            {.frames = 12},
                            {.bars = 0.13, .height = 48},
                            {.cropped = 0.1, .crop_x = 0.2, .crop_y = 0.9},
                            {.cropped = 0.2},
                            {.cropped = 0.2, .crop_x = 0.9, .crop_y = 0.3}};
  for (const FilmEdit& edit : edits) {
    expect_stretch(print_, film_print(film_, edit), 0, kSeconds);
  }
}

TEST_F(FilmMatch, FindsMirroredCopies) {
  const FilmPrint copy = film_print(film_, {.mirrored = true, .noise = 5});
  const auto match = match_film(print_, copy);
  ASSERT_TRUE(match);
  EXPECT_TRUE(match->mirrored);
  EXPECT_EQ(score_of(*match).relation, Relation::kSame);
  EXPECT_FALSE(match_film(print_, copy, {.mirrored = false}));
}

TEST_F(FilmMatch, FindsClipsWhereTheyWere) {
  expect_stretch(print_, film_print(film_, {.from = 4.1, .to = 9.3, .noise = 8}), 4.1, 9.3);
  expect_stretch(print_, film_print(film_, {.from = 6.05, .to = 7.05}), 6.05, 7.05);
}

TEST_F(FilmMatch, FindsOtherSpeeds) {
  for (const double speed : {0.8, 1.04, 1.25}) {
    expect_stretch(print_, film_print(film_, {.speed = speed}), 0, kSeconds, speed);
  }
}

TEST_F(FilmMatch, FindsPartsInAnotherOrder) {
  const TestFilm other(2, kSeconds);
  const FilmPrint forward = film_print(TestFilm(film_, other));
  const FilmPrint backward = film_print(TestFilm(other, film_), {.noise = 5});
  const auto match = match_film(forward, backward);
  ASSERT_TRUE(match);
  ASSERT_EQ(match->stretches.size(), 2U);
  EXPECT_NEAR(match->stretches[0].begin_b, kSeconds, 0.5);
  EXPECT_NEAR(match->stretches[0].end_a, kSeconds, 0.5);
  EXPECT_NEAR(match->stretches[1].begin_b, 0, 0.5);
  EXPECT_EQ(score_of(*match).relation, Relation::kSame);
}

TEST_F(FilmMatch, FindsWhatIsAroundSomethingCutOut) {
  const TestFilm middle(3, 5);
  const TestFilm end(4, 5);
  const FilmPrint whole = film_print(TestFilm(TestFilm(film_, middle), end));
  const FilmPrint cut = film_print(TestFilm(film_, end));
  const auto match = match_film(whole, cut);
  ASSERT_TRUE(match);
  ASSERT_EQ(match->stretches.size(), 2U);
  EXPECT_NEAR(match->stretches[1].begin_a, kSeconds + 5, 0.5);
  EXPECT_NEAR(match->stretches[1].begin_b, kSeconds, 0.5);
}

TEST_F(FilmMatch, LinksNoFilmsByTheirIntro) {
  const TestFilm intro(9, 5);
  const FilmPrint one = film_print(TestFilm(intro, TestFilm(5, 20)));
  const FilmPrint two = film_print(TestFilm(intro, TestFilm(6, 20)));
  const auto match = match_film(one, two);
  ASSERT_TRUE(match);
  EXPECT_LT(score_of(*match).score, 0.6);
  ASSERT_EQ(match->stretches.size(), 1U);
  EXPECT_NEAR(match->stretches[0].end_a, 5, 0.5);
}

TEST_F(FilmMatch, KeepsDifferentFilmsApart) {
  for (std::uint64_t seed = 10; seed < 15; ++seed) {
    EXPECT_FALSE(match_film(print_, film_print(TestFilm(seed, kSeconds)))) << seed;
  }
}

// Two recordings of one scene: the camera stands still, other things move in it.
TEST_F(FilmMatch, TellsRecordingsOfOneSceneApart) {
  const auto scene = blob_scene(77, 96);
  const auto record = [&](std::uint64_t seed) {
    FilmPrinter printer;
    Rng rng(seed);
    double x = 48;
    double y = 27;
    for (int tick = 0; tick < 80; ++tick) {
      x = std::clamp(x + 24 * (rng.uniform() - 0.5), 15.0, 80.0);
      y = std::clamp(y + 24 * (rng.uniform() - 0.5), 15.0, 40.0);
      const auto picture = draw_grey(96, 54, [&](double px, double py) {
        const bool inside = (px - x) * (px - x) + (py - y) * (py - y) < 150;
        return inside ? 20 : scene(px, py);
      });
      printer.add(tick / 8.0, picture.view());
    }
    return *unpack_film_print(printer.finish(10));
  };
  const FilmPrint first = record(1);
  EXPECT_TRUE(match_film(first, first));
  for (std::uint64_t seed = 2; seed < 6; ++seed) EXPECT_FALSE(match_film(first, record(seed)));
}

TEST_F(FilmMatch, IsTheSameTheOtherWayRound) {
  const FilmEdit edits[] = {{.from = 3, .to = 8}, {.speed = 1.2}, {.mirrored = true}};
  for (const FilmEdit& edit : edits) {
    const FilmPrint copy = film_print(film_, edit);
    const auto forth = match_film(print_, copy);
    const auto back = match_film(copy, print_);
    ASSERT_TRUE(forth && back);
    EXPECT_EQ(back->stretches, reversed(*forth).stretches);
    EXPECT_NEAR(back->speed * forth->speed, 1, 1e-12);
    EXPECT_EQ(back->mirrored, forth->mirrored);
    EXPECT_EQ(back->agreement, forth->agreement);
  }
}

TEST_F(FilmMatch, SurvivesFilmsOfOneFrame) {
  const FilmPrint one = film_print(film_, {.from = 2, .to = 2.05});
  ASSERT_EQ(one.frames.size(), 1U);
  EXPECT_FALSE(match_film(print_, one));
  EXPECT_FALSE(match_film(one, one));
}

}  // namespace
}  // namespace twinsift
