// SPDX-License-Identifier: Apache-2.0
// Sets at the edges, from the sketch through filter and index: what each stage by itself does with
// them is tested beside it; docs/algorithms/edge_cases.md says where.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "twinsift/index.h"
#include "twinsift/sketch.h"
#include "verify/decide.h"
#include "verify/filter.h"

namespace twinsift {
namespace {

constexpr std::uint32_t kComponents = 240;  // 8 and 10 groups, and not a power of two

TokenSet range(std::uint64_t begin, std::uint64_t end) {
  TokenSet set(end - begin);
  std::iota(set.begin(), set.end(), begin);
  return set;
}

// Every sketch that fills its components, for sets or for weights.
std::vector<std::unique_ptr<Sketcher>> sketchers() {
  std::vector<std::unique_ptr<Sketcher>> all;
  for (const std::string name :
       {"fss1", "minhash1", "superminhash1", "doph1", "dart1", "cws1", "icws1"}) {
    all.push_back(*make_sketcher(name + ":k=" + std::to_string(kComponents) + ",seed=3"));
  }
  return all;
}

std::vector<EarlyStopTable> filters(std::uint32_t permille) {
  std::vector<EarlyStopTable> tables;
  for (const std::string_view spec :
       {"gs1", "gs1:full", "gs1:true", "goph1", "goph1:exact", "hoph1", "cws1", "bayes1", "none"}) {
    tables.push_back(*make_filter(*parse_filter(spec),
                                  {.k = kComponents, .threshold_permille = permille, .looks = {}}));
  }
  return tables;
}

Sketch sketch_of(const Sketcher& sketcher, const TokenSet& set) {
  return *sketcher.sketch(Feature{.value = set});
}

// The first look at which the given count of a sketch that always or never matches is decided.
Decision expected(const EarlyStopTable& table, bool equal) {
  std::int64_t count = 0;
  std::uint32_t before = 0;
  for (const Look& look : table.looks) {
    if (equal) count += std::int64_t{look.weight} * (look.bins - before);
    before = look.bins;
    if (count >= look.accept) return {Verdict::kAccept, look.bins};
    if (count <= look.reject) return {Verdict::kReject, look.bins};
  }
  return {Verdict::kOpen, kComponents};
}

// Few elements, one, and more than components: equal sets are accepted at the first look that can
// accept at all, disjoint ones rejected at the first that can reject.
TEST(EdgeCases, EqualAndDisjointSetsAreDecidedAtTheFirstLookThatCan) {
  std::vector<EarlyStopTable> tables;
  for (const std::uint32_t permille : {300U, 800U, 1000U}) {
    std::ranges::move(filters(permille), std::back_inserter(tables));
  }
  for (const auto& sketcher : sketchers()) {
    for (const std::uint64_t size : {1U, 3U, 500U}) {
      const Sketch a = sketch_of(*sketcher, range(0, size));
      const Sketch b = sketch_of(*sketcher, range(size, 2 * size));
      for (const EarlyStopTable& table : tables) {
        const Decision same = decide(table, a, a);
        const Decision other = decide(table, a, b);
        EXPECT_EQ(same, expected(table, true)) << sketcher->spec() << " " << table.spec;
        EXPECT_EQ(other, expected(table, false)) << sketcher->spec() << " " << table.spec;
        EXPECT_NE(same.verdict, Verdict::kReject) << table.spec;
        EXPECT_EQ(other.verdict, Verdict::kReject) << table.spec;
      }
    }
  }
}

// A full comparison aside, no filter reads all components to tell disjoint sets apart.
TEST(EdgeCases, DisjointSetsAreRejectedEarly) {
  for (const EarlyStopTable& table : filters(800)) {
    if (table.spec.starts_with("none")) continue;
    EXPECT_LT(expected(table, false).bins, kComponents) << table.spec;
  }
}

TEST(EdgeCases, ThresholdZeroAcceptsDisjointSetsAtOnce) {
  for (const EarlyStopTable& table : filters(0)) {
    EXPECT_EQ(expected(table, false), (Decision{Verdict::kAccept, table.looks[0].bins}))
        << table.spec;
  }
}

// Equal sets share every bucket, whatever their size, and disjoint ones none (but for a chance of
// 30 in 2^32).
TEST(EdgeCases, EqualSetsShareAllBucketsAndDisjointOnesNone) {
  const auto index = *make_index("banding1:b=30,r=8");
  for (const auto& sketcher : sketchers()) {
    for (const std::uint64_t size : {1U, 3U, 500U}) {
      std::vector<std::vector<std::uint32_t>> keys(3, std::vector<std::uint32_t>(30));
      TokenSet again = range(0, size);
      std::ranges::reverse(again);
      index->keys(sketch_of(*sketcher, range(0, size)), keys[0]);
      index->keys(sketch_of(*sketcher, again), keys[1]);
      index->keys(sketch_of(*sketcher, range(size, 2 * size)), keys[2]);
      EXPECT_EQ(keys[0], keys[1]) << sketcher->spec();
      for (std::size_t band = 0; band < 30; ++band) {
        EXPECT_NE(keys[0][band], keys[2][band]) << sketcher->spec();
      }
    }
  }
}

// The empty set has no components that could match, be compared or be indexed.
TEST(EdgeCases, EmptySetsHaveNoComponents) {
  for (const auto& sketcher : sketchers()) {
    const Sketch empty = sketch_of(*sketcher, {});
    const Sketch one = sketch_of(*sketcher, {7});
    EXPECT_TRUE(empty.empty()) << sketcher->spec();
    EXPECT_EQ(one.size(), kComponents);
    EXPECT_EQ(sketcher->similarity(empty, empty).value, 1);
    EXPECT_EQ(sketcher->similarity(empty, one).value, 0);
    EXPECT_EQ(sketcher->similarity(one, empty).value, 0);
  }
}

}  // namespace
}  // namespace twinsift
