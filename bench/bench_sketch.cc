// SPDX-License-Identifier: Apache-2.0
// How fast sets become sketches, beside MinWise hashing by a plain loop, and how large the errors
// of the sketches are (sketch_accuracy.cc).
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/random.h"
#include "bench/scalar_sketch.h"
#include "bench/sketch_accuracy.h"
#include "bench/timing.h"
#include "twinsift/sketch.h"

namespace twinsift::bench {
namespace {

constexpr std::uint32_t kComponents = 1024;
constexpr int kRuns = 5;
constexpr std::uint32_t kSizes[] = {10, 100, 1000, 10000};
constexpr std::size_t kTargetSize = 2;  // place of d = 1000: the targets are for that

using SizeTimes =
    std::vector<double>;  // seconds for a set of kSizes[i]; fewer if the rest is skipped

// Random ids, and weights with an exponential law as those of words nearly are.
std::vector<Feature> make_sets(std::uint32_t size, std::size_t count, bool weighted) {
  Rng rng(size);
  std::vector<Feature> sets;
  for (std::size_t i = 0; i < count; ++i) {
    WeightedSet set;
    for (std::uint32_t x = 0; x < size; ++x) {
      set.tokens.push_back(rng.next());
      set.weights.push_back(-std::log(rng.uniform()));
    }
    std::ranges::sort(set.tokens);  // as the features of all media are
    Feature feature;
    if (weighted) {
      feature.value = std::move(set);
    } else {
      feature.value = std::move(set.tokens);
    }
    sets.push_back(std::move(feature));
  }
  return sets;
}

// Seconds for one set.  Several sets, because for some sketches it depends on chance.
double seconds_per_set(const std::vector<Feature>& sets,
                       const std::function<std::uint64_t(const Feature&)>& sketch) {
  const double took = best_seconds(kRuns, [&] {
    for (const Feature& set : sets) keep(sketch(set));
  });
  return took / static_cast<double>(sets.size());
}

Result<SizeTimes> time_sketcher(const std::string& spec, bool weighted, bool slow) {
  TWINSIFT_TRY(const std::unique_ptr<Sketcher> sketcher, make_sketcher(spec));
  SizeTimes times;
  Sketch out(sketcher->k());
  for (const std::uint32_t size : kSizes) {
    if (slow && size > 1000) break;
    times.push_back(
        seconds_per_set(make_sets(size, slow ? 1 : 16, weighted), [&](const Feature& set) {
          if (weighted) return sketcher->sketch(set)->back();
          sketcher->sketch_ids(std::get<TokenSet>(set.value), out);
          return out.back();
        }));
  }
  return times;
}

SizeTimes time_scalar() {
  SizeTimes times;
  Sketch out(kComponents);
  for (const std::uint32_t size : kSizes) {
    times.push_back(seconds_per_set(make_sets(size, 2, false), [&](const Feature& set) {
      scalar_minwise(std::get<TokenSet>(set.value), out);
      return out.back();
    }));
  }
  return times;
}

void print_row(const std::string& name, const SizeTimes& times, const SizeTimes& baseline,
               const std::string& target) {
  fmt::print("| {} |", name);
  for (std::size_t i = 0; i < std::size(kSizes); ++i) {
    if (i < times.size()) {
      fmt::print(" {:.2f} ({:.3g}x) |", times[i] * 1e6, baseline[i] / times[i]);
    } else {
      fmt::print(" |");
    }
  }
  fmt::print(" {} |\n", target);
}

std::string target_at_1000(const SizeTimes& times, const SizeTimes& baseline, double target) {
  const double ratio = baseline[kTargetSize] / times[kTargetSize];
  return fmt::format(">= {:.0f}x: {}", target, ratio >= target ? "met" : "missed");
}

void print_header(std::string_view what) {
  fmt::print("\n| {} |", what);
  for (const std::uint32_t size : kSizes) fmt::print(" d = {} |", size);
  fmt::print(" target at d = {} |\n|---|---|---|---|---|---|\n", kSizes[kTargetSize]);
}

Status print_set_speed(const SizeTimes& scalar) {
  struct Row {
    std::string spec;
    double target;  // times the baseline; 0: none
  };
  const std::vector<Row> rows = {{"minhash1:k=1024", 0},        {"fss1:k=1024", 50},
                                 {"oph1:k=1024", 300},          {"doph1:k=1024", 0},
                                 {"hoph1:ratio=1:1,k=1024", 0}, {"superminhash1:k=1024", 0}};
  print_header("Sets of d elements");
  print_row("MinWise, scalar: the baseline", scalar, scalar, "");
  for (const auto& [spec, target] : rows) {
    TWINSIFT_TRY(const SizeTimes times, time_sketcher(spec, false, false));
    print_row(spec, times, scalar, target > 0 ? target_at_1000(times, scalar, target) : "");
  }
  return ok();
}

Status print_weighted_speed(const SizeTimes& scalar) {
  TWINSIFT_TRY(const SizeTimes cws, time_sketcher("cws1:k=1024", true, true));
  TWINSIFT_TRY(const SizeTimes icws, time_sketcher("icws1:k=1024", true, true));
  TWINSIFT_TRY(const SizeTimes dart, time_sketcher("dart1:k=1024", true, false));
  print_header("Weighted sets of d elements");
  print_row("cws1:k=1024", cws, scalar, "");
  print_row("icws1:k=1024", icws, scalar, "");
  print_row("dart1:k=1024", dart, scalar, "");
  fmt::print(
      "\n| dart1 against | d = 10 | d = 100 | d = 1000 | target at d = 1000 |\n"
      "|---|---|---|---|---|\n");
  const auto against = [&](std::string_view name, const SizeTimes& other, double target) {
    fmt::print("| {} | {:.1f}x | {:.1f}x | {:.1f}x | {} |\n", name, other[0] / dart[0],
               other[1] / dart[1], other[2] / dart[2], target_at_1000(dart, other, target));
  };
  against("icws1", icws, 50);
  against("cws1", cws, 100);
  return ok();
}

Result<bool> run() {
  fmt::print("## Sketching, one core, best of {} runs\n\n", kRuns);
  fmt::print("Microseconds for a set, and in brackets how many times as fast as the baseline.\n");
  const SizeTimes scalar = time_scalar();
  TWINSIFT_TRY([[maybe_unused]] auto sets, print_set_speed(scalar));
  TWINSIFT_TRY([[maybe_unused]] auto weighted, print_weighted_speed(scalar));
  TWINSIFT_TRY(const bool set_errors, print_set_accuracy());
  TWINSIFT_TRY(const bool weighted_errors, print_weighted_accuracy());
  return set_errors && weighted_errors;
}

}  // namespace
}  // namespace twinsift::bench

int main() {
  const twinsift::Result<bool> kept = twinsift::bench::run();
  if (kept) return *kept ? 0 : 1;
  fmt::print(stderr, "bench_sketch: {}\n", kept.error().message);
  return 2;
}
