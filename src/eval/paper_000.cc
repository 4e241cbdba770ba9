// SPDX-License-Identifier: Apache-2.0
#include "eval/paper_000.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "eval/papers.h"
#include "eval/picture_sets.h"
#include "eval/picture_weights.h"
#include "verify/filter_parts.h"
#include "verify/goph.h"
#include "verify/hoph_filter.h"

namespace twinsift {
namespace {

// Of the paper's methods and ours.
EarlyStopTable table_for(HophMethod method, const HophSetting& setting) {
  const FilterTask task{
      .k = kScanBins, .threshold_permille = setting.threshold_permille, .looks = {}};
  const auto hoph = [&](std::uint32_t a, std::uint32_t b) {
    return hoph_table(task, {.a = a, .b = b, .groups = 10, .error = setting.error});
  };
  switch (method) {
    case HophMethod::kMinWise:
    case HophMethod::kOph:
      return full_table(task);
    case HophMethod::kGoph:
      return goph_table(task, {.groups = setting.groups, .error = setting.error});
    case HophMethod::kHoph11:
      return hoph(1, 1);
    case HophMethod::kHoph12:
      return hoph(1, 2);
    case HophMethod::kHoph21:
      return hoph(2, 1);
    case HophMethod::kOurs:
      break;
  }
  return group_sequential_full({.k = kOurBins,
                                .threshold_permille = setting.threshold_permille,
                                .looks = {kOurLooks.begin(), kOurLooks.end()},
                                .alpha_reject = setting.error,
                                .alpha_accept = setting.error,
                                .code_bits = 8});
}

constexpr std::uint32_t kMostBins = 2048;  // a part of the documents then takes 1.6 GB

std::uint32_t most_pictures(const EvalOptions& options, std::uint32_t documents) {
  if (options.images.empty()) return std::clamp(documents / 20, 50U, 1000U);
  return options.quick ? 300 : 1000;  // in memory at once: up to 400 MB
}

// Made-up pictures have as many words as the paper's.
Workload picture_workload(const EvalOptions& options, const PictureBags& bags,
                          std::uint32_t documents) {
  if (!options.images.empty()) return workload_of(bags);
  return Workload::make_pictures(options, std::max(documents / 4, 50U));
}

}  // namespace

void HophMeasurements::list_methods(const std::vector<Competitor>& competitors,
                                    std::uint64_t seed) {
  const auto spec = [&](std::string_view name, std::uint32_t k) {
    return fmt::format("{}k={},seed={}", name, k, seed);
  };
  plan_.sketches = {{"MinWise", spec("minhash1:", kScanBins)},
                    {"OPH", spec("doph1:", kScanBins)},
                    {"1:1 HOPH", spec("hoph1:ratio=1:1,groups=10,", kScanBins)},
                    {"1:2 HOPH", spec("hoph1:ratio=1:2,groups=10,", kScanBins)},
                    {"2:1 HOPH", spec("hoph1:ratio=2:1,groups=10,", kScanBins)},
                    {"fss1, byte codes", spec("fss1:", kOurBins), true}};
  methods_ = {{"MinWise", 0},  {"OPH", 1},      {"GOPH", 1}, {"1:1 HOPH", 2},
              {"1:2 HOPH", 3}, {"2:1 HOPH", 4}, {"ours", 5}};
  assert(methods_.size() == kHophMethods);
  for (const Competitor& competitor : competitors) {
    // Sketches with several filters are made once.
    if (plan_.sketches.back().spec != competitor.sketch || plan_.sketches.back().codes) {
      plan_.sketches.push_back({competitor.sketch, competitor.sketch});
    }
    methods_.push_back({competitor.name(), plan_.sketches.size() - 1, competitor});
  }
}

std::vector<HophMethod> HophMeasurements::all() const {
  std::vector<HophMethod> methods;
  for (std::size_t m = 0; m < methods_.size(); ++m) methods.push_back(static_cast<HophMethod>(m));
  return methods;
}

std::vector<HophMethod> HophMeasurements::selected() const {
  std::vector<HophMethod> methods(kHophSelected.begin(), kHophSelected.end());
  const std::vector<HophMethod> every = all();
  methods.insert(methods.end(), every.begin() + kHophMethods, every.end());
  return methods;
}

std::vector<std::pair<HophMethod, std::string>> HophMeasurements::sketches() const {
  std::vector<std::pair<HophMethod, std::string>> named;
  std::size_t next = 0;
  for (const HophMethod method : all()) {
    if (info(method).sketch < next) continue;  // that of the method before
    next = info(method).sketch + 1;
    named.emplace_back(
        method, info(method).competitor ? info(method).competitor->sketch : info(method).name);
  }
  return named;
}

// A full comparison knows no error, and a competitor has that of its spec: neither need be measured
// for each.
HophSetting HophMeasurements::what_matters(HophMethod method, HophSetting setting) const {
  if (method == HophMethod::kMinWise || method == HophMethod::kOph || info(method).competitor) {
    setting.error = HophSetting{}.error;
  }
  return setting;
}

void HophMeasurements::list_lines() {
  for (const HophMethod method : all()) lines_.push_back({method, {}, kPoints});
  const auto add = [&](HophMethod method, const HophSetting& setting) {
    if (what_matters(method, setting) == HophSetting{}) return;
    lines_.push_back({method, setting, kDefaultPoint + 1});
  };
  for (const std::uint32_t groups : kHophGroups) add(HophMethod::kGoph, {.groups = groups});
  for (const HophMethod method : selected()) {
    for (const std::uint32_t threshold : kHophThresholds) {
      add(method, {.threshold_permille = threshold});
    }
    for (const double error : kHophErrors) add(method, {.error = error});
  }
}

Result<EarlyStopTable> HophMeasurements::table_of(const Line& line) const {
  const auto& competitor = info(line.method).competitor;
  if (!competitor) return table_for(line.method, line.setting);
  return make_filter(
      competitor->filter,
      {.k = competitor->k, .threshold_permille = line.setting.threshold_permille, .looks = {}});
}

Status HophMeasurements::list_runs() {
  for (const Line& line : lines_) {
    TWINSIFT_TRY(EarlyStopTable table, table_of(line));
    plan_.runs.push_back({.sketch = info(line.method).sketch,
                          .table = std::move(table),
                          .threshold_permille = line.setting.threshold_permille,
                          .points = line.points});
  }
  return ok();
}

Result<HophMeasurements> HophMeasurements::make(const Workload& workload,
                                                const std::vector<Competitor>& competitors,
                                                const EvalOptions& options) {
  HophMeasurements measured;
  measured.list_methods(competitors, options.seed);
  measured.list_lines();
  TWINSIFT_TRY([[maybe_unused]] auto listed, measured.list_runs());
  for (std::uint64_t p = 1; p <= kPoints; ++p) {
    measured.plan_.points.push_back(static_cast<std::uint32_t>(workload.documents() * p / kPoints));
  }
  TWINSIFT_TRY(measured.result_, scan(workload, measured.plan_, options));
  return measured;
}

const ScanPoint& HophMeasurements::at(HophMethod method, const HophSetting& setting,
                                      std::size_t point) const {
  const auto line = std::ranges::find_if(lines_, [&](const Line& l) {
    return l.method == method && l.setting == what_matters(method, setting);
  });
  assert(line != lines_.end() && point < line->points);
  return result_.runs[static_cast<std::size_t>(line - lines_.begin())][point];
}

Result<EvalReport> measure_hoph_paper(const EvalOptions& options, std::uint32_t documents) {
  // A sketch alone is compared as that of MinWise is, in full; a filter alone takes the place of
  // that of GOPH.
  TWINSIFT_TRY(
      const std::vector<Competitor> competitors,
      make_competitors(options,
                       {.sketch = "doph1", .filter = "none", .k = kScanBins, .most_k = kMostBins}));
  if (!options.vectors.empty()) {
    return Error{ErrorCode::kInvalidArgument,
                 "paper 000 compares sets: --vectors has no place there"};
  }
  TWINSIFT_TRY(const Workload workload, Workload::make(options, documents));
  TWINSIFT_TRY(const PictureBags bags,
               load_picture_bags(options, most_pictures(options, documents)));
  const Workload pictures = picture_workload(options, bags, workload.documents());
  TWINSIFT_TRY(const HophMeasurements measured,
               HophMeasurements::make(workload, competitors, options));
  EvalReport report{
      .paper =
          "Zhang, Lin, Zhu, Yuan, Long, Huang: Hierarchical one permutation hashing: efficient "
          "multimedia near duplicate detection, 2018",
      .data = fmt::format(
          "{}. Sketches of the paper have {} bins of 64 bits, empty ones filled from others, and "
          "go "
          "through one plain loop. Ours are {} byte codes of fss1 in planes, compared with SIMD "
          "until the group-sequential bounds stop it. Response time is the processor time of one "
          "thread for all queries against all documents, without sketching.",
          workload.description(), kScanBins, kOurBins),
      .sections = {hoph_table2(), hoph_examples()}};
  for (const auto section : {hoph_figure4, hoph_figure5_speed, hoph_figure5_accuracy, hoph_figure6,
                             hoph_figure7, hoph_sketching}) {
    report.sections.push_back(section(measured));
  }
  TWINSIFT_TRY(const HophMeasurements on_pictures,
               HophMeasurements::make(pictures, competitors, options));
  report.data += fmt::format(" Fig. 8 to 11: {}.", pictures.description());
  for (EvalSection& section : hoph_picture_figures(on_pictures)) {
    report.sections.push_back(std::move(section));
  }
  TWINSIFT_TRY(EvalSection sizes, hoph_picture_sizes(pictures, on_pictures, options));
  report.sections.push_back(std::move(sizes));
  TWINSIFT_TRY(EvalSection weights, measure_picture_weights(bags, options));
  report.sections.push_back(std::move(weights));
  if (competitors.empty()) return report;
  report.data += " Added:";
  for (const Competitor& competitor : competitors)
    report.data += fmt::format(" {};", competitor.name());
  report.data +=
      " these run as the paper's do, with the errors of their own specs. What a filter leaves open "
      "counts as the exact comparison decides it, whose time does not count.";
  return report;
}

Result<EvalReport> eval_paper_000(const EvalOptions& options) {
  return measure_hoph_paper(options, options.quick ? 20'000 : 1'000'000);
}

}  // namespace twinsift
