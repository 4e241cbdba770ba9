// SPDX-License-Identifier: Apache-2.0
// The points of the load-balanced LSH paper's curves, and what is read off these.
#include <algorithm>
#include <cassert>
#include <numeric>

#include <fmt/format.h>

#include "eval/paper_001.h"

namespace twinsift::paper_001 {
namespace {

using Kind = SearchMethod::Kind;

struct Way {
  Method method;
  SearchMethod search;
};

std::vector<Way> ways_for(std::uint64_t cap) {
  std::vector<Way> ways = {{Method::kNext, {.kind = Kind::kPaper}},
                           {Method::kBalanced, {.kind = Kind::kPaper, .cap = cap}},
                           {Method::kRecorded, {.kind = Kind::kRecorded, .cap = cap}},
                           {Method::kBasic, {}}};
  for (const std::uint32_t probes : kProbes) {
    ways.push_back({Method::kMultiProbe, {.kind = Kind::kMultiProbe, .probes = probes}});
  }
  return ways;
}

// Where a bound is hardly above the mean load, nearly everything would have to move and nearly all
// be read: the paper, with 2000 buckets and Delta far above the mean, has no such points.
bool fits(std::uint64_t cap, std::size_t items, std::size_t buckets) {
  return cap >= 3 * items / (2 * buckets);
}

// The points that no other beats in both, by ascending candidates.
std::vector<CurvePoint> frontier(std::vector<CurvePoint> curve) {
  std::ranges::sort(curve, [](const CurvePoint& a, const CurvePoint& b) {
    return a.candidates != b.candidates ? a.candidates < b.candidates : a.quality > b.quality;
  });
  std::vector<CurvePoint> best;
  for (const CurvePoint& point : curve) {
    if (best.empty() || point.quality > best.back().quality) best.push_back(point);
  }
  return best;
}

double between(double x, double x0, double y0, double x1, double y1) {
  return y0 + (y1 - y0) * (x - x0) / (x1 - x0);
}

}  // namespace

std::string name_of(Method method) {
  switch (method) {
    case Method::kBasic:
      return "basic LSH";
    case Method::kNext:
      return "basic LSH and the next bucket";
    case Method::kBalanced:
      return "load-balanced, as the paper";
    case Method::kRecorded:
      return "load-balanced, recorded displacement";
    case Method::kMultiProbe:
      break;
  }
  return "multi-probe (ours)";
}

double Trial::width() const { return 2 * questions->usual_distance(); }

Status measure(const EvalOptions& options, const Sizes& sizes, bool caps, Trial& trial) {
  for (const char* const family : kFamilies) {
    for (const std::uint32_t v : sizes.v) {
      if (family == std::string_view("hamming") && v > trial.set->dimension) continue;
      for (std::uint64_t seed = 1; seed <= sizes.seeds; ++seed) {
        TWINSIFT_TRY(
            [[maybe_unused]] const auto begun,
            begin(options, fmt::format("{}, {}, V = {}, seed {}", trial.id, family, v, seed)));
        TWINSIFT_TRY(const HashedVectors hashed,
                     HashedVectors::make(*trial.questions, {.name = family,
                                                            .v = v,
                                                            .l = trial.tables.back(),
                                                            .r = trial.width(),
                                                            .seed = options.seed + seed}));
        const std::size_t buckets = hashed.balanced(0, BalancedTable::kNoCap).buckets().size();
        const auto add = [&](const Way& way, std::span<const std::uint32_t> tables) {
          if (!fits(way.search.cap, trial.items(), buckets)) return;
          const auto figures = hashed.measure(way.search, tables);
          for (std::size_t i = 0; i < tables.size(); ++i) {
            trial.points.push_back({family, v, tables[i], way.method, way.search.cap,
                                    way.search.probes, seed, figures[i]});
          }
        };
        for (const std::uint32_t l : trial.tables) {
          const std::uint64_t cap = paper_cap(trial.items(), trial.set->dimension, l);
          for (const Way& way : ways_for(cap)) add(way, std::span(&l, 1));
        }
        if (!caps || family != std::string_view("pstable")) continue;
        for (const std::uint64_t cap : kFig7Caps) {
          const bool none = cap == BalancedTable::kNoCap;
          const bool formula =
              cap == paper_cap(trial.items(), trial.set->dimension, trial.tables[0]);
          if (none || formula) continue;  // those are there
          add({Method::kBalanced, {.kind = Kind::kPaper, .cap = cap}},
              std::span(trial.tables).first(1));
        }
      }
    }
  }
  return ok();
}

std::optional<double> candidates_for(std::vector<CurvePoint> curve, double quality) {
  const std::vector<CurvePoint> best = frontier(std::move(curve));
  for (std::size_t i = 0; i < best.size(); ++i) {
    if (best[i].quality < quality) continue;
    if (i == 0)
      return best[0].quality == quality ? std::optional(best[0].candidates) : std::nullopt;
    return between(quality, best[i - 1].quality, best[i - 1].candidates, best[i].quality,
                   best[i].candidates);
  }
  return std::nullopt;
}

std::optional<double> quality_at(std::vector<CurvePoint> curve, double candidates) {
  const std::vector<CurvePoint> best = frontier(std::move(curve));
  if (best.empty() || candidates < best.front().candidates) return std::nullopt;
  for (std::size_t i = 1; i < best.size(); ++i) {
    if (best[i].candidates < candidates) continue;
    return between(candidates, best[i - 1].candidates, best[i - 1].quality, best[i].candidates,
                   best[i].quality);
  }
  return best.back().quality;
}

std::vector<CurvePoint> curve_of(const Trial& trial, const Line& line, std::uint64_t seed,
                                 double SearchFigures::*quality) {
  std::vector<CurvePoint> curve;
  for (const Point& p : trial.points) {
    if (p.family != line.family || p.l != line.l || p.method != line.method || p.seed != seed ||
        (line.cap && p.cap != *line.cap)) {
      continue;
    }
    curve.push_back({p.figures.candidates, p.figures.*quality});
  }
  return curve;
}

Spread spread_of(std::span<const double> values) {
  if (values.empty()) return {};
  const auto [low, high] = std::ranges::minmax(values);
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  return {sum / static_cast<double>(values.size()), low, high, values.size()};
}

Spread acceleration_at(const Trial& trial, const Line& line, double quality) {
  std::vector<double> values;
  std::uint64_t seeds = 0;
  for (const Point& p : trial.points) seeds = std::max(seeds, p.seed);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const auto candidates = candidates_for(curve_of(trial, line, seed), quality);
    if (candidates) values.push_back(acceleration_factor(trial.items(), *candidates));
  }
  return spread_of(values);
}

}  // namespace twinsift::paper_001
