// SPDX-License-Identifier: Apache-2.0
#include "verify/early_stop.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.h"
#include "base/tails.h"

namespace twinsift {
namespace {

enum class Verdict { kReject, kAccept, kOpen };

Verdict decide(const Look& look, std::int64_t x) {
  if (x <= look.reject) return Verdict::kReject;
  return x >= look.accept ? Verdict::kAccept : Verdict::kOpen;
}

GroupSequentialOptions options_for(std::uint32_t permille, double alpha = 1e-4) {
  return {.k = 1024,
          .threshold_permille = permille,
          .looks = {32, 64, 128, 256, 512},
          .alpha_reject = alpha,
          .alpha_accept = alpha};
}

using Looks = std::vector<Look>;

// GOLDEN: K = 1024, alpha = 1e-4 on either side, five looks.
TEST(EarlyStop, FullModeTables) {
  const auto table = [](std::uint32_t t) { return group_sequential_full(options_for(t)).looks; };
  EXPECT_EQ(table(500), (Looks{{32, 4, 28},
                               {64, 16, 48},
                               {128, 42, 86},
                               {256, 99, 156},
                               {512, 223, 289},
                               {1024, 511, 512}}));
  EXPECT_EQ(table(600), (Looks{{32, 7, 30},
                               {64, 22, 54},
                               {128, 55, 98},
                               {256, 126, 181},
                               {512, 275, 340},
                               {1024, 614, 615}}));
  EXPECT_EQ(table(700), (Looks{{32, 10, 32},
                               {64, 29, 59},
                               {128, 69, 109},
                               {256, 153, 204},
                               {512, 328, 389},
                               {1024, 716, 717}}));
  EXPECT_EQ(table(800), (Looks{{32, 14, 33},
                               {64, 37, 63},
                               {128, 84, 118},
                               {256, 181, 227},
                               {512, 384, 437},
                               {1024, 819, 820}}));
  EXPECT_EQ(table(900), (Looks{{32, 19, 33},
                               {64, 46, 65},
                               {128, 101, 127},
                               {256, 212, 246},
                               {512, 441, 480},
                               {1024, 921, 922}}));
}

TEST(EarlyStop, TrueModeTable) {
  EXPECT_EQ(group_sequential_true(options_for(800)).looks, (Looks{{32, 14, 33},
                                                                  {64, 36, 63},
                                                                  {128, 82, 119},
                                                                  {256, 177, 230},
                                                                  {512, 372, 445},
                                                                  {1024, 819, 820}}));
}

TEST(EarlyStop, SpecNamesEveryOption) {
  GroupSequentialOptions options = options_for(800);
  options.code_bits = 8;
  EXPECT_EQ(group_sequential_full(options).spec,
            "gs1:full,k=1024,t=800,bits=8,looks=32/64/128/256/512,reject=0.0001,accept=0.0001");
  options.bound_last = true;
  EXPECT_EQ(group_sequential_true(options).spec,
            "gs1:true+last,k=1024,t=800,bits=8,looks=32/64/128/256/512,reject=0.0001,"
            "accept=0.0001");
}

TEST(EarlyStop, CodesMatchMoreOftenThanValues) {
  GroupSequentialOptions options = options_for(800);
  options.code_bits = 8;  // 1024 (1/256 + 255/256 * .8) = 820 exactly
  EXPECT_EQ(group_sequential_full(options).looks.back(), (Look{1024, 819, 820}));
  options.code_bits = 1;  // 1024 (1/2 + 1/2 * .8) = 921.6
  EXPECT_EQ(group_sequential_full(options).looks.back(), (Look{1024, 921, 922}));
  options.code_bits = 16;
  EXPECT_EQ(group_sequential_full(options).looks.back(), (Look{1024, 819, 820}));
}

// The chance of x ones among `step` more components after n with `ones` ones.
using Transition =
    std::function<double(std::uint32_t n, std::int64_t ones, std::uint32_t step, std::int64_t x)>;

// ORACLE: P(the table ever says `wrong`), by plain recursion over the looks.
double chance_of(Verdict wrong, std::span<const Look> looks, const Transition& transition) {
  std::vector<double> mass = {1};
  std::uint32_t n = 0;
  double error = 0;
  for (const Look& look : looks) {
    std::vector<double> next(look.bins + 1, 0.0);
    for (std::size_t ones = 0; ones < mass.size(); ++ones) {
      if (mass[ones] == 0) continue;
      for (std::size_t y = 0; ones + y < next.size() && y <= look.bins - n; ++y) {
        next[ones + y] += mass[ones] * transition(n, static_cast<std::int64_t>(ones), look.bins - n,
                                                  static_cast<std::int64_t>(y));
      }
    }
    for (std::size_t x = 0; x < next.size(); ++x) {
      const Verdict verdict = decide(look, static_cast<std::int64_t>(x));
      if (verdict == wrong) error += next[x];
      if (verdict != Verdict::kOpen) next[x] = 0;
    }
    mass = std::move(next);
    n = look.bins;
  }
  return error;
}

Transition without_replacement(std::uint32_t k, std::int64_t total) {
  return [=](std::uint32_t n, std::int64_t ones, std::uint32_t step, std::int64_t x) {
    if (ones > total || total - ones > k - n) return 0.0;
    return hypergeometric_pmf({k - n, static_cast<std::uint32_t>(total - ones), step}, x);
  };
}

Transition independent(double p) {
  return [=](std::uint32_t, std::int64_t, std::uint32_t step, std::int64_t x) {
    return binomial_pmf(step, p, x);
  };
}

TEST(EarlyStop, FullModeErrorIsBelowAlphaAndNotMuchBelow) {
  for (const std::uint32_t permille : {500U, 800U, 900U}) {
    const auto looks = group_sequential_full(options_for(permille)).looks;
    const std::span early(looks.begin(), looks.end() - 1);
    const std::int64_t m = looks.back().accept;
    const double rejected = chance_of(Verdict::kReject, early, without_replacement(1024, m));
    const double accepted = chance_of(Verdict::kAccept, early, without_replacement(1024, m - 1));
    EXPECT_LE(rejected, 1e-4);
    EXPECT_LE(accepted, 1e-4);
    EXPECT_GT(rejected, 5e-5);
    EXPECT_GT(accepted, 5e-5);
    // m and m - 1 are the worst cases.
    EXPECT_LT(chance_of(Verdict::kReject, early, without_replacement(1024, m + 5)), rejected);
    EXPECT_LT(chance_of(Verdict::kAccept, early, without_replacement(1024, m - 6)), accepted);
  }
}

TEST(EarlyStop, TrueModeErrorIsBelowAlphaOverAllLooks) {
  for (const std::uint32_t bits : {8U, 64U}) {
    GroupSequentialOptions options = options_for(800, 1e-3);
    options.k = 256;
    options.looks = {64, 128};
    options.code_bits = bits;
    options.bound_last = true;
    const auto looks = group_sequential_true(options).looks;
    ASSERT_EQ(looks.back().bins, 256U);
    EXPECT_LT(looks.back().reject + 1, looks.back().accept);  // some are left to verification
    const double c = bits == 8 ? 1. / 256 : 0;
    double at_threshold = 0;
    for (const double j : {.8, .81, .85, .95}) {
      const double rejected = chance_of(Verdict::kReject, looks, independent(c + (1 - c) * j));
      EXPECT_LE(rejected, 1e-3);
      if (j == .8) at_threshold = rejected;
    }
    EXPECT_GT(at_threshold, 5e-4);
    for (const double j : {.1, .5, .78, .7999}) {
      EXPECT_LE(chance_of(Verdict::kAccept, looks, independent(c + (1 - c) * j)), 1e-3);
    }
  }
}

// STATISTICAL: shuffles of `total` ones and k - total zeros that an early look calls `wrong`.
double shuffled_error(const EarlyStopTable& table, std::uint32_t total, Verdict wrong,
                      std::uint32_t shuffles) {
  Rng rng(total);
  const std::uint32_t k = table.looks.back().bins;
  std::uint32_t errors = 0;
  for (std::uint32_t trial = 0; trial < shuffles; ++trial) {
    std::uint32_t n = 0;
    std::uint32_t x = 0;
    Verdict verdict = Verdict::kOpen;
    for (std::size_t i = 0; i + 1 < table.looks.size() && verdict == Verdict::kOpen; ++i) {
      for (; n < table.looks[i].bins; ++n) x += rng.below(k - n) < total - x ? 1U : 0U;
      verdict = decide(table.looks[i], x);
    }
    errors += verdict == wrong ? 1U : 0U;
  }
  return static_cast<double>(errors) / shuffles;
}

TEST(EarlyStop, ShuffledSketchesAreStoppedWronglyAtMostAlpha) {
  constexpr std::uint32_t kShuffles = 200'000;
  for (const auto& [permille, alpha] : {std::pair{800U, 1e-4}, {500U, 1e-2}}) {
    const EarlyStopTable table = group_sequential_full(options_for(permille, alpha));
    const auto m = static_cast<std::uint32_t>(table.looks.back().accept);
    const double bound = alpha + 4 * std::sqrt(alpha * (1 - alpha) / kShuffles);
    EXPECT_LE(shuffled_error(table, m, Verdict::kReject, kShuffles), bound);
    EXPECT_LE(shuffled_error(table, m - 1, Verdict::kAccept, kShuffles), bound);
  }
}

TEST(EarlyStop, AlphaZeroStopsOnlyWhenTheRestCannotMatter) {
  for (const std::uint32_t permille : {1U, 300U, 800U, 999U}) {
    const auto looks = group_sequential_full(options_for(permille, 0)).looks;
    const std::int32_t m = looks.back().accept;
    for (const Look& look : looks) {
      const auto bins = static_cast<std::int32_t>(look.bins);
      EXPECT_EQ(look.reject, std::max(-1, m - (1024 - bins) - 1));
      EXPECT_EQ(look.accept, std::min(bins + 1, m));
    }
    auto truth = group_sequential_true(options_for(permille, 0)).looks;
    truth.pop_back();
    for (const Look& look : truth) {
      EXPECT_EQ(look, (Look{look.bins, -1, static_cast<std::int32_t>(look.bins) + 1}));
    }
  }
}

TEST(EarlyStop, SmallerAlphaNeverStopsEarlier) {
  auto before = group_sequential_full(options_for(700, 1e-2)).looks;
  for (const double alpha : {1e-4, 1e-8, 1e-30, 1e-200, 0.0}) {
    auto looks = group_sequential_full(options_for(700, alpha)).looks;
    for (std::size_t i = 0; i < looks.size(); ++i) {
      EXPECT_LE(looks[i].reject, before[i].reject);
      EXPECT_GE(looks[i].accept, before[i].accept);
    }
    before = looks;
  }
}

TEST(EarlyStop, ThresholdZeroAcceptsAtTheFirstLook) {
  for (const std::uint32_t bits : {8U, 64U}) {
    GroupSequentialOptions options = options_for(0);
    options.code_bits = bits;
    for (const auto& table : {group_sequential_full(options), group_sequential_true(options)}) {
      for (const Look& look : table.looks) EXPECT_EQ(look, (Look{look.bins, -1, 0}));
    }
  }
}

TEST(EarlyStop, ThresholdOneRejectsOnTheFirstMismatch) {
  for (const double alpha : {0.0, 1e-4}) {
    for (const auto& table : {group_sequential_full(options_for(1000, alpha)),
                              group_sequential_true(options_for(1000, alpha))}) {
      for (const Look& look : table.looks) {
        EXPECT_EQ(look.reject + 1, static_cast<std::int32_t>(look.bins));
      }
      EXPECT_EQ(table.looks.back(), (Look{1024, 1023, 1024}));
    }
  }
}

TEST(EarlyStop, NoLooksIsThePlainComparison) {
  GroupSequentialOptions options = options_for(333);
  options.looks.clear();
  EXPECT_EQ(group_sequential_full(options).looks, (Looks{{1024, 340, 341}}));
  EXPECT_EQ(group_sequential_true(options).looks, (Looks{{1024, 340, 341}}));
}

GroupSequentialOptions any_options() {
  GroupSequentialOptions options;
  options.k = *rc::gen::inRange<std::uint32_t>(1, 200);
  options.threshold_permille = *rc::gen::inRange<std::uint32_t>(1, 1001);
  for (std::uint32_t bins = 1; bins < options.k; ++bins) {
    if (*rc::gen::inRange(0, 12) == 0) options.looks.push_back(bins);
  }
  const auto any_alpha = [] { return std::pow(10., -*rc::gen::inRange(1, 12)) * 4; };
  options.alpha_reject = any_alpha();
  options.alpha_accept = any_alpha();
  options.code_bits = *rc::gen::element(1U, 8U, 32U, 64U);
  return options;
}

void check_shape(std::span<const Look> looks) {
  for (std::size_t i = 0; i < looks.size(); ++i) {
    RC_ASSERT(looks[i].reject < looks[i].accept);
    RC_ASSERT(looks[i].reject >= -1 && looks[i].accept >= 1);
    RC_ASSERT(looks[i].reject < static_cast<std::int32_t>(looks[i].bins));
    if (i == 0) continue;
    const auto step = static_cast<std::int32_t>(looks[i].bins - looks[i - 1].bins);
    RC_ASSERT(looks[i].reject >= looks[i - 1].reject);
    RC_ASSERT(looks[i].reject <= looks[i - 1].reject + step);
    RC_ASSERT(looks[i].accept >= looks[i - 1].accept);
    RC_ASSERT(looks[i].accept <= looks[i - 1].accept + step);
  }
}

Verdict verdict_of_constant(std::span<const Look> looks, bool equal) {
  for (const Look& look : looks) {
    const Verdict verdict = decide(look, equal ? look.bins : 0);
    if (verdict != Verdict::kOpen) return verdict;
  }
  return Verdict::kOpen;
}

RC_GTEST_PROP(EarlyStop, BoundsNeverCrossNorFall, ()) {
  GroupSequentialOptions options = any_options();
  const auto full = group_sequential_full(options).looks;
  check_shape(full);
  RC_ASSERT(verdict_of_constant(full, true) == Verdict::kAccept);
  RC_ASSERT(verdict_of_constant(full, false) == Verdict::kReject);
  const auto truth = group_sequential_true(options).looks;
  check_shape(std::span(truth).first(truth.size() - 1));
  RC_ASSERT(verdict_of_constant(truth, true) == Verdict::kAccept);
  RC_ASSERT(verdict_of_constant(truth, false) == Verdict::kReject);
  options.bound_last = true;
  const auto bounded = group_sequential_true(options).looks;
  RC_ASSERT(bounded.back().bins == options.k);
  check_shape(bounded);
}

RC_GTEST_PROP(EarlyStop, FullModeErrorIsBelowAlphaForAnyOptions, ()) {
  const GroupSequentialOptions options = any_options();
  const auto looks = group_sequential_full(options).looks;
  const std::span early(looks.begin(), looks.end() - 1);
  const std::int64_t m = looks.back().accept;
  const double slack = 1 + 1e-9;
  RC_ASSERT(chance_of(Verdict::kReject, early, without_replacement(options.k, m)) <=
            options.alpha_reject * slack);
  RC_ASSERT(chance_of(Verdict::kAccept, early, without_replacement(options.k, m - 1)) <=
            options.alpha_accept * slack);
}

}  // namespace
}  // namespace twinsift
