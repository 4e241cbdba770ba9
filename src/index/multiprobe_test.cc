// SPDX-License-Identifier: Apache-2.0
#include "index/multiprobe.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "index/probe_sequence.h"
#include "index/probed_table.h"
#include "index/test_vectors.h"

namespace twinsift {
namespace {

// ORACLE: all sets of moves that move no coordinate twice, sorted by cost.
TEST(ProbeSequence, GivesTheCheapestSetsInOrder) {
  Rng rng(2);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<Move> moves;
    for (std::uint32_t i = 0; i < 8; ++i) {
      moves.push_back({rng.uniform(), i / 2, std::uint64_t{1} << (4 * i)});
    }
    std::vector<std::pair<double, std::uint64_t>> all;
    for (std::uint32_t set = 1; set < 256; ++set) {
      if ((set & set >> 1U & 0x55U) != 0) continue;  // both moves of a coordinate
      double cost = 0;
      std::uint64_t key = 1000;
      for (std::uint32_t i = 0; i < 8; ++i) {
        if ((set >> i & 1U) == 0) continue;
        cost += moves[i].cost;
        key += moves[i].step;
      }
      all.emplace_back(cost, key);
    }
    std::ranges::sort(all);
    std::vector<std::uint64_t> keys = {1};
    probe_keys(1000, moves, 30, keys);
    ASSERT_EQ(keys.size(), 30U);
    for (std::size_t i = 0; i < 30; ++i) EXPECT_EQ(keys[i], all[i].second);
    probe_keys(1000, moves, 10'000, keys);
    EXPECT_EQ(keys.size(), 80U);  // 3^4 - 1
  }
}

// ORACLE: the buckets of the keys, or else that which begins as the question does for the longest;
// of equal ones that whose next cell is closer, upwards before downwards, and the first on the way.
TEST(ProbedTable, ReadsTheBucketsOfTheKeysOrTheNearestOccupiedOne) {
  Rng rng(7);
  const auto random_cells = [&] {
    Cells cells(4);
    for (auto& cell : cells) cell = static_cast<std::int64_t>(rng.below(5)) - 2;
    return cells;
  };
  const auto key_of = [](const Cells& cells) {
    std::uint64_t key = 0;
    for (const auto cell : cells) key = 10 * key + static_cast<std::uint64_t>(cell + 2);
    return key;
  };
  const auto rank = [](const Cells& from, const Cells& to) {
    const auto [a, b] = std::ranges::mismatch(from, to);
    const bool down = *b < *a;
    Cells walk = to;
    if (down) std::ranges::transform(walk, walk.begin(), std::negate());
    return std::tuple(from.end() - a, std::abs(*a - *b), down, walk);
  };
  int alone = 0;
  for (int trial = 0; trial < 500; ++trial) {
    ProbedTable table;
    std::map<Cells, ItemId> model;  // one id in each bucket
    for (ItemId id = 0; id < 20; ++id) {
      const Cells cells = random_cells();
      if (model.emplace(cells, id).second) table.insert(cells, key_of(cells), id);
    }
    ProbedTable::Question question{.cells = random_cells(), .key = 0, .keys = {}};
    question.key = key_of(question.cells);
    std::set<Cells> named;
    for (std::uint32_t i = 0; i < 5; ++i) {
      const Cells cells = random_cells();
      if (cells != question.cells && named.insert(cells).second) {
        question.keys.push_back(key_of(cells));
      }
    }
    std::vector<ItemId> expected;
    std::vector<Cells> others;
    bool met = false;
    for (const auto& [cells, id] : model) {
      if (cells == question.cells || named.contains(cells)) {
        expected.push_back(id);
        met |= cells != question.cells;
      } else {
        others.push_back(cells);
      }
    }
    if (!met) {
      ++alone;
      expected.push_back(model[*std::ranges::min_element(
          others, {}, [&](const Cells& to) { return rank(question.cells, to); })]);
    }
    std::vector<ItemId> out;
    table.read(question, 5, 16, out);
    std::ranges::sort(expected);
    std::ranges::sort(out);
    ASSERT_EQ(out, expected);
  }
  EXPECT_GT(alone, 100);
}

// Forty-eight functions leave hardly two of 900 vectors together.
TEST(MultiProbe, ProbesFindSomethingInSparseTables) {
  const TestVectors vectors = make_test_vectors(900, 60, 1);
  const auto index =
      make_vector_index("multiprobe2:v=48,l=1,probes=4", vectors.rows(), vectors.rows());
  ASSERT_TRUE(index);
  for (std::size_t i = 0; i < 900; i += 30) {
    EXPECT_GE(candidates(**index, vectors.rows()[i]).size(), 2U);
  }
}

constexpr const char* kFamilies[] = {"family=hamming,v=10,l=6", "family=pstable,v=4,l=6,r=3"};

std::unique_ptr<VectorIndex> make(const std::string& spec, const TestVectors& training,
                                  const VectorRows& items) {
  auto made = make_vector_index(spec, training.rows(), items);
  EXPECT_TRUE(made) << spec;
  return std::move(*made);
}

// PROPERTY: nothing that basic LSH finds is lost, for every seed, and more probes find more on the
// whole.
TEST(MultiProbe, AnswersContainThoseOfBasicLsh) {
  for (const char* family : kFamilies) {
    for (int seed = 0; seed < 5; ++seed) {
      const TestVectors vectors = make_test_vectors(900, 12, static_cast<std::uint64_t>(seed));
      const auto spec = [&](int probes) {
        return "multiprobe2:probes=" + std::to_string(probes) + "," + family +
               ",seed=" + std::to_string(seed);
      };
      const auto basic = make(spec(0), vectors, vectors.rows());
      const auto few = make(spec(3), vectors, vectors.rows());
      const auto many = make(spec(20), vectors, vectors.rows());
      Rng rng(static_cast<std::uint64_t>(seed));
      std::size_t few_found = 0;
      std::size_t many_found = 0;
      for (int q = 0; q < 60; ++q) {
        const auto question = near_vector(vectors, rng);
        const auto a = candidates(*basic, question);
        const auto b = candidates(*few, question);
        const auto c = candidates(*many, question);
        EXPECT_TRUE(std::ranges::includes(b, a));
        EXPECT_TRUE(std::ranges::includes(c, a));
        few_found += b.size();
        many_found += c.size();
      }
      EXPECT_GT(many_found, few_found);
    }
  }
}

// PROPERTY: after any series of changes the answers are those of a fresh index.
TEST(MultiProbe, ChangesLeaveTheAnswersOfAFreshIndex) {
  for (const char* family : kFamilies) {
    const std::string spec = std::string("multiprobe2:probes=6,gamma=1.5,") + family;
    const TestVectors pool = make_test_vectors(600, 12, 4);
    const VectorRows none{{}, 12};
    const auto changed = make(spec, pool, none);
    std::map<ItemId, std::size_t> model;
    Rng rng(6);
    for (int step = 0; step < 4000; ++step) {
      const ItemId id = rng.below(700);
      if (rng.below(5) < 2) {
        EXPECT_EQ(changed->erase(id).has_value(), model.erase(id) == 1);
      } else {
        const std::size_t row = rng.below(600);
        EXPECT_EQ(changed->insert(id, pool.rows()[row]).has_value(), model.emplace(id, row).second);
      }
    }
    const auto fresh = make(spec, pool, none);
    for (const auto& [id, row] : model) ASSERT_TRUE(fresh->insert(id, pool.rows()[row]));
    ASSERT_EQ(changed->size(), fresh->size());
    for (int q = 0; q < 200; ++q) {
      const auto question = near_vector(pool, rng);
      ASSERT_EQ(candidates(*changed, question), candidates(*fresh, question));
    }
    while (!model.empty()) {
      ASSERT_TRUE(changed->erase(model.begin()->first));
      model.erase(model.begin());
    }
    EXPECT_TRUE(candidates(*changed, pool.rows()[0]).empty());
  }
}

// ORACLE: near() gives candidates within the radius, with their distances.
TEST(MultiProbe, NearIsVerified) {
  const TestVectors vectors = make_test_vectors(500, 8, 2);
  const auto index = make("multiprobe2:v=6,l=4", vectors, vectors.rows());
  Rng rng(3);
  for (int q = 0; q < 50; ++q) {
    const auto question = near_vector(vectors, rng);
    std::vector<VectorMatch> expected;
    for (const ItemId id : candidates(*index, question)) {
      double sum = 0;
      for (std::size_t i = 0; i < 8; ++i) {
        sum += std::pow(double{question[i]} - double{vectors.rows()[id][i]}, 2);
      }
      if (std::sqrt(sum) <= .6) expected.push_back({id, std::sqrt(sum)});
    }
    std::vector<VectorMatch> out = {{1, 1}};
    ASSERT_TRUE(index->near(question, .6, out));
    ASSERT_EQ(out.size(), expected.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
      EXPECT_EQ(out[i].id, expected[i].id);
      EXPECT_NEAR(out[i].distance, expected[i].distance, 1e-9);
    }
  }
}

TEST(MultiProbe, AnyNumberOfThreadsGetsTheSameAnswers) {
  const TestVectors vectors = make_test_vectors(900, 12, 2);
  const auto index = make("multiprobe2:probes=5,v=10", vectors, vectors.rows());
  std::vector<std::vector<ItemId>> one(90);
  std::vector<std::vector<ItemId>> many(90);
  const auto ask = [&](auto& out) {
    return [&](std::size_t i, unsigned) { out[i] = candidates(*index, vectors.rows()[10 * i]); };
  };
  parallel_for(90, 1, {}, ask(one));
  parallel_for(90, 4, {}, ask(many));
  EXPECT_EQ(one, many);
}

TEST(MultiProbe, SpecsAreCanonicalAndBadOnesRefused) {
  EXPECT_EQ(canonical("multiprobe2"),
            "multiprobe2:family=hamming,probes=4,gamma=16,v=16,l=10,theta=median,seed=0");
  EXPECT_EQ(canonical("multiprobe2:family=pstable,gamma=1.5"),
            "multiprobe2:family=pstable,probes=4,gamma=1.5,v=8,l=20,r=4,seed=0");
  expect_bad_specs({"multiprobe2:", "multiprobe2:family=cosine", "multiprobe2:r=4",
                    "multiprobe2:family=pstable,theta=zero", "multiprobe2:probes=1025",
                    "multiprobe2:gamma=0", "multiprobe2:cap=3"});
  expect_refusals("multiprobe2:v=8");
  expect_refusals("multiprobe2:family=pstable");
}

}  // namespace
}  // namespace twinsift
