// SPDX-License-Identifier: Apache-2.0
#include "index/sound_index.h"

#include <algorithm>
#include <map>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.h"
#include "index/sound_plan.h"

namespace twinsift {
namespace {

using Codes = std::vector<SoundCode>;

Codes random_codes(Rng& rng, std::size_t n) {
  Codes codes(n);
  for (SoundCode& code : codes) code = {rng.next(), rng.next()};
  return codes;
}

// Each bit is wrong with probability 1 - agreement.
Codes damaged(Codes codes, Rng& rng, double agreement) {
  for (SoundCode& code : codes) {
    for (unsigned bit = 0; bit < 128; ++bit) {
      if (rng.uniform() > agreement) code[bit / 64] ^= std::uint64_t{1} << (bit % 64);
    }
  }
  return codes;
}

TEST(TimeVotes, FindsOffsetsWhoseVotesLieFarApart) {
  TimeVotes votes(2000);
  Rng rng(9);
  for (int k = 0; k < 1000; ++k) votes.add(0, rng.below(100'000), rng.below(2000));
  for (std::size_t j = 100; j < 2000; j += 200) votes.add(1, 50'000 + j, j);
  const auto seeds = votes.seeds(3, 11 * 102'000);
  ASSERT_FALSE(seeds.empty());
  const SoundSeed best = std::ranges::max(seeds, {}, &SoundSeed::votes);
  EXPECT_EQ(best.votes, 10U);
  EXPECT_EQ(best.shift, 1);
  EXPECT_LE(best.offset, 50'000);
  EXPECT_GT(best.offset + kSeedWidth, 50'000);
}

TEST(TimeVotes, CountsGroupsOfMomentsInBlocksOfCells) {
  TimeVotes votes(1000);
  for (std::size_t j = 100; j < 120; ++j) votes.add(-2, 5000 + j, j);
  const auto seeds = votes.seeds(4, 0);
  ASSERT_FALSE(seeds.empty());
  // Twenty moments, four of which count once.
  EXPECT_EQ(std::ranges::max(seeds, {}, &SoundSeed::votes).votes, 5U);
  for (const SoundSeed& seed : seeds) {
    EXPECT_EQ(seed.shift, -2);
    EXPECT_LE(seed.offset, 5000);
    EXPECT_GT(seed.offset + kSeedWidth, 5000);
  }
}

// Against counting by hand: for each block of cells the distinct groups of its votes.
RC_GTEST_PROP(TimeVotes, CountsAsByHand, (std::uint32_t seed)) {
  Rng rng(seed);
  TimeVotes votes(256);
  std::map<std::tuple<int, std::ptrdiff_t, std::ptrdiff_t>, std::uint32_t> expected;
  std::vector<std::tuple<int, std::ptrdiff_t, std::ptrdiff_t>> cast;
  for (int k = 0; k < 300; ++k) {
    const int shift = static_cast<int>(rng.below(3)) - 1;
    const std::uint64_t i = rng.below(200);
    const std::size_t j = rng.below(256);
    votes.add(shift, i, j);
    cast.emplace_back(shift, static_cast<std::ptrdiff_t>(i) - static_cast<std::ptrdiff_t>(j),
                      static_cast<std::ptrdiff_t>(j));
  }
  for (const SoundSeed& found : votes.seeds(1, 0)) {
    std::vector<std::ptrdiff_t> groups;
    std::uint32_t hits = 0;
    for (const auto& [shift, offset, j] : cast) {
      if (shift != found.shift || offset < found.offset || offset >= found.offset + kSeedWidth ||
          j < found.at_y || j >= found.at_y + kSeedLength) {
        continue;
      }
      groups.push_back(j / 4);
      ++hits;
    }
    std::ranges::sort(groups);
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
    RC_ASSERT(found.votes == groups.size());
    RC_ASSERT(found.hits == hits);
  }
}

TEST(SoundIndex, FindsAPieceAtItsPlaceAndPitch) {
  Rng rng(1);
  std::vector<Codes> items;
  SoundIndex index({.bits = 20, .tables = 2});
  for (int i = 0; i < 20; ++i) {
    items.push_back(random_codes(rng, 500));
    index.add(items.back());
  }
  index.seal();
  for (int shift = -kMostShift; shift <= kMostShift; ++shift) {
    Codes piece(items[7].begin() + 200, items[7].begin() + 264);
    for (SoundCode& code : piece) code = shifted(code, -shift);
    const auto answer = index.ask({.codes = piece, .before = 20, .votes = 8});
    ASSERT_FALSE(answer.candidates.empty()) << shift;
    for (const SoundCandidate& candidate : answer.candidates) {
      EXPECT_EQ(candidate.item, 7U);
      EXPECT_EQ(candidate.seed.shift, shift);
      EXPECT_LE(candidate.seed.offset, 200);
      EXPECT_GT(candidate.seed.offset + kSeedWidth, 200);
    }
  }
}

TEST(SoundIndex, AsksOnlyItemsBefore) {
  Rng rng(2);
  const Codes codes = random_codes(rng, 300);
  SoundIndex index({.bits = 20, .tables = 1});
  for (int i = 0; i < 3; ++i) index.add(codes);
  index.seal();
  for (ItemId before = 0; before <= 3; ++before) {
    const auto answer = index.ask({.codes = codes, .before = before, .votes = 8});
    std::vector<ItemId> found;
    for (const auto& candidate : answer.candidates) found.push_back(candidate.item);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    EXPECT_EQ(found.size(), before);
  }
}

TEST(SoundIndex, TellsWhenListsAreTooLong) {
  Rng rng(3);
  const Codes loop = random_codes(rng, 8);
  Codes loops;
  for (int i = 0; i < 100; ++i) loops.insert(loops.end(), loop.begin(), loop.end());
  SoundIndex index({.bits = 20, .tables = 1, .longest = 50});
  index.add(loops);
  index.add(random_codes(rng, 100));
  index.seal();
  EXPECT_FALSE(index.ask({.codes = random_codes(rng, 100), .before = 2}).capped);
  EXPECT_TRUE(index.ask({.codes = loops, .before = 2}).capped);
}

// Of `count` made-up recordings of so many moments, the share whose copies with so many of the bits
// right are candidates.
double share_found(const SoundPlan& plan, double agreement, ItemId count, std::size_t moments) {
  Rng rng(4);
  std::vector<Codes> items;
  SoundIndex index(plan.keys);
  for (ItemId i = 0; i < count; ++i) {
    items.push_back(random_codes(rng, moments));
    index.add(items.back());
  }
  index.seal();
  int found = 0;
  for (ItemId i = 0; i < count; ++i) {
    const Codes copy = damaged(items[i], rng, agreement);
    const auto answer = index.ask({.codes = copy, .before = count, .votes = plan.votes});
    found += std::ranges::any_of(answer.candidates,
                                 [&](const auto& c) { return c.item == i && c.seed.shift == 0; });
  }
  return found / double{1} / count;
}

// As often as promised, within four standard errors, for as short a stretch and for a minute.
TEST(SoundPlan, SeedsAreFoundAsOftenAsPromised) {
  constexpr ItemId kCount = 400;
  const SoundPlan plan = plan_sound(kCount * 64, 0.9);
  ASSERT_GE(plan.found, 0.9);
  ASSERT_LT(plan.of_minute, 0.8);
  const double least = plan.found - 4 * std::sqrt(plan.found * (1 - plan.found) / kCount);
  const auto moments = static_cast<std::size_t>(plan.seconds * 16);
  EXPECT_GE(share_found(plan, plan.agreement, kCount, moments + 3), least);
  EXPECT_GE(share_found(plan, plan.of_minute, kCount, 960 + 3), least);
}

TEST(SoundPlan, SaysWhatItPromises) {
  const SoundPlan plan = plan_sound(1'500'000, 0.99);
  EXPECT_EQ(plan.guarantee(),
            "recordings that share 10 s of sound with 85 % of its bits, or 60 s with 80 %: "
            "P(compared) >= 0.9989");
}

TEST(SoundPlan, KeysGrowWithTheSoundAndTablesWithTheRecall) {
  EXPECT_LT(plan_sound(1000, 0.9).keys.bits, plan_sound(100'000'000, 0.9).keys.bits);
  EXPECT_LT(plan_sound(1'000'000, 0.8).keys.tables, plan_sound(1'000'000, 0.99).keys.tables);
  const SoundPlan plan = plan_sound(1'500'000, 0.95);
  EXPECT_EQ(plan.spec(), "sound1:bits=22,tables=3,votes=2");
  EXPECT_GE(plan.found, 0.95);
}

}  // namespace
}  // namespace twinsift
