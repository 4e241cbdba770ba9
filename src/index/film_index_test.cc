// SPDX-License-Identifier: Apache-2.0
#include "index/film_index.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "base/bit_code.h"
#include "base/random.h"
#include "base/tails.h"

namespace twinsift {
namespace {

ImageCode random_code(Rng& rng) {
  ImageCode code{};
  for (std::uint64_t& word : code) word = rng.next();
  return code;
}

// A film of one code a second.
FilmPrint random_film(Rng& rng, std::uint32_t seconds) {
  FilmPrint print;
  print.seconds = seconds;
  for (std::uint32_t i = 0; i < seconds; ++i) {
    print.frames.add(random_code(rng), 1000 * i, 1000 * i);
  }
  return print;
}

// With exactly so many other bits in each code, and all of it later by `shift` seconds.
FilmPrint changed(const FilmPrint& film, std::uint32_t bits, std::uint32_t shift, Rng& rng) {
  FilmPrint copy;
  copy.seconds = film.seconds + shift;
  for (std::size_t i = 0; i < film.frames.size(); ++i) {
    ImageCode code{};
    std::ranges::copy(film.frames.code(i), code.begin());
    ImageCode flips{};
    for (std::uint32_t flipped = 0; flipped < bits;) {
      const std::uint32_t bit = rng.below(256);
      std::uint64_t& word = flips[bit / 64];
      const std::uint64_t mask = std::uint64_t{1} << bit % 64;
      if ((word & mask) != 0) continue;
      word |= mask;
      ++flipped;
    }
    for (std::size_t word = 0; word < 4; ++word) code[word] ^= flips[word];
    const std::uint32_t time = film.frames.begin[i] + 1000 * shift;
    copy.frames.add(code, time, time);
  }
  return copy;
}

TEST(FilmIndex, ChanceOfAMeetingIsThatOfEqualSamples) {
  // Two of four bits equal: C(2, 1) / C(4, 1); here of 256.
  EXPECT_DOUBLE_EQ(film_code_found(128, 1, 1), 0.5);
  EXPECT_DOUBLE_EQ(film_code_found(128, 2, 1), 128.0 * 127 / (256 * 255));
  EXPECT_DOUBLE_EQ(film_code_found(0, 20, 1), 1);
  EXPECT_NEAR(film_code_found(64, 1, 2), 1 - 0.25 * 0.25, 1e-12);
}

TEST(FilmIndex, PlansKeepTheirPromise) {
  for (const std::uint64_t codes : {1U, 1000U, 1'000'000U, 36'000'000U}) {
    for (const double recall : {0.5, 0.9, 0.95, 0.99}) {
      const FilmIndexPlan plan = plan_film_index(codes, recall);
      EXPECT_GE(plan.found, recall);
      const double p = film_code_found(kPromisedBits, plan.width, plan.tables);
      EXPECT_DOUBLE_EQ(plan.found, binomial_at_least(kPromisedSeconds, p, 2));
    }
  }
  EXPECT_LE(plan_film_index(1000, 0.9).width, plan_film_index(1'000'000, 0.9).width);
}

// 200 films of 20 s, and for each a copy as far away as is promised: so many are found as the plan
// says, within four standard errors.
TEST(FilmIndex, FindsAsManyAsPromised) {
  Rng rng(3);
  constexpr std::uint32_t kFilms = 200;
  FilmIndex index;
  std::vector<FilmPrint> films;
  for (ItemId i = 0; i < kFilms; ++i) {
    films.push_back(random_film(rng, kPromisedSeconds));
    index.add(i, films.back());
  }
  index.build(0.9, 1);
  EXPECT_EQ(index.codes(), kFilms * kPromisedSeconds);
  double found = 0;
  for (ItemId i = 0; i < kFilms; ++i) {
    const auto candidates = index.ask(changed(films[i], kPromisedBits, i, rng), 10);
    for (const FilmCandidate& candidate : candidates) {
      EXPECT_EQ(candidate.film, i);  // random codes do not come as near
      ++found;
    }
  }
  const double promised = index.plan().found;
  EXPECT_GE(found / kFilms, promised - 4 * std::sqrt(promised * (1 - promised) / kFilms));
}

// What it finds is what comparing all codes finds, less what no table brings together.
TEST(FilmIndex, ReportsOnlyWhatIsNear) {
  Rng rng(4);
  FilmIndex index;
  const FilmPrint film = random_film(rng, 30);
  index.add(0, film);
  index.add(1, random_film(rng, 30));
  index.build(0.99, 1);
  EXPECT_EQ(index.ask(film, 10), (std::vector<FilmCandidate>{{0, 180}}));
  EXPECT_TRUE(index.ask(changed(film, 95, 0, rng), 10).empty());
  EXPECT_TRUE(index.ask(random_film(rng, 30), 10).empty());
}

TEST(FilmIndex, FindsMirroredFilms) {
  Rng rng(5);
  FilmIndex index;
  FilmPrint film = random_film(rng, 20);
  index.add(7, film);
  index.build(0.9, 1);
  FilmPrint mirrored = random_film(rng, 20);
  mirrored.mirrored = film.frames;
  ASSERT_EQ(index.ask(mirrored, 10).size(), 1U);
  EXPECT_EQ(index.ask(mirrored, 10)[0].film, 7U);
}

TEST(FilmIndex, FindsFilmsThatShowAPart) {
  Rng rng(8);
  FilmIndex index;
  const FilmPrint film = random_film(rng, 20);
  index.add(7, film);
  index.build(0.9, 1);
  FilmPrint whole = random_film(rng, 20);
  whole.cropped[kFilmCrops - 1] = film.frames;
  ASSERT_EQ(index.ask(whole, 10).size(), 1U);
  EXPECT_EQ(index.ask(whole, 10)[0].film, 7U);
}

TEST(FilmIndex, IsEmptyIfNothingWasAdded) {
  Rng rng(6);
  FilmIndex index;
  index.build(0.9, 1);
  EXPECT_TRUE(index.ask(random_film(rng, 5), 10).empty());
}

TEST(FilmIndex, TakesMoreFramesOfShortFilms) {
  FilmPrint film;
  film.seconds = 2;
  for (std::uint32_t i = 0; i < 16; ++i) film.frames.add({}, 125 * i, 125 * i);
  EXPECT_EQ(indexed_frames(film).size(), 16U);
  film.seconds = 3600;
  EXPECT_EQ(indexed_frames(film).size(), 2U);
}

}  // namespace
}  // namespace twinsift
