// SPDX-License-Identifier: Apache-2.0
#include "eval/paper_000.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "eval/papers.h"
#include "verify/filter_parts.h"
#include "verify/goph.h"
#include "verify/hoph_filter.h"

namespace twinsift {
namespace {

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

// A full comparison knows no error, so that it need not be measured for each.
HophSetting what_matters(HophMethod method, HophSetting setting) {
  if (method == HophMethod::kMinWise || method == HophMethod::kOph)
    setting.error = HophSetting{}.error;
  return setting;
}

}  // namespace

void HophMeasurements::plan() {
  for (std::size_t m = 0; m < kHophMethods.size(); ++m) {
    lines_.push_back({static_cast<HophMethod>(m), {}, kPoints});
  }
  const auto add = [&](HophMethod method, const HophSetting& setting) {
    if (what_matters(method, setting) == HophSetting{}) return;
    lines_.push_back({method, setting, kDefaultPoint + 1});
  };
  for (const std::uint32_t groups : kHophGroups) add(HophMethod::kGoph, {.groups = groups});
  for (const HophMethod method : kHophSelected) {
    for (const std::uint32_t threshold : kHophThresholds) {
      add(method, {.threshold_permille = threshold});
    }
    for (const double error : kHophErrors) add(method, {.error = error});
  }
}

Result<HophMeasurements> HophMeasurements::make(const Workload& workload,
                                                const EvalOptions& options) {
  HophMeasurements measured;
  measured.plan();
  std::vector<ScanRun> runs;
  for (const Line& line : measured.lines_) {
    runs.push_back({.sketch = kHophMethods[static_cast<std::size_t>(line.method)].sketch,
                    .table = table_for(line.method, line.setting),
                    .threshold_permille = line.setting.threshold_permille,
                    .points = line.points});
  }
  std::vector<std::uint32_t> points;
  for (std::uint64_t p = 1; p <= kPoints; ++p) {
    points.push_back(static_cast<std::uint32_t>(workload.documents() * p / kPoints));
  }
  TWINSIFT_TRY(measured.result_, scan(workload, points, runs, options));
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
  TWINSIFT_TRY(const Workload workload, Workload::make(options, documents));
  TWINSIFT_TRY(const HophMeasurements measured, HophMeasurements::make(workload, options));
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
  return report;
}

Result<EvalReport> eval_paper_000(const EvalOptions& options) {
  return measure_hoph_paper(options, options.quick ? 20'000 : 1'000'000);
}

}  // namespace twinsift
