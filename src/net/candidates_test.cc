// SPDX-License-Identifier: Apache-2.0
#include "net/candidates.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "net/test_identity.h"

namespace twinsift::net {
namespace {

constexpr std::int64_t kNow = 1'800'000'000;
constexpr std::chrono::seconds kLifetime{7200};
constexpr double kSimilarity = .8;
constexpr std::uint32_t kFirst = 900;  // t_1

DhtKey key_of(std::uint16_t table) {
  DhtKey key{};
  key[0] = static_cast<std::uint8_t>(table);
  return key;
}

std::vector<LabelSketch> random_sketches() {
  Rng rng(3);
  std::vector<LabelSketch> sketches(kSketches);
  for (LabelSketch& sketch : sketches) {
    for (std::uint64_t& word : sketch) word = rng.next();
  }
  return sketches;
}

class CandidatesTest : public testing::Test {
 protected:
  // An entry of which so many bits agree with the question's sketch of its table.
  [[nodiscard]] Entry entry(std::uint16_t table, std::uint32_t agreeing,
                            std::uint8_t resource = 1) const {
    Entry entry{.table = table, .expires = kNow + 3600, .owner = owner_.public_key()};
    entry.resource.fill(resource);
    entry.sketch = question_[table % kSketches];
    for (std::uint32_t i = agreeing; i < kSketchBits; ++i) {
      entry.sketch[i / 64] ^= std::uint64_t{1} << (i % 64);
    }
    return entry;
  }
  // Returns how many turned out to be false.
  std::size_t take(const Entry& entry) {
    const DhtKey key = key_of(entry.table);
    return all_.take(entry, key, {entry_id(entry), seal(entry, key, owner_)}, kNow);
  }
  std::size_t take_forged(const Entry& entry) {
    const DhtKey key = key_of(entry.table);
    std::string bytes = seal(entry, key, owner_);
    bytes.back() = static_cast<char>(bytes.back() ^ 1);
    return all_.take(entry, key, {entry_id(entry), bytes}, kNow);
  }
  void expect(std::size_t waiting, std::size_t size, std::size_t strangers) {
    EXPECT_EQ(all_.queue().size(), waiting);
    EXPECT_EQ(all_.size(), size);
    EXPECT_EQ(all_.strangers(), strangers);
  }

  const Identity owner_ = test_identity(1);
  const std::vector<LabelSketch> question_ = random_sketches();
  const SketchThresholds least_ = sketch_thresholds(kFirst, kSimilarity);
  Candidates all_{question_, least_, kLifetime};
};

TEST_F(CandidatesTest, OneSketchDecidesWhatMeetsInOneTable) {
  EXPECT_EQ(take(entry(0, kFirst, 1)), 0U);
  expect(1, 1, 0);
  EXPECT_EQ(take(entry(0, kFirst - 1, 2)), 0U);
  expect(1, 2, 1);
  take(entry(4, kFirst, 2));  // the same sketch of another table, said better: the best is checked
  expect(1, 2, 1);
}

// 900 of 1,024 pass, and 1,800 of 2,048 do not.
TEST_F(CandidatesTest, ASecondSketchPutsOutWhatTheFirstLetIn) {
  ASSERT_GT(least_[1], 2 * kFirst);
  take(entry(0, kFirst));
  expect(1, 1, 0);
  take(entry(1, least_[1] - kFirst - 1));
  expect(0, 1, 1);
  take(entry(2, least_[2] - least_[1] + 1));  // and a third lets it in again
  expect(1, 1, 0);
}

TEST_F(CandidatesTest, ASecondSketchLetsInWhatTheFirstKeptOut) {
  take(entry(0, kFirst - 1));
  expect(0, 1, 1);
  take(entry(1, least_[1] - kFirst + 1));
  expect(1, 1, 0);
  EXPECT_EQ(all_.queue().begin()->second.resource, entry(0, 0).resource);
}

// Both fail alone, and no choice of one of them would pass.
TEST_F(CandidatesTest, TwoSketchesMayPassTogetherOnly) {
  const SketchThresholds easy{kFirst, 2 * kFirst - 20, 3 * kFirst, 4 * kFirst};
  Candidates all(question_, easy, kLifetime);
  for (std::uint16_t table = 0; table < 2; ++table) {
    const Entry one = entry(table, kFirst - 5);
    all.take(one, key_of(table), {entry_id(one), seal(one, key_of(table), owner_)}, kNow);
    EXPECT_EQ(all.queue().size(), table);
  }
}

TEST_F(CandidatesTest, AForgedSketchPushesNothingOut) {
  take(entry(0, 1000));
  EXPECT_EQ(take_forged(entry(1, 0)), 1U);
  EXPECT_EQ(take_forged(entry(2, 0)), 1U);
  expect(1, 1, 0);
  // The other way round: what is forged has come before.
  EXPECT_EQ(take_forged(entry(1, 0, 2)), 0U) << "nobody looks at what does not matter";
  EXPECT_EQ(take_forged(entry(0, 0, 2)), 0U);
  expect(1, 2, 1);
  EXPECT_EQ(take(entry(0, 1000, 2)), 2U);
  expect(2, 2, 0);
  // What is true still counts after what was forged in its place.
  take(entry(1, 700, 2));
  expect(1, 2, 1);
}

TEST_F(CandidatesTest, AForgedSketchBringsNothingIn) {
  EXPECT_EQ(take_forged(entry(0, kSketchBits)), 1U);
  expect(0, 0, 0);
  take(entry(1, kFirst - 50));
  expect(0, 1, 1);
  EXPECT_EQ(take_forged(entry(2, kSketchBits)), 1U);
  expect(0, 1, 1);
}

TEST_F(CandidatesTest, WhatWasAskedForIsNoLongerDecided) {
  take(entry(0, kFirst));
  const Entry asked = all_.queue().begin()->second;
  all_.remove(all_.queue().begin());
  expect(0, 1, 0);
  EXPECT_EQ(take_forged(entry(1, 0)), 0U);
  take(entry(1, 0));
  expect(0, 1, 0);
  all_.put_back(asked);
  expect(1, 1, 0);
}

TEST_F(CandidatesTest, TheMostPromisingIsFirst) {
  take(entry(0, 950, 1));
  take(entry(0, 930, 2));
  take(entry(1, 1000, 2));
  take(entry(3, 940, 3));
  std::vector<int> order;
  for (const auto& [share, waiting] : all_.queue()) order.push_back(waiting.resource[0]);
  EXPECT_EQ(order, (std::vector{2, 1, 3}));
}

TEST_F(CandidatesTest, WithoutSketchesEverythingSignedIsAskedFor) {
  Candidates all({}, sketch_thresholds(0, kSimilarity), kLifetime);
  for (std::uint16_t table = 0; table < 3; ++table) {
    const Entry one = entry(table, 0);
    const DhtKey key = key_of(table);
    // Further ones are not even looked at.
    std::string bytes = seal(one, key, owner_);
    if (table > 0) bytes.back() = static_cast<char>(bytes.back() ^ 1);
    EXPECT_EQ(all.take(one, key, {entry_id(one), bytes}, kNow), 0U);
    EXPECT_EQ(all.queue().size(), 1U);
  }
}

}  // namespace
}  // namespace twinsift::net
