// SPDX-License-Identifier: Apache-2.0
#include "index/mih.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "base/random.h"
#include "index/test_codes.h"

namespace twinsift {
namespace {

// ORACLE: with recall 1 the answers are those of a scan, for every length and for clusters, also
// where hardly a code is worth a table.
TEST(Mih, ExactAnswersAreThoseOfAScan) {
  for (const std::uint32_t bits : {64U, 128U, 192U, 256U, 512U}) {
    for (const std::uint32_t items : {3U, 500U, 20'000U}) {
      const auto spec = fmt::format("mih1:bits={},radius={},recall=1,items={}", bits, bits / 8,
                                    std::max(items, 5000U));
      auto index = *make_code_index(spec);
      const Codes codes = make_test_codes(bits / 64, items, items);
      ASSERT_TRUE(index->insert_all(0, codes));
      ASSERT_EQ(index->size(), items);
      Rng rng(bits);
      for (int q = 0; q < 60; ++q) {
        const Codes question = near_code(codes, bits / 64, bits / 6, rng);
        for (const std::uint32_t radius : {0U, 3U, bits / 8, bits / 4}) {
          ASSERT_EQ(answers(*index, question, radius), scan(codes, question, radius)) << spec;
        }
      }
    }
  }
}

// STATISTICAL: over many seeds, pairs at exactly the radius are found as often as planned.
TEST(Mih, FindsAsManyAsThePlanSays) {
  for (const double recall : {.6, .9, .99}) {
    const auto base = fmt::format("mih1:bits=128,radius=20,recall={},items=100000", recall);
    const double planned = plan_of_mih(base)->found;
    ASSERT_GE(planned, recall);
    int found = 0;
    const int seeds = 40;
    const int pairs = 60;
    for (int seed = 0; seed < seeds; ++seed) {
      auto index = *make_code_index(fmt::format("{},seed={}", base, seed));
      Rng rng(static_cast<std::uint64_t>(seed));
      Codes codes = make_random_codes(2, 20'000, rng.next());
      ASSERT_TRUE(index->insert_all(0, codes));
      for (int i = 0; i < pairs; ++i) {
        const Codes question = flipped(row(codes, 2, rng.below(20'000)), 20, rng);
        found += answers(*index, question, 20).empty() ? 0 : 1;
      }
    }
    const double n = seeds * pairs;
    EXPECT_NEAR(found / n, planned, 4 * std::sqrt(planned * (1 - planned) / n) + 1e-9) << recall;
  }
}

// PROPERTY: after any series of changes the answers are those of a fresh index.
TEST(Mih, ChangesLeaveTheAnswersOfAFreshIndex) {
  for (const char* spec : {"mih1:bits=128,radius=16,recall=0.9,items=3000",
                           "mih1:bits=128,radius=16,recall=1,items=3000"}) {
    auto changed = *make_code_index(spec);
    std::map<ItemId, Codes> model;
    Rng rng(8);
    const Codes pool = make_test_codes(2, 3000, 1);
    for (int step = 0; step < 12'000; ++step) {
      const ItemId id = rng.below(3500);
      if (rng.below(3) == 0) {
        EXPECT_EQ(changed->erase(id).has_value(), model.erase(id) == 1);
      } else {
        const Codes code = row(pool, 2, rng.below(3000));
        EXPECT_EQ(changed->insert(id, code).has_value(), model.emplace(id, code).second);
      }
    }
    auto fresh = *make_code_index(spec);
    for (const auto& [id, code] : model) ASSERT_TRUE(fresh->insert(id, code));
    ASSERT_EQ(changed->size(), fresh->size());
    for (int q = 0; q < 200; ++q) {
      const Codes question = near_code(pool, 2, 20, rng);
      ASSERT_EQ(answers(*changed, question, 16), answers(*fresh, question, 16));
    }
    while (!model.empty()) {
      ASSERT_TRUE(changed->erase(model.begin()->first));
      model.erase(model.begin());
    }
    EXPECT_TRUE(answers(*changed, row(pool, 2, 0), 128).empty());
  }
}

TEST(Mih, BuiltAtOnceOrOneByOneAndByAnyThreadTheAnswersAreTheSame) {
  const Codes codes = make_test_codes(4, 20'000, 5);
  auto built = *make_code_index("mih1:items=20000");
  auto grown = *make_code_index("mih1:items=20000");
  ASSERT_TRUE(built->insert_all(0, codes));
  for (ItemId id = 0; id < 20'000; ++id) ASSERT_TRUE(grown->insert(id, row(codes, 4, id)));
  std::vector<std::vector<CodeMatch>> one(100);
  std::vector<std::vector<CodeMatch>> many(100);
  const auto ask = [&](const CodeIndex& index, auto& out) {
    return [&](std::size_t i, unsigned) {
      Rng rng(i);
      out[i] = answers(index, near_code(codes, 4, 31, rng), 31);
    };
  };
  parallel_for(100, 1, {}, ask(*grown, one));
  parallel_for(100, 4, {}, ask(*built, many));
  EXPECT_EQ(one, many);
}

// All codes alike: every bucket holds everything, and a scan answers.
TEST(Mih, ManyEqualCodesAreAllFound) {
  auto index = *make_code_index("mih1:bits=64,radius=4,items=3000");
  const Codes code = {0x0123456789ABCDEFU};
  for (ItemId id = 0; id < 3000; ++id) ASSERT_TRUE(index->insert(id, code));
  EXPECT_EQ(answers(*index, code, 0).size(), 3000U);
  for (ItemId id = 0; id < 3000; id += 2) ASSERT_TRUE(index->erase(id));
  EXPECT_EQ(answers(*index, code, 4).size(), 1500U);
}

TEST(Mih, RefusesWhatDoesNotFit) {
  auto index = *make_code_index("mih1:bits=128,radius=8,items=1000");
  std::vector<CodeMatch> out;
  EXPECT_EQ(index->insert(0, Codes{1}).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(index->insert(0, Codes{}).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(index->insert_all(0, Codes{1, 2, 3}).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(index->near(Codes{1, 2, 3}, 1, out).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(index->insert(1U << 28U, Codes{1, 2}).error().code, ErrorCode::kLimit);
  EXPECT_EQ(index->insert(UINT32_MAX, Codes{1, 2}).error().code, ErrorCode::kLimit);
  ASSERT_TRUE(index->insert(5, Codes{1, 2}));
  EXPECT_EQ(index->insert(5, Codes{1, 2}).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(index->insert_all(4, Codes{1, 2, 3, 4}).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(index->erase(4).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(index->erase(6).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(index->size(), 1U);
}

TEST(Mih, SpecMakesTheSameIndexAgainAndBadOnesAreRefused) {
  const std::string all = "mih1:bits=256,radius=31,recall=0.99,items=1000000,seed=0";
  EXPECT_EQ((*make_code_index("mih1"))->spec(), all);
  EXPECT_EQ((*make_code_index(all))->spec(), all);
  for (const char* spec : {"", "mih", "mih1:", "mih1:bits", "mih1:bits=", "mih1:bits=100",
                           "mih1:bits=1024", "mih1:radius=65", "mih1:recall=0", "mih1:recall=1.1",
                           "mih1:recall=nan", "mih1:items=0", "mih1:bits=64,bits=64",
                           "mih1:bits=64,", "mih1:tables=3", "mih1:seed=-1", "mih1:radius=31x"}) {
    const auto made = make_code_index(spec);
    ASSERT_FALSE(made) << spec;
    EXPECT_EQ(made.error().code, ErrorCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace twinsift
