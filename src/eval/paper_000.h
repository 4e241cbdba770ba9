// SPDX-License-Identifier: Apache-2.0
// The HOPH paper in parts: what can be computed exactly, what is measured, and its figures.
//
// The queries are compared with all documents by every algorithm of the paper, by ours, and by
// those that the user adds, at five numbers of documents; thresholds, errors and groups other than
// the paper's defaults only up to the third, as there.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "eval/competitors.h"
#include "eval/report.h"
#include "eval/scan.h"
#include "twinsift/eval.h"
#include "twinsift/result.h"

namespace twinsift {

enum class HophMethod : std::uint32_t { kMinWise, kOph, kGoph, kHoph11, kHoph12, kHoph21, kOurs };
inline constexpr std::size_t kHophMethods = 7;  // competitors have the numbers from here on

struct HophSetting {
  std::uint32_t threshold_permille = 700;
  double error = 1e-4;
  std::uint32_t groups = 10;  // of GOPH
  friend bool operator==(const HophSetting&, const HophSetting&) = default;
};

inline constexpr std::array<std::uint32_t, 8> kHophGroups = {2, 4, 5, 8, 10, 20, 25, 50};
inline constexpr std::array<std::uint32_t, 5> kHophThresholds = {500, 600, 700, 800, 900};
inline constexpr std::array<double, 3> kHophErrors = {1e-3, 1e-4, 1e-5};
inline constexpr std::array<HophMethod, 4> kHophSelected = {HophMethod::kMinWise, HophMethod::kGoph,
                                                            HophMethod::kHoph11, HophMethod::kOurs};

class HophMeasurements {
 public:
  static constexpr std::size_t kPoints = 5;
  static constexpr std::size_t kDefaultPoint = 2;

  static Result<HophMeasurements> make(const Workload& workload,
                                       const std::vector<Competitor>& competitors,
                                       const EvalOptions& options);

  // The paper's, ours, and the competitors; and what is compared at other thresholds and errors.
  [[nodiscard]] std::vector<HophMethod> all() const;
  [[nodiscard]] std::vector<HophMethod> selected() const;
  [[nodiscard]] const std::string& name(HophMethod method) const { return info(method).name; }
  // All that have sketches of their own, under the names of these.
  [[nodiscard]] std::vector<std::pair<HophMethod, std::string>> sketches() const;

  // Requires: it was measured.
  [[nodiscard]] const ScanPoint& at(HophMethod method, const HophSetting& setting,
                                    std::size_t point = kDefaultPoint) const;
  [[nodiscard]] double sketch_seconds(HophMethod method) const {
    return result_.sketch_seconds[info(method).sketch];
  }

 private:
  struct Line {
    HophMethod method;
    HophSetting setting;
    std::size_t points;
  };
  struct Info {
    std::string name;
    std::size_t sketch = 0;  // its place in plan_.sketches
    std::optional<Competitor> competitor{};
  };
  void list_methods(const std::vector<Competitor>& competitors, std::uint64_t seed);
  void list_lines();
  Status list_runs();
  [[nodiscard]] Result<EarlyStopTable> table_of(const Line& line) const;
  [[nodiscard]] HophSetting what_matters(HophMethod method, HophSetting setting) const;
  [[nodiscard]] const Info& info(HophMethod method) const {
    return methods_[static_cast<std::size_t>(method)];
  }
  std::vector<Info> methods_;
  std::vector<Line> lines_;
  ScanPlan plan_;
  ScanResult result_;
};

// Exact.
EvalSection hoph_table2();
EvalSection hoph_examples();

// Measured.
EvalSection hoph_figure4(const HophMeasurements& measured);
EvalSection hoph_figure5_speed(const HophMeasurements& measured);
EvalSection hoph_figure5_accuracy(const HophMeasurements& measured);
EvalSection hoph_figure6(const HophMeasurements& measured);
EvalSection hoph_figure7(const HophMeasurements& measured);
EvalSection hoph_sketching(const HophMeasurements& measured);

// Fig. 8 to 11 are Fig. 4 to 7 with pictures.
std::vector<EvalSection> hoph_picture_figures(const HophMeasurements& measured);

// How far estimates by sketches of a kind ("doph1") and size are off, over pairs of a query and a
// document, of similarity 0.2 or more but not equal, and five seeds.
struct SketchWorth {
  double error = 0;  // root of the mean square
  double bins = 0;   // so many independent components, of variance J (1 - J) each, have this error
};
// Requires: there is such a pair.
Result<SketchWorth> sketch_worth(const std::string& kind, std::uint32_t k,
                                 const Workload& workload);

// What k is worth with sets of the size of pictures.  kCancelled.
Result<EvalSection> hoph_picture_sizes(const Workload& pictures, const HophMeasurements& measured,
                                       const EvalOptions& options);

// All of it, with so many documents at most, and a fourth as many made-up pictures, or those of
// options.images.
Result<EvalReport> measure_hoph_paper(const EvalOptions& options, std::uint32_t documents);

}  // namespace twinsift
