// SPDX-License-Identifier: Apache-2.0
// All set sketches under one roof: what holds for one must hold for all.
#include "sketch/set_sketch.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/hash.h"
#include "base/random.h"
#include "sketch/fss.h"
#include "sketch/minhash.h"

namespace twinsift {
namespace {

TokenSet range(std::uint64_t begin, std::uint64_t end) {
  TokenSet set(end - begin);
  std::iota(set.begin(), set.end(), begin);
  return set;
}

Sketch sketch_of(const Sketcher& sketcher, const TokenSet& set) {
  return *sketcher.sketch(Feature{.value = set});
}

std::unique_ptr<Sketcher> make(std::string_view name, std::uint32_t k, std::uint64_t seed) {
  return *make_sketcher(std::string(name) + ":k=" + std::to_string(k) +
                        ",seed=" + std::to_string(seed));
}

// GOLDEN
TEST(MinHash, GoldenSignature) {
  EXPECT_EQ(
      sketch_of(MinHashSketcher(4, 42), range(1, 11)),
      (Sketch{0x032052cd29a79e64, 0x4d0ea8ae16d0f021, 0x11991acab7382d0c, 0x29b33c728095c3c0}));
}

// GOLDEN: (row : low 32 bits)
TEST(Fss, GoldenSketch) {
  EXPECT_EQ(sketch_of(FssSketcher(8, 42), range(1, 11)),
            (Sketch{0x029a79e64, 0x01915c73a, 0x0536d1370, 0x103b5a2e3, 0x097cbb069, 0x0190f4585,
                    0x04273d5ee, 0x308b870f0}));
}

// ORACLE: the definition, one element and one row at a time.
Sketch fss_by_definition(const TokenSet& set, std::uint32_t k, std::uint64_t seed) {
  Sketch bins(k, UINT64_MAX);
  for (std::uint64_t row = 0; row < 2 * std::uint64_t{k}; ++row) {
    for (const std::uint64_t x : set) {
      const std::uint64_t h = permute64(x, seed_key(seed, row));
      const std::uint64_t bin = row < k ? ((h >> 32U) * k) >> 32U : row - k;
      bins[bin] = std::min(bins[bin], (row << 32U) | (h & 0xFFFFFFFFU));
    }
    if (std::ranges::find(bins, UINT64_MAX) == bins.end()) break;
  }
  return bins;
}

TEST(Fss, EqualsItsDefinitionForAllSizes) {
  for (const std::uint64_t size : {1U, 2U, 3U, 7U, 31U, 100U, 257U, 1000U}) {
    for (const std::uint32_t k : {1U, 8U, 64U, 200U}) {
      EXPECT_EQ(sketch_of(FssSketcher(k, 5), range(0, size)),
                fss_by_definition(range(0, size), k, 5));
    }
  }
}

TEST(MinHash, EqualsItsDefinition) {
  const Sketch sketch = sketch_of(MinHashSketcher(32, 9), range(10, 110));
  for (std::uint64_t i = 0; i < 32; ++i) {
    std::uint64_t best = UINT64_MAX;
    for (std::uint64_t x = 10; x < 110; ++x) best = std::min(best, permute64(x, seed_key(9, i)));
    EXPECT_EQ(sketch[i], best);
  }
}

TEST(MinHash, SingletonHasItsValueInEveryPlace) {
  const Sketch sketch = sketch_of(MinHashSketcher(32, 9), {7});
  for (std::uint64_t i = 0; i < 32; ++i) EXPECT_EQ(sketch[i], permute64(7, seed_key(9, i)));
}

// Its first value in each bin: no other is smaller, as no row comes twice.
TEST(Fss, SingletonFillsEveryBinOnce) {
  Sketch rows = sketch_of(FssSketcher(64, 9), {7});
  for (std::uint64_t& bin : rows) {
    const std::uint64_t row = bin >> 32U;
    EXPECT_EQ(bin & 0xFFFFFFFFU, permute64(7, seed_key(9, row)) & 0xFFFFFFFFU);
    bin = row;
  }
  std::ranges::sort(rows);
  EXPECT_EQ(std::ranges::adjacent_find(rows), rows.end());
  EXPECT_LT(rows.back(), 128U);
}

class SetSketch : public ::testing::TestWithParam<std::string_view> {};
INSTANTIATE_TEST_SUITE_P(All, SetSketch,
                         ::testing::Values("fss1", "minhash1", "oph1", "doph1", "hoph1",
                                           "superminhash1"));
// Those whose error is at most that of independent components.
class AccurateSketch : public ::testing::TestWithParam<std::string_view> {};
INSTANTIATE_TEST_SUITE_P(All, AccurateSketch,
                         ::testing::Values("fss1", "minhash1", "oph1", "superminhash1"));
class MergeableSketch : public ::testing::TestWithParam<std::string_view> {};
INSTANTIATE_TEST_SUITE_P(All, MergeableSketch,
                         ::testing::Values("fss1", "minhash1", "oph1", "hoph1", "superminhash1"));

// STATISTICAL: over 300 seeds the mean is within 4 standard errors of J, and the mean square
// error is at most J(1-J)/k, within 4 of its own standard errors (sqrt(2/trials)).
TEST_P(AccurateSketch, EstimateIsUnbiasedWithBoundedVariance) {
  const std::uint32_t k = 128;
  const int trials = 300;
  for (const std::uint64_t size : {5U, 50U, 500U}) {
    for (const std::uint64_t common : {size / 5, 4 * size / 5}) {
      const double j = static_cast<double>(common) / static_cast<double>(2 * size - common);
      double sum = 0;
      double squares = 0;
      for (int seed = 0; seed < trials; ++seed) {
        const auto sketcher = make(GetParam(), k, static_cast<std::uint64_t>(seed));
        const double e =
            sketcher
                ->similarity(sketch_of(*sketcher, range(0, size)),
                             sketch_of(*sketcher, range(size - common, 2 * size - common)))
                .value;
        sum += e;
        squares += (e - j) * (e - j);
      }
      const double variance = j * (1 - j) / k;
      EXPECT_NEAR(sum / trials, j, 4 * std::sqrt(variance / trials)) << size << " " << common;
      EXPECT_LE(squares / trials, variance * (1 + 4 * std::sqrt(2.0 / trials))) << size;
    }
  }
}

// The paper's promise, in numbers: half of MinHash's variance when the union is smaller than k.
TEST(Fss, VarianceIsHalfForSmallSets) {
  const int trials = 400;
  double squares = 0;
  for (int seed = 0; seed < trials; ++seed) {
    const FssSketcher fss(1000, static_cast<std::uint64_t>(seed));
    const double e =
        fss.similarity(sketch_of(fss, range(0, 200)), sketch_of(fss, range(100, 300))).value;
    squares += (e - 1.0 / 3) * (e - 1.0 / 3);
  }
  const double reference = (1.0 / 3) * (2.0 / 3) / 1000;
  EXPECT_NEAR(squares / trials / reference, 0.50, 4 * 0.5 * std::sqrt(2.0 / trials));
}

TEST_P(SetSketch, EmptySetsAreEqualAndUnlikeAllOthers) {
  const auto sketcher = make(GetParam(), 64, 1);
  const Sketch empty = sketch_of(*sketcher, {});
  const Sketch one = sketch_of(*sketcher, {7});
  EXPECT_TRUE(empty.empty());
  EXPECT_EQ(sketcher->similarity(empty, empty).value, 1);
  EXPECT_EQ(sketcher->similarity(empty, one).value, 0);
  EXPECT_EQ(sketcher->similarity(one, empty).value, 0);
}

TEST_P(SetSketch, EqualSetsAreOneAndDisjointOnesZero) {
  const auto sketcher = make(GetParam(), 64, 1);
  for (const std::uint64_t size : {1U, 2U, 10U, 64U, 1000U}) {
    const Sketch a = sketch_of(*sketcher, range(0, size));
    const Sketch b = sketch_of(*sketcher, range(size, 2 * size));
    EXPECT_EQ(sketcher->similarity(a, a).value, 1);
    EXPECT_EQ(sketcher->similarity(a, a).std_error, 0);
    EXPECT_EQ(sketcher->similarity(a, b).value, 0);
  }
}

TEST_P(SetSketch, OrderAndRepetitionOfIdsDoNotMatter) {
  const auto sketcher = make(GetParam(), 64, 1);
  EXPECT_EQ(sketch_of(*sketcher, {7, 7, 7}), sketch_of(*sketcher, {7}));
  TokenSet twice = range(0, 100);
  twice.insert(twice.begin(), twice.rbegin(), twice.rend());
  EXPECT_EQ(sketch_of(*sketcher, twice), sketch_of(*sketcher, range(0, 100)));
}

TEST_P(SetSketch, ExtremeIdsAreIdsLikeOthers) {
  const auto sketcher = make(GetParam(), 64, 1);
  const Sketch a = sketch_of(*sketcher, {0, UINT64_MAX});
  EXPECT_EQ(sketcher->similarity(a, a).value, 1);
  EXPECT_EQ(sketcher->similarity(a, sketch_of(*sketcher, {1, UINT64_MAX - 1})).value, 0);
}

TEST_P(SetSketch, SketchesSetsOnly) {
  const auto sketcher = make(GetParam(), 64, 1);
  EXPECT_FALSE(sketcher->sketch(Feature{.value = DenseVector{1.0F}}));
  EXPECT_FALSE(sketcher->sketch(Feature{.value = WeightedSet{{1}, {1.0F}}}));
}

// PROPERTY: the sketch of a union is the component-wise minimum; order and repetition of the
// ids do not matter.
TEST_P(MergeableSketch, MergeIsUnion) {
  const auto sketcher = make(GetParam(), 16, 7);
  EXPECT_TRUE(rc::check([&](TokenSet a, const TokenSet& b) {
    RC_PRE(!a.empty() && !b.empty());
    const Sketch merged = *sketcher->merge(sketch_of(*sketcher, a), sketch_of(*sketcher, b));
    a.insert(a.begin(), b.begin(), b.end());
    a.insert(a.end(), b.begin(), b.end());
    RC_ASSERT(sketch_of(*sketcher, a) == merged);
    for (std::size_t i = 0; i < merged.size(); ++i) {  // whoever gains elements gains no value
      RC_ASSERT(merged[i] <= sketch_of(*sketcher, b)[i]);
    }
  }));
  EXPECT_EQ(*sketcher->merge({}, sketch_of(*sketcher, {7})), sketch_of(*sketcher, {7}));
  EXPECT_EQ(*sketcher->merge(sketch_of(*sketcher, {7}), {}), sketch_of(*sketcher, {7}));
}

TEST_P(SetSketch, SpecMakesTheSameSketcherAgain) {
  const auto sketcher = make(GetParam(), 48, 3);
  const auto again = *make_sketcher(sketcher->spec());
  EXPECT_EQ(again->spec(), sketcher->spec());
  EXPECT_EQ(sketch_of(*again, range(0, 99)), sketch_of(*sketcher, range(0, 99)));
}

TEST(Registry, BadSpecsAreRefusedByName) {
  for (const char* spec : {"",
                           "fss",
                           "fss2",
                           "fss1:k=0",
                           "fss1:k=65537",
                           "fss1:k=",
                           "fss1:k=-1",
                           "fss1:seed=x",
                           "fss1:q=1",
                           "fss1:=1",
                           "fss1:,",
                           "fss1:k",
                           "fss1:k=1,k=2",
                           "fss1:ratio=1:1",
                           "minhash1:k=4x",
                           "fss1:k=99999999999999999999",
                           "fss1:seed=18446744073709551616",
                           "doph1:k=8193",
                           "hoph1:ratio=1",
                           "hoph1:ratio=0:1",
                           "hoph1:ratio=1:1001",
                           "hoph1:ratio=1:2:3",
                           "hoph1:ratio=:",
                           "hoph1:groups=0",
                           "hoph1:groups=33",
                           "hoph1:groups=3,k=256",
                           "hoph1:ratio=1000:1,groups=8",
                           "hoph1:estimate=best",
                           "lecture1:prime=1000,rows=10",
                           "lecture1:prime=1",
                           "lecture1:prime=4294967296",
                           "lecture1:prime=997,rows=1000",
                           "lecture1:rows=0"}) {
    const auto made = make_sketcher(spec);
    ASSERT_FALSE(made) << spec;
    EXPECT_EQ(made.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(made.error().message.find(spec), std::string::npos);
  }
}

TEST(Registry, ErrorsSayWhatIsWrong) {
  const auto why = [](std::string_view spec) { return make_sketcher(spec).error().message; };
  EXPECT_EQ(why("oph1:k=0"),
            "\"oph1:k=0\" is not a sketch: k is from 1 to 65536; try fss1:k=256,seed=7");
  EXPECT_NE(why("oph1:ratio=1:1").find("unknown \"ratio\""), std::string::npos);
  EXPECT_NE(why("oph1:k=1,k=2").find("k is given twice"), std::string::npos);
  EXPECT_NE(why("oph1:seed=x").find("seed needs a whole number"), std::string::npos);
  EXPECT_NE(why("hoph1:groups=3,k=256").find("k=256 is no multiple of groups=3"),
            std::string::npos);
  EXPECT_NE(why("hoph1:ratio=1000:1").find("last group is too small"), std::string::npos);
  EXPECT_NE(why("lecture1:prime=1000").find("1000 is not prime"), std::string::npos);
  EXPECT_NE(why("what").find("the known ones are fss1 minhash1 oph1"), std::string::npos);
}

TEST(Registry, SpecsAreCompletedInOneOrder) {
  const auto canonical = [](std::string_view spec) { return (*make_sketcher(spec))->spec(); };
  EXPECT_EQ(canonical("fss1"), "fss1:k=256,seed=0");
  EXPECT_EQ(canonical("fss1:"), "fss1:k=256,seed=0");
  EXPECT_EQ(canonical("oph1:seed=7,k=3"), "oph1:k=3,seed=7");
  EXPECT_EQ(canonical("doph1:seed=18446744073709551615"), "doph1:k=256,seed=18446744073709551615");
  EXPECT_EQ(canonical("hoph1"), "hoph1:ratio=1:1,groups=8,estimate=paper,k=256,seed=0");
  EXPECT_EQ(canonical("hoph1:k=30,estimate=pooled,groups=10,ratio=2:3"),
            "hoph1:ratio=2:3,groups=10,estimate=pooled,k=30,seed=0");
  EXPECT_EQ(canonical("superminhash1:k=65536"), "superminhash1:k=65536,seed=0");
  EXPECT_EQ(canonical("lecture1"), "lecture1:rows=1048576,prime=2147483647,k=256,seed=0");
  EXPECT_EQ(canonical("lecture1:prime=4294967291,rows=9"),
            "lecture1:rows=9,prime=4294967291,k=256,seed=0");
  for (const char* spec : {"hoph1:ratio=2:3,groups=4", "lecture1:prime=11,rows=7", "doph1:k=9"}) {
    EXPECT_EQ(canonical(canonical(spec)), canonical(spec));
  }
}

// Codes of different values agree with probability 1/256: 4 standard errors over 2^18 pairs.
TEST(Codes, ChanceMatchesAreOneIn256) {
  const FssSketcher fss(1024, 11);
  std::vector<std::uint8_t> a(1024);
  std::vector<std::uint8_t> b(1024);
  double equal = 0;
  const int pairs = 256;
  for (std::uint64_t i = 0; i < pairs; ++i) {
    make_codes(sketch_of(fss, range(1000 * i, 1000 * i + 300)), a);
    make_codes(sketch_of(fss, range(1000 * i + 500, 1000 * i + 800)), b);
    for (std::size_t j = 0; j < a.size(); ++j) equal += a[j] == b[j] ? 1 : 0;
  }
  const double n = 1024.0 * pairs;
  EXPECT_NEAR(equal / n, 1.0 / 256, 4 * std::sqrt(1.0 / 256 / n));
}

}  // namespace
}  // namespace twinsift
