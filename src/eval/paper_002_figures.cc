// SPDX-License-Identifier: Apache-2.0
// Figures 7 to 9 of the CWS filter paper: laws of similarities, and what one look makes of them.
#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "eval/paper_002.h"

namespace twinsift::paper_002 {
namespace {

constexpr std::uint32_t kLook = 100;

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

double share(std::size_t part, std::size_t all) {
  return static_cast<double>(part) / static_cast<double>(all);
}

double share_below(const std::vector<double>& similarities, double limit) {
  const auto count = std::ranges::count_if(similarities, [&](double s) { return s < limit; });
  return share(static_cast<std::size_t>(count), similarities.size());
}

}  // namespace

Result<EvalSection> fig7(const Data& data) {
  constexpr std::size_t kBins = 20;
  EvalSection section;
  section.claim = {.id = "fig7",
                   .title = "Figure 7: how similar the pairs are",
                   .claim =
                       "Similarities are uniform, Gaussian, and, for pairs of real documents "
                       "that share something, mostly low.",
                   .verdict = {}};
  section.table.columns = {"J_W from", "to"};
  for (std::size_t bin = 0; bin < kBins; ++bin) {
    section.table.rows.push_back(
        {fmt::format("{:.2f}", share(bin, kBins)), fmt::format("{:.2f}", share(bin + 1, kBins))});
  }
  Plot plot{.title = "Share of the pairs in each twentieth",
            .x = {.label = "weighted Jaccard similarity", .low = 0, .high = 1},
            .y = {.label = "share of pairs", .low = 0},
            .series = {}};
  for (const PairSet& set : data.laws) {
    std::array<std::size_t, kBins> counts{};
    for (const double s : set.similarity) {
      ++counts[std::min(kBins - 1, static_cast<std::size_t>(s * kBins))];
    }
    section.table.columns.push_back(set.law);
    PlotSeries series{.name = set.law};
    for (std::size_t bin = 0; bin < kBins; ++bin) {
      const double part = share(counts[bin], set.pairs.size());
      series.points.push_back({(static_cast<double>(bin) + 0.5) / kBins, part});
      section.table.rows[bin].push_back(fmt::format("{:.4f}", part));
    }
    plot.series.push_back(std::move(series));
  }
  section.plots.push_back(std::move(plot));
  const std::vector<double>& documents = data.documents().similarity;
  section.claim.holds = share_below(documents, 0.3) > 0.5;
  section.claim.verdict = fmt::format(
      "Of the pairs of documents, {} are below 0.3 (the claim is read as: more than half), {} "
      "below 0.5, "
      "and {} reach 0.8.",
      percent(share_below(documents, 0.3)), percent(share_below(documents, 0.5)),
      percent(1 - share_below(documents, 0.8)));
  return section;
}

namespace {

// One side of the filter at one place: the pairs it stops, and how many of them rightly.
struct Side {
  std::size_t stopped = 0;
  std::size_t right = 0;
  std::size_t all = 0;  // pairs that are to be stopped on this side
  [[nodiscard]] std::optional<double> accuracy() const {
    if (stopped == 0) return std::nullopt;
    return share(right, stopped);
  }
  [[nodiscard]] std::optional<double> recall() const {
    if (all == 0) return std::nullopt;
    return share(right, all);
  }
};

struct Counts {
  std::vector<std::uint32_t> first;  // equal ones among the first kLook
  std::vector<std::uint32_t> all;    // among all that the paper compares
};

Side accepted_from(const Counts& counts, std::int32_t m, std::uint32_t permille) {
  Side side;
  for (std::size_t i = 0; i < counts.first.size(); ++i) {
    const bool similar = counts.all[i] >= permille;  // of kPaperComponents = 1000
    const bool stopped = static_cast<std::int32_t>(counts.first[i]) >= m;
    side.all += similar ? 1U : 0U;
    side.stopped += stopped ? 1U : 0U;
    side.right += stopped && similar ? 1U : 0U;
  }
  return side;
}

Side rejected_to(const Counts& counts, std::int32_t m, std::uint32_t permille) {
  Side side;
  for (std::size_t i = 0; i < counts.first.size(); ++i) {
    const bool similar = counts.all[i] >= permille;
    const bool stopped = static_cast<std::int32_t>(counts.first[i]) <= m;
    side.all += similar ? 0U : 1U;
    side.stopped += stopped ? 1U : 0U;
    side.right += stopped && !similar ? 1U : 0U;
  }
  return side;
}

std::string cell(std::optional<double> value) {
  return value ? fmt::format("{:.5f}", *value) : std::string("-");
}

void add_point(PlotSeries& series, double x, std::optional<double> y) {
  if (y) series.points.push_back({x, *y});
}

// The curves of one law for one T; accuracy and recall have two series each, T_U and T_L.
void add_curves(const Counts& counts, const std::string& law, std::uint32_t permille,
                EvalSection& section) {
  std::array<PlotSeries, 4> series;
  const std::array<std::string_view, 4> kNames = {"T_U", "T_L", "T_U", "T_L"};
  for (std::size_t i = 0; i < series.size(); ++i) {
    series[i].name = fmt::format("{}, {}", law, kNames[i]);
    series[i].markers = false;
  }
  for (std::uint32_t m = 0; m <= kLook; ++m) {
    const Side upper = accepted_from(counts, static_cast<std::int32_t>(m), permille);
    const Side lower = rejected_to(counts, static_cast<std::int32_t>(m), permille);
    add_point(series[0], m, upper.accuracy());
    add_point(series[1], m, lower.accuracy());
    add_point(series[2], m, upper.recall());
    add_point(series[3], m, lower.recall());
    section.table.rows.push_back({law, fmt::format("{:.1f}", permille / 1000.0), std::to_string(m),
                                  cell(upper.accuracy()), cell(upper.recall()),
                                  cell(lower.accuracy()), cell(lower.recall())});
  }
  const std::size_t plots = section.plots.size();
  for (std::size_t i = 0; i < series.size(); ++i) {
    section.plots[plots - 2 + i / 2].series.push_back(std::move(series[i]));
  }
}

void add_plots(std::uint32_t permille, const Look& look, EvalSection& section) {
  for (const std::string_view what : {"Accuracy", "Recall"}) {
    Plot plot{.title = fmt::format("{} at k = {}, T = {:.1f}", what, kLook, permille / 1000.0),
              .x = {.label = "the threshold m within the filter", .low = 0, .high = kLook},
              .y = {.label = what == "Accuracy" ? "accuracy" : "recall", .low = 0, .high = 1},
              .series = {}};
    plot.rules = {{.x = 1.0 * look.reject, .label = "m_lower"},
                  {.x = 1.0 * look.accept, .label = "m_upper"}};
    section.plots.push_back(std::move(plot));
  }
}

}  // namespace

Result<EvalSection> fig8(const Data& data) {
  EvalSection section;
  section.claim = {.id = "fig8",
                   .title = "Figure 8: accuracy and recall of one look at k = 100",
                   .claim =
                       "At the dividing points T_L(k) and T_U(k) the accuracy is 100 % "
                       "whatever the law of the similarities; the recall of T_L(k) is high "
                       "where most pairs are dissimilar.",
                   .verdict = {}};
  section.table.columns = {
      "law", "T", "m", "accuracy of T_U", "recall of T_U", "accuracy of T_L", "recall of T_L"};
  std::array<Counts, 3> counts;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    counts[i] = {data.laws[i].equal_counts(kLook), data.laws[i].equal_counts(kPaperComponents)};
  }
  std::size_t stopped = 0;
  std::size_t wrong = 0;
  for (const std::uint32_t permille : kThresholds) {
    const Look look = paper_filter(permille).looks[0];
    add_plots(permille, look, section);
    for (std::size_t i = 0; i < counts.size(); ++i) {
      add_curves(counts[i], data.laws[i].law, permille, section);
      for (const Side& side : {accepted_from(counts[i], look.accept, permille),
                               rejected_to(counts[i], look.reject, permille)}) {
        stopped += side.stopped;
        wrong += side.stopped - side.right;
      }
    }
  }
  const Look look = paper_filter(kThresholds[0]).looks[0];
  const auto recall = [&](std::size_t law) {
    return rejected_to(counts[law], look.reject, kThresholds[0]).recall().value_or(0);
  };
  // e for each, and four standard errors of that.
  const double expected = kSmallProbability * static_cast<double>(stopped);
  section.claim.holds =
      static_cast<double>(wrong) <= expected + 4 * std::sqrt(expected) && recall(2) >= 0.9;
  section.claim.verdict = fmt::format(
      "Of {} verdicts at T_L(100) and T_U(100), over three laws and three T, {} differ from those "
      "of all {} samples. At T = 0.8 the recall of T_L is {} (uniform), {} (Gaussian) and {} "
      "(documents; the claim is read as: at least 90 %). The paper's formulas compare R_k with T "
      "where all K samples, R_K, are meant.",
      stopped, wrong, kPaperComponents, percent(recall(0)), percent(recall(1)), percent(recall(2)));
  return section;
}

namespace {

// Shares of all pairs.
struct Rate {
  double above = 0;  // T_U(k)
  double below = 0;  // T_L(k)
};

Rate filtering_rate(const PairSet& set, const Look& look) {
  std::size_t above = 0;
  std::size_t below = 0;
  for (const std::uint32_t equal : set.equal_counts(look.bins)) {
    above += static_cast<std::int32_t>(equal) >= look.accept ? 1U : 0U;
    below += static_cast<std::int32_t>(equal) <= look.reject ? 1U : 0U;
  }
  return {share(above, set.pairs.size()), share(below, set.pairs.size())};
}

// Adds the rates of one law for one T, and gives those of the first look.
Rate add_rates(const PairSet& set, std::uint32_t permille, Plot& plot, EvalTable& table) {
  const EarlyStopTable filter = paper_filter(permille);
  PlotSeries upper{.name = set.law + ", T_U"};
  PlotSeries lower{.name = set.law + ", T_L"};
  for (const std::size_t hundreds : {1U, 2U, 4U, 6U, 8U}) {
    const Look& look = filter.looks[hundreds - 1];
    const Rate rate = filtering_rate(set, look);
    upper.points.push_back({1.0 * look.bins, rate.above});
    lower.points.push_back({1.0 * look.bins, rate.below});
    table.rows.push_back({set.law, fmt::format("{:.1f}", permille / 1000.0),
                          std::to_string(look.bins), fmt::format("{:.4f}", rate.above),
                          fmt::format("{:.4f}", rate.below)});
  }
  const Rate first{upper.points[0].y, lower.points[0].y};
  plot.series.push_back(std::move(upper));
  plot.series.push_back(std::move(lower));
  return first;
}

}  // namespace

Result<EvalSection> fig9(const Data& data) {
  EvalSection section;
  section.claim = {
      .id = "fig9",
      .title = "Figure 9: the share of pairs that each look stops",
      .claim =
          "For uniform and Gaussian pairs T_L stops most at T = 0.8 and T_U most at T = 0.3; "
          "of real pairs T_L(100) stops more than 90 % at T = 0.8 and about 50 % at T = 0.3.",
      .verdict = {}};
  section.table.columns = {"law", "T", "k", "above T_U(k)", "below T_L(k)"};
  std::array<std::array<Rate, 3>, 3> first;  // by law and T
  for (std::size_t t = 0; t < kThresholds.size(); ++t) {
    Plot plot{.title = fmt::format("Filtering rate, T = {:.1f}", kThresholds[t] / 1000.0),
              .x = {.label = "samples compared, k", .low = 0},
              .y = {.label = "share of pairs", .low = 0, .high = 1},
              .series = {}};
    for (std::size_t law = 0; law < data.laws.size(); ++law) {
      first[law][t] = add_rates(data.laws[law], kThresholds[t], plot, section.table);
    }
    section.plots.push_back(std::move(plot));
  }
  bool turns = true;
  for (std::size_t law = 0; law < 2; ++law) {
    turns &= first[law][0].below > first[law][0].above;
    turns &= first[law][2].above > first[law][2].below;
  }
  const std::array<Rate, 3>& documents = first[2];
  const double dissimilar = share_below(data.documents().similarity, 0.8);
  section.claim.holds = turns && documents[0].below > 0.9 && documents[2].below >= 0.5;
  section.claim.verdict = fmt::format(
      "T_L(100) stops {} of the pairs of documents at T = 0.8, where {} are dissimilar, and {} at "
      "T = 0.3 (read as: at least 50 %). "
      "For the other laws T_L and T_U {} between T = 0.8 and T = 0.3.",
      percent(documents[0].below), percent(dissimilar), percent(documents[2].below),
      turns ? "change places" : "do not change places");
  return section;
}

}  // namespace twinsift::paper_002
