// SPDX-License-Identifier: Apache-2.0
#include "verify/film_linkage.h"

#include <gtest/gtest.h>

#include "feature/test_film.h"
#include "verify/film_match.h"

namespace twinsift {
namespace {

Timeline timeline(std::vector<Stretch> stretches) {
  Timeline made;
  made.seconds_a = 100;
  made.seconds_b = 50;
  made.stretches = std::move(stretches);
  return made;
}

TEST(FilmLinkage, AddsUpWhatPartsShow) {
  const Timeline timelines[] = {timeline({{60, 100, 0, 40}}), timeline({{0, 30, 10, 40}})};
  const Linkage linkage = linkage_of(timelines);
  EXPECT_DOUBLE_EQ(linkage.covered, 0.7);
  ASSERT_EQ(linkage.parts.size(), 2U);
  EXPECT_EQ(linkage.parts[0].other, 1U);
  EXPECT_EQ(linkage.parts[1].other, 0U);
}

TEST(FilmLinkage, CountsNothingTwice) {
  const Timeline timelines[] = {timeline({{0, 60, 0, 60}}), timeline({{10, 50, 0, 40}}),
                                timeline({{40, 80, 0, 40}})};
  const Linkage linkage = linkage_of(timelines);
  EXPECT_DOUBLE_EQ(linkage.covered, 0.8);
  ASSERT_EQ(linkage.parts.size(), 2U);
  EXPECT_EQ(linkage.parts[1].other, 2U);
  EXPECT_DOUBLE_EQ(linkage.parts[1].adds, 20);
}

TEST(FilmLinkage, IsEmptyWithoutParts) {
  EXPECT_EQ(linkage_of({}).covered, 0);
  const Timeline none[] = {timeline({})};
  EXPECT_EQ(linkage_of(none).covered, 0);
}

TEST(FilmLinkage, PutsAFilmTogetherAgain) {
  const TestFilm film(1, 25);
  const FilmPrint whole = film_print(film);
  std::vector<Timeline> timelines;
  for (const double from : {12.0, 0.0, 18.0, 6.0}) {
    const double to = from == 18 ? 25 : from + 6;
    const auto match = match_film(whole, film_print(film, {.from = from, .to = to, .noise = 6}));
    ASSERT_TRUE(match);
    timelines.push_back(*match);
  }
  const Linkage linkage = linkage_of(timelines);
  EXPECT_GT(linkage.covered, 0.95);
  ASSERT_EQ(linkage.parts.size(), 4U);
  EXPECT_EQ(linkage.parts[0].other, 1U);
  EXPECT_EQ(linkage.parts[1].other, 3U);
  EXPECT_EQ(linkage.parts[2].other, 0U);
  EXPECT_EQ(linkage.parts[3].other, 2U);
}

}  // namespace
}  // namespace twinsift
