// SPDX-License-Identifier: Apache-2.0
// What the HOPH paper prints and arithmetic can check: Table 2, figures 1 and 2, both examples.
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "base/permute.h"
#include "base/tails.h"
#include "eval/paper_000.h"
#include "sketch/hoph.h"
#include "sketch/oph.h"
#include "verify/filter_parts.h"
#include "verify/goph.h"
#include "verify/hoph_filter.h"
#include "verify/similarity.h"

namespace twinsift {
namespace {

constexpr std::uint32_t kGroup = 100;  // k' of Table 2 and the examples
constexpr double kThreshold = 0.6;
constexpr std::uint32_t kThresholdPermille = 600;
constexpr double kError = 1e-4;

struct PrintedTails {
  std::int64_t x;
  std::string_view below;
  std::string_view at_least;
};
constexpr std::array<PrintedTails, 20> kTable2 = {{
    {5, "3.27948E-33", "1"},
    {10, "1.25639E-26", "1"},
    {15, "2.31928E-21", "1"},
    {20, "5.56419E-17", "1"},
    {25, "2.71442E-13", "1"},
    {30, "3.46422E-10", "1"},
    {35, "1.35466E-07", "0.999999865"},
    {40, "1.80415E-05", "0.999981959"},
    {45, "0.000881808", "0.999118192"},
    {50, "0.016761687", "0.983238313"},
    {55, "0.131090453", "0.868909547"},
    {60, "0.456705514", "0.543294486"},
    {65, "0.820530647", "0.179469353"},
    {70, "0.975217177", "0.024782823"},
    {75, "0.998810999", "0.001189001"},
    {80, "0.999983588", "1.64119E-05"},
    {85, "0.999999949", "5.0732E-08"},
    {90, "1", "2.33876E-11"},
    {95, "1", "7.01609E-16"},
    {100, "1", "6.53319E-23"},
}};

// Whether a number rounds to what is printed: six digits before an exponent, otherwise nine places.
bool rounds_to(double value, std::string_view printed) {
  double number = 0;
  std::from_chars(printed.data(), printed.data() + printed.size(), number);
  const bool scientific = printed.find('E') != std::string_view::npos;
  const double unit = scientific ? std::pow(10, std::floor(std::log10(number)) - 5) : 1e-9;
  return std::abs(value - number) <= 0.501 * unit;
}

// One line of the examples: what is printed, and what it must be.
struct Checked {
  std::string what;
  std::string printed;  // empty: the paper does not say
  std::string computed;
  bool agrees = true;
  std::string note{};
};

// "0.375" against a number; the paper cuts digits off as often as it rounds them.
Checked check(std::string what, std::string_view printed, double value, std::string note = {}) {
  Checked line{.what = std::move(what),
               .printed = std::string(printed),
               .computed = fmt::format("{:.6g}", value),
               .note = std::move(note)};
  if (printed.empty()) return line;
  double number = 0;
  std::from_chars(printed.data(), printed.data() + printed.size(), number);
  const std::size_t dot = printed.find('.');
  const bool scientific = printed.find('E') != std::string_view::npos;
  const double places =
      dot == std::string_view::npos ? 0 : static_cast<double>(printed.size() - dot - 1);
  line.agrees = scientific ? rounds_to(value, printed)
                           : std::abs(value - number) < 1.001 * std::pow(10, -places);
  return line;
}

const std::array<TokenSet, 3> kDocuments = {
    TokenSet{1, 2, 5, 10, 12, 15}, {1, 2, 6, 10, 12, 14}, {2, 9, 10, 12, 14}};
constexpr std::array<std::array<std::size_t, 2>, 3> kPairs = {{{0, 1}, {0, 2}, {1, 2}}};

// {0..15} as the topmost bits: the identity is the permutation of both figures.
TokenSet spread(TokenSet set) {
  for (std::uint64_t& x : set) x <<= 60U;
  return set;
}

std::string name_of_pair(std::string_view figure, std::size_t pair) {
  return fmt::format("{}: estimate of (D{}, D{})", figure, kPairs[pair][0] + 1,
                     kPairs[pair][1] + 1);
}

std::string exactly(std::size_t pair) {
  return fmt::format("the exact similarity is {:.4g}",
                     jaccard(kDocuments[kPairs[pair][0]], kDocuments[kPairs[pair][1]]));
}

void figure1(std::vector<Checked>& lines) {
  constexpr std::array<std::string_view, 3> kPrinted = {"0.75", "0.333", ""};
  std::array<Sketch, 3> bins;
  for (std::size_t d = 0; d < 3; ++d) {
    bins[d].assign(4, kEmptyBin);
    throw_permuted(spread(kDocuments[d]), bins[d]);
  }
  for (std::size_t i = 0; i < kPairs.size(); ++i) {
    const BinCounts counts = count_bins(bins[kPairs[i][0]], bins[kPairs[i][1]]);
    const double estimate = counts.matched / static_cast<double>(counts.bins - counts.both_empty);
    std::string note = exactly(i);
    if (i == 1) {
      note += fmt::format(
          "; eq. 6 leaves out bins that both leave empty, and there are {}. The paper divides by "
          "the {} bins that neither leaves empty",
          counts.both_empty, counts.bins - counts.either_empty);
    }
    lines.push_back(check(name_of_pair("Fig. 1", i), kPrinted[i], estimate, note));
  }
}

void figure2(std::vector<Checked>& lines) {
  constexpr std::array<std::string_view, 3> kPrinted = {"0.625", "0.375", ""};
  const HophShape shape{.groups = 3, .bins = 2};
  const HophPartition partition(shape);
  std::array<Sketch, 3> bins;
  for (std::size_t d = 0; d < 3; ++d) {
    bins[d].assign(6, kEmptyBin);
    partition.throw_permuted(spread(kDocuments[d]), bins[d]);
  }
  for (std::size_t i = 0; i < kPairs.size(); ++i) {
    const auto counts = count_groups(bins[kPairs[i][0]], bins[kPairs[i][1]], shape.groups);
    const double estimate = estimate_groups(counts, shape, HophEstimate::kPaper).value;
    std::string note = exactly(i);
    if (i == 1) note += "; again bins are left out that only one set leaves empty";
    lines.push_back(check(name_of_pair("Fig. 2", i), kPrinted[i], estimate, note));
    if (i != 1) continue;
    double matched = 0;
    for (const BinCounts& group : counts) matched += group.matched;
    lines.push_back(check("Fig. 2: representations that D1 and D3 share", "1", matched,
                          "10 and 12: the text says one"));
    lines.back().agrees = matched == 1;
  }
}

void example1(std::vector<Checked>& lines) {
  struct Step {
    std::int64_t matched;
    std::string_view needed;
    std::string_view tail;
  };
  constexpr std::array<Step, 4> kSteps = {
      {{65, "59.4", ""}, {5, "66.25", ""}, {10, "74.28", ""}, {10, "85", "5.0732E-08"}}};
  constexpr double kAll = 10 * kGroup * kThreshold;
  double matched = 0;
  for (std::size_t l = 1; l <= kSteps.size(); ++l) {
    const Step& step = kSteps[l - 1];
    matched += static_cast<double>(step.matched);
    const double left = 10 - static_cast<double>(l);
    const double needed = (kAll - matched) / left;
    lines.push_back(check(fmt::format("Example 1: matches needed in each group after group {}", l),
                          step.needed, needed,
                          fmt::format("line 9 as printed, with l counted too early, gives {:.5g}",
                                      (kAll - matched) / (left - 1))));
    const auto m = static_cast<std::int64_t>(std::ceil(needed));
    const bool above = needed < kGroup * kThreshold;
    const double tail =
        above ? binomial_below(kGroup, kThreshold, m) : binomial_at_least(kGroup, kThreshold, m);
    lines.push_back(check(
        fmt::format("Example 1: P(X {} {}) after group {}", above ? "<" : ">=", m, l), step.tail,
        tail, tail <= kError ? "below the error: dissimilar" : "above the error: goes on"));
  }
}

void example2(std::vector<Checked>& lines) {
  constexpr double kFirst = 0.5;  // weight of the first group of 1:1
  const double share = (kThreshold - kFirst * 0.4) / (1 - kFirst);
  lines.push_back(check("Example 2: share needed after 40 matches", "0.8", share));
  lines.push_back(check("Example 2: P(X >= 80)", "1.64119E-05",
                        binomial_at_least(kGroup, kThreshold, 80), "below the error: dissimilar"));
  const EarlyStopTable table =
      hoph_table({.k = 10 * kGroup, .threshold_permille = kThresholdPermille, .looks = {}},
                 {.a = 1, .b = 1, .groups = 10, .error = kError});
  const Look& look = table.looks.front();
  lines.push_back(check("Example 2: the first group decides against up to", "",
                        static_cast<double>(look.reject / look.weight), "matches of 100"));
}

}  // namespace

EvalSection hoph_table2() {
  EvalSection section;
  section.claim = {.id = "table2",
                   .title = "Table 2: binomial tails for k' = 100, T = 0.6",
                   .claim = "Probability distribution of x <= X and x > X.",
                   .verdict = {}};
  section.table.columns = {"X", "paper, P(x < X)", "exact", "paper, P(x >= X)", "exact", "agree"};
  std::size_t right = 0;
  for (const PrintedTails& row : kTable2) {
    const double below = binomial_below(kGroup, kThreshold, row.x);
    const double at_least = binomial_at_least(kGroup, kThreshold, row.x);
    const bool agree = rounds_to(below, row.below) && rounds_to(at_least, row.at_least);
    right += agree ? 1U : 0U;
    section.table.rows.push_back({std::to_string(row.x), std::string(row.below),
                                  fmt::format("{:.9g}", below), std::string(row.at_least),
                                  fmt::format("{:.9g}", at_least), agree ? "yes" : "no"});
  }
  PlotSeries below{.name = "P(x < X)", .markers = false};
  PlotSeries at_least{.name = "P(x >= X)", .markers = false};
  for (std::int64_t x = 20; x <= 95; ++x) {
    below.points.push_back({static_cast<double>(x), binomial_below(kGroup, kThreshold, x)});
    at_least.points.push_back({static_cast<double>(x), binomial_at_least(kGroup, kThreshold, x)});
  }
  const std::int64_t enough =
      first_where(1, kGroup,
                  [](std::int64_t m) { return binomial_below(kGroup, kThreshold, m) > kError; }) -
      1;
  const std::int64_t hopeless = first_where(
      0, kGroup, [](std::int64_t m) { return binomial_at_least(kGroup, kThreshold, m) <= kError; });
  section.plots.push_back({.title = "What one group of 100 bins may have to bring",
                           .x = {.label = "matches X"},
                           .y = {.label = "probability", .log = true},
                           .series = {std::move(below), std::move(at_least)},
                           .rules = {{static_cast<double>(enough), "accept"},
                                     {static_cast<double>(hopeless), "reject"}}});
  section.claim.holds = right == kTable2.size();
  section.claim.verdict = fmt::format(
      "{} of {} rows agree with the exact tails to the last digit printed. The caption is wrong "
      "and "
      "the column heads are right: the values are P(x < X) and P(x >= X). With an error of 1e-4 a "
      "pair is accepted if {} matches a group or fewer are still needed, rejected from {} on.",
      right, kTable2.size(), enough, hopeless);
  return section;
}

EvalSection hoph_examples() {
  EvalSection section;
  section.claim = {
      .id = "examples",
      .title = "Figures 1 and 2, examples 1 and 2: small numbers by hand",
      .claim =
          "The similarity of D1 and D3 is estimated as 0.333 by OPH and 0.375 by HOPH; pairs with "
          "65, 5, 10, 10 matches (GOPH) or 40 matches (HOPH) of 100 in each group are dissimilar.",
      .verdict = {}};
  section.table.columns = {"what", "paper", "correct", "agree", "note"};
  std::vector<Checked> lines;
  figure1(lines);
  figure2(lines);
  example1(lines);
  example2(lines);
  std::size_t printed = 0;
  std::size_t right = 0;
  for (const Checked& line : lines) {
    const bool said = !line.printed.empty();
    printed += said ? 1U : 0U;
    right += said && line.agrees ? 1U : 0U;
    section.table.rows.push_back({line.what, line.printed, line.computed,
                                  said ? (line.agrees ? "yes" : "no") : "", line.note});
  }
  section.claim.holds = right == printed;
  section.claim.verdict = fmt::format(
      "{} of {} printed numbers are right. Both estimates for D1 and D3 must be 0.25: the paper "
      "leaves out bins that one set alone leaves empty, against its own eq. 4 and 6. Both examples "
      "end as printed, but with the number of finished groups for l, not with lines 8 and 9 of "
      "Algorithm 1, which would divide by zero before the last group.",
      right, printed);
  return section;
}

}  // namespace twinsift
