// SPDX-License-Identifier: Apache-2.0
#include "group/film_matcher.h"

#include <gtest/gtest.h>

#include "feature/test_film.h"

namespace twinsift {
namespace {

// Films, copies and parts of them, and one without anything to see.
const std::vector<std::vector<std::uint64_t>>& films() {
  static const auto all = [] {
    std::vector<std::vector<std::uint64_t>> made;
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      const TestFilm film(seed, 10);
      made.push_back(packed_film(film));
      made.push_back(packed_film(film, {.noise = 10, .width = 48}));
      made.push_back(packed_film(film, {.from = 3, .to = 8.5, .mirrored = seed % 2 == 0}));
    }
    made.emplace_back();
    return made;
  }();
  return all;
}

FilmTask task() {
  FilmTask task;
  task.items = static_cast<std::uint32_t>(films().size());
  task.packed = [](ItemId i) -> Result<std::span<const std::uint64_t>> {
    return std::span<const std::uint64_t>(films()[i]);
  };
  return task;
}

TEST(FilmMatcher, FindsAllPairsOfCopies) {
  const auto found = find_film_pairs(task());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->pairs.size(), 15U);
  for (const FilmPairs::Pair& pair : found->pairs) EXPECT_EQ(pair.a / 3, pair.b / 3);
  EXPECT_EQ(found->guarantee, "all pairs of films were compared");
  EXPECT_EQ(found->verified, 120U);
}

TEST(FilmMatcher, FindsTheSameThroughTheIndex) {
  FilmTask indexed = task();
  indexed.few = 0;
  indexed.recall = 0.99;
  const auto all = find_film_pairs(task());
  const auto found = find_film_pairs(indexed);
  ASSERT_TRUE(all && found);
  EXPECT_EQ(found->pairs, all->pairs);
  EXPECT_LT(found->candidates, all->candidates);
  EXPECT_TRUE(
      found->guarantee.starts_with("films that share 20 s within 64 of 256 bits: P(compared)"));
  EXPECT_TRUE(found->index.starts_with("film1:bits=256,v=")) << found->index;
}

TEST(FilmMatcher, IsTheSameForAnyNumberOfThreads) {
  FilmTask one = task();
  one.few = 0;
  FilmTask many = one;
  many.threads = 4;
  const auto first = find_film_pairs(one);
  const auto second = find_film_pairs(many);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->pairs, second->pairs);
  EXPECT_EQ(first->candidates, second->candidates);
}

TEST(FilmMatcher, ComparesOnlyWhatIsAllowed) {
  FilmTask some = task();
  some.allowed = [](ItemId a, ItemId b) { return a == 0 && b == 1; };
  const auto found = find_film_pairs(some);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->pairs.size(), 1U);
  EXPECT_EQ(found->verified, 1U);
}

TEST(FilmMatcher, RefusesDamagedPrints) {
  for (const std::uint32_t few : {0U, 48U}) {
    FilmTask damaged = task();
    damaged.few = few;
    damaged.packed = [](ItemId i) -> Result<std::span<const std::uint64_t>> {
      return std::span<const std::uint64_t>(films()[i]).first(films()[i].size() / 2);
    };
    const auto found = find_film_pairs(damaged);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, ErrorCode::kCorrupt);
  }
}

TEST(FilmMatcher, RefusesARecallThatIsNone) {
  FilmTask none = task();
  none.recall = 0;
  EXPECT_EQ(find_film_pairs(none).error().code, ErrorCode::kInvalidArgument);
}

TEST(FilmMatcher, StopsWhenAsked) {
  std::stop_source source;
  source.request_stop();
  for (const std::uint32_t few : {0U, 48U}) {
    FilmTask stopped = task();
    stopped.few = few;
    stopped.stop = source.get_token();
    EXPECT_EQ(find_film_pairs(stopped).error().code, ErrorCode::kCancelled);
  }
}

TEST(FilmMatcher, HasNothingToSayOfNoFilms) {
  FilmTask none = task();
  none.items = 0;
  const auto found = find_film_pairs(none);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->pairs.empty());
}

}  // namespace
}  // namespace twinsift
