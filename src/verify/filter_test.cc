// SPDX-License-Identifier: Apache-2.0
#include "verify/filter.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.h"
#include "sketch/table.h"
#include "verify/decide.h"

namespace twinsift {
namespace {

const std::vector<std::string> kSpecs = {"gs1",   "gs1:full", "gs1:true", "goph1", "goph1:exact",
                                         "hoph1", "cws1",     "bayes1",   "none"};

FilterOptions parsed(std::string_view spec) {
  const auto options = parse_filter(spec);
  EXPECT_TRUE(options) << spec;
  return options ? *options : FilterOptions{};
}

EarlyStopTable made(const FilterOptions& options, const FilterTask& task) {
  auto table = make_filter(options, task);
  EXPECT_TRUE(table) << (table ? "" : table.error().message);
  return table ? *std::move(table) : EarlyStopTable{};
}

TEST(Filter, SpecsInFull) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"gs1", "gs1:error=0.0001"},
      {"gs1:full", "gs1:full,error=0.0001"},
      {"gs1:error=1e-3,true", "gs1:true,error=0.001"},
      {"goph1:groups=10,error=1e-4", "goph1:groups=10,error=0.0001"},
      {"goph1:exact", "goph1:exact,groups=10,error=0.0001"},
      {"hoph1:ratio=1:2,groups=9", "hoph1:ratio=1:2,groups=9,error=0.0001"},
      {"hoph1", "hoph1:ratio=1:1,groups=8,error=0.0001"},
      {"cws1:error=1e-5", "cws1:error=1e-05"},
      {"bayes1:error=0", "bayes1:error=0"},
      {"none", "none"}};
  for (const auto& [spec, full] : cases) {
    EXPECT_EQ(filter_spec(parsed(spec)), full);
    EXPECT_EQ(parsed(full), parsed(spec));
  }
}

RC_GTEST_PROP(Filter, SpecsMakeTheSameOptionsAgain, ()) {
  FilterOptions options = *parse_filter(*rc::gen::elementOf(kSpecs));
  if (options.kind != FilterKind::kNone) {
    options.error = *rc::gen::inRange(0, 1 << 30) / static_cast<double>(1 << 30) * .499;
  }
  if (options.kind == FilterKind::kGoph || options.kind == FilterKind::kHoph) {
    options.groups = *rc::gen::inRange<std::uint32_t>(1, 65537);
  }
  if (options.kind == FilterKind::kHoph) options.ratio_b = *rc::gen::inRange<std::uint32_t>(1, 99);
  const auto again = parse_filter(filter_spec(options));
  RC_ASSERT(again.has_value());
  RC_ASSERT(*again == options);
}

TEST(Filter, BadSpecsSayWhatIsWrong) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"", "the known ones are gs1 goph1 hoph1 cws1 bayes1 none"},
      {"gs2", "the known ones are"},
      {"gs1:exact", "unknown \"exact\""},
      {"gs1:groups=4", "unknown \"groups=4\""},
      {"gs1:,", "unknown \"\""},
      {"none:error=1", "unknown \"error=1\""},
      {"cws1:error", "error is a number"},
      {"cws1:error=", "error is a number"},
      {"cws1:error=nan", "error is a number"},
      {"cws1:error=0.5", "error is a number"},
      {"cws1:error=-1", "error is a number"},
      {"cws1:error=1e-5x", "error is a number"},
      {"gs1:full,true", "the mode is given twice"},
      {"gs1:full,full", "the mode is given twice"},
      {"cws1:error=1e-5,error=1e-4", "error is given twice"},
      {"goph1:groups=4,exact,groups=4", "groups is given twice"},
      {"goph1:groups=0", "groups is a whole number"},
      {"goph1:groups=65537", "groups is a whole number"},
      {"goph1:groups=99999999999999999999", "groups is a whole number"},
      {"hoph1:ratio=1", "ratio is of the form 1:2"},
      {"hoph1:ratio=1:", "ratio is of the form 1:2"},
      {"hoph1:ratio=0:1", "ratio is of the form 1:2"},
      {"hoph1:ratio=1:1:1", "ratio is of the form 1:2"}};
  for (const auto& [spec, why] : cases) {
    const auto options = parse_filter(spec);
    ASSERT_FALSE(options) << spec;
    EXPECT_EQ(options.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(options.error().message.find(why), std::string::npos) << options.error().message;
  }
}

TEST(Filter, ImpossibleCombinationsSayWhatIsWrong) {
  const auto message = [](std::string_view spec, const FilterTask& task) {
    const auto table = make_filter(parsed(spec), task);
    EXPECT_FALSE(table) << spec;
    return table ? "" : table.error().message;
  };
  EXPECT_EQ(message("goph1", {.k = 128, .threshold_permille = 800, .looks = {}}),
            "goph1:groups=10,error=0.0001: 128 components cannot be cut into 10 equal groups; try "
            "groups=8");
  EXPECT_EQ(message("hoph1:groups=4", {.k = 64, .threshold_permille = 800, .looks = {16, 32}}),
            "hoph1:ratio=1:1,groups=4,error=0.0001: groups of 16 components have different "
            "weights, so each of them must end at a look; the looks are 16/32");
  EXPECT_EQ(message("hoph1:groups=64", {.k = 64, .threshold_permille = 800, .looks = {}}),
            "hoph1:ratio=1:1,groups=64,error=0.0001: the weights of so many groups are too "
            "unlike; take fewer groups");
  for (const std::string& spec : kSpecs) {
    EXPECT_NE(message(spec, {.k = 0, .looks = {}}).find("1 to 65536 components"),
              std::string::npos);
    EXPECT_NE(message(spec, {.k = 65537, .looks = {}}).find("1 to 65536 components"),
              std::string::npos);
    EXPECT_NE(message(spec, {.threshold_permille = 1001, .looks = {}}).find("at most 1000"),
              std::string::npos);
    EXPECT_EQ(message(spec, {.code_bits = 0, .looks = {}}), "codes need at least one bit");
    for (const auto& looks : std::vector<std::vector<std::uint32_t>>{
             {0, 64}, {64, 64}, {128, 64}, {64, 1024}, {64, 2000}}) {
      EXPECT_NE(message(spec, {.looks = looks}).find("the looks must ascend from 1 to 1023"),
                std::string::npos);
    }
  }
}

TEST(Filter, TablesNameTheirTask) {
  EXPECT_EQ(
      made(parsed("cws1"), {.k = 128, .threshold_permille = 800, .code_bits = 8, .looks = {64}})
          .spec,
      "cws1:error=0.0001,k=128,t=800,bits=8,looks=64");
}

struct Case {
  FilterOptions options;
  FilterTask task;
};

// Any filter with a task that it can do.
Case any_case() {
  Case c{*parse_filter(*rc::gen::elementOf(kSpecs)), {}};
  c.options.groups = *rc::gen::inRange<std::uint32_t>(1, 12);
  c.options.error = *rc::gen::element(0., 1e-12, 1e-4, 1e-2, .2);
  c.options.ratio_a = *rc::gen::inRange<std::uint32_t>(1, 4);
  c.options.ratio_b = *rc::gen::inRange<std::uint32_t>(1, 4);
  c.task.k = c.options.groups * *rc::gen::inRange<std::uint32_t>(1, 40);
  c.task.threshold_permille = *rc::gen::inRange<std::uint32_t>(1, 1001);
  c.task.code_bits = *rc::gen::element(1U, 8U, 64U);
  if (c.options.kind == FilterKind::kHoph) return c;
  for (std::uint32_t bins = 1; bins < c.task.k; ++bins) {
    if (*rc::gen::inRange(0, 12) == 0) c.task.looks.push_back(bins);
  }
  return c;
}

// PROPERTY: the shape of every table.  The last look follows m_T or is left to verification, and
// stands apart from the bounds before it.
RC_GTEST_PROP(Filter, BoundsNeverCrossNorFall, ()) {
  const Case c = any_case();
  const auto table = make_filter(c.options, c.task);
  RC_ASSERT(table.has_value());
  const std::vector<Look>& looks = table->looks;
  RC_ASSERT(looks.back().bins == c.task.k);
  std::int64_t most = 0;
  for (std::size_t i = 0; i < looks.size(); ++i) {
    most += std::int64_t{looks[i].weight} * (looks[i].bins - (i == 0 ? 0 : looks[i - 1].bins));
    RC_ASSERT(looks[i].reject < looks[i].accept);
    RC_ASSERT(looks[i].reject >= -1 && looks[i].reject < most);
    RC_ASSERT(looks[i].accept >= 1 && looks[i].accept <= most + 1);
    if (i == 0 || i + 1 == looks.size()) continue;
    RC_ASSERT(looks[i].bins > looks[i - 1].bins);
    RC_ASSERT(looks[i].reject >= looks[i - 1].reject);
    RC_ASSERT(looks[i].accept >= looks[i - 1].accept);
  }
}

// PROPERTY: only those that leave the last word to exact verification may leave equality open.
RC_GTEST_PROP(Filter, EqualSketchesAreAcceptedAndDisjointOnesRejected, ()) {
  const Case c = any_case();
  const auto table = make_filter(c.options, c.task);
  RC_ASSERT(table.has_value());
  const bool verifies =
      c.options.kind == FilterKind::kBayes ||
      (c.options.kind == FilterKind::kGroupSequential && c.options.mode == FilterMode::kDefault);
  const std::vector<std::uint64_t> a(c.task.k, 1);
  const std::vector<std::uint64_t> b(c.task.k, 2);
  const Verdict same = decide(*table, a, a).verdict;
  const Verdict other = decide(*table, a, b).verdict;
  RC_ASSERT(same == Verdict::kAccept || (verifies && same == Verdict::kOpen));
  RC_ASSERT(other == Verdict::kReject || (verifies && other == Verdict::kOpen));
}

std::vector<std::uint64_t> related(const std::vector<std::uint64_t>& a, double s, Rng& rng) {
  std::vector<std::uint64_t> b = a;
  for (std::uint64_t& value : b) {
    if (rng.uniform() >= s) value = rng.next();
  }
  return b;
}

// The verdict of all components, weighted if they are, without any look.
Verdict full_verdict(const EarlyStopTable& table, const std::vector<std::uint64_t>& a,
                     const std::vector<std::uint64_t>& b) {
  EarlyStopTable plain = table;
  for (Look& look : plain.looks) {
    if (&look == &plain.looks.back()) break;
    look.reject = -1;
    look.accept = 1 << 30;
  }
  return decide(plain, a, b).verdict;
}

TEST(Filter, WithoutErrorItIsTheFullComparison) {
  Rng rng(5);
  for (const std::string& spec : kSpecs) {
    FilterOptions options = parsed(spec);
    options.error = 0;
    for (const std::uint32_t permille : {1U, 500U, 800U, 990U, 1000U}) {
      const EarlyStopTable table =
          made(options, {.k = 240, .threshold_permille = permille, .looks = {}});
      for (int trial = 0; trial < 200; ++trial) {
        std::vector<std::uint64_t> a(240);
        for (std::uint64_t& value : a) value = rng.next();
        const auto b = related(a, permille / 1000. + (rng.uniform() - .5) * .2, rng);
        EXPECT_EQ(decide(table, a, b).verdict, full_verdict(table, a, b)) << table.spec;
      }
    }
  }
}

TEST(Filter, ThresholdZeroAcceptsAndThresholdOneRejectsOnTheFirstMismatch) {
  for (const std::string& spec : kSpecs) {
    FilterTask task{.k = 240, .threshold_permille = 0, .looks = {}};
    std::vector<std::uint64_t> a(240, 1);
    std::vector<std::uint64_t> b(240, 2);
    const EarlyStopTable none = made(parsed(spec), task);
    EXPECT_EQ(decide(none, a, b), (Decision{Verdict::kAccept, none.looks[0].bins})) << spec;
    task.threshold_permille = 1000;
    const EarlyStopTable all = made(parsed(spec), task);
    b = a;
    EXPECT_NE(decide(all, a, b).verdict, Verdict::kReject) << spec;
    b[0] = 2;
    const std::uint32_t first = spec == "none" ? 240 : all.looks[0].bins;
    EXPECT_EQ(decide(all, a, b), (Decision{Verdict::kReject, first})) << spec;
  }
}

// ORACLE: byte planes with a vector unit against whole sketches one by one.
TEST(Filter, PlanesAndWholeSketchesAreComparedAlike) {
  Rng rng(6);
  for (const std::string spec :
       {"gs1", "gs1:full", "goph1:groups=8", "hoph1", "cws1", "bayes1", "none"}) {
    FilterTask task{.k = 256, .threshold_permille = 700, .code_bits = 8, .looks = {64, 128}};
    if (spec == "hoph1") task.looks = {32, 64, 96, 128, 160, 192, 224};
    const EarlyStopTable table = made(parsed(spec), task);
    std::vector<std::uint32_t> looks = task.looks;
    looks.push_back(task.k);
    SketchTable planes(looks);
    std::vector<std::vector<std::uint64_t>> wide;
    for (int row = 0; row < 100; ++row) {
      std::vector<std::uint8_t> codes(task.k);
      for (std::size_t i = 0; i < codes.size(); ++i) {
        const bool same = row > 0 && rng.uniform() < row / 100.;
        codes[i] = static_cast<std::uint8_t>(same ? wide[0][i] : rng.below(256));
      }
      wide.emplace_back(codes.begin(), codes.end());
      ASSERT_TRUE(planes.append(codes));
    }
    std::uint32_t stopped_early = 0;
    for (std::uint32_t row = 0; row < 100; ++row) {
      const Decision decision = decide(table, planes, 0, row);
      EXPECT_EQ(decision, decide(table, wide[0], wide[row])) << table.spec;
      stopped_early += decision.bins < task.k ? 1U : 0U;
    }
    EXPECT_EQ(stopped_early > 0, spec != "none");
  }
}

}  // namespace
}  // namespace twinsift
