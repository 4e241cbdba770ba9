// SPDX-License-Identifier: Apache-2.0
// twinsift tune: what the two dials lead to.
#include "tune/tune.h"

#include <cmath>

#include <fmt/format.h>

#include "base/escape.h"
#include "commands.h"
#include "json.h"
#include "output.h"
#include "report/facts.h"
#include "report/plot.h"
#include "signals.h"
#include "tune/banding_area.h"
#include "tune_pond.h"
#include "twinsift/pipeline.h"

namespace twinsift::cli {
namespace {

struct Tuning {
  double threshold = 0;
  double recall = 0;
  SketchPlan plan;

  [[nodiscard]] double found(double similarity) const {
    return banding_probability(similarity, plan.banding.bands, plan.banding.rows);
  }
  // As src/sketch/table.h and the columns of keys have them.
  [[nodiscard]] std::uint64_t key_bytes() const { return 4 * std::uint64_t{plan.banding.bands}; }
};

Error usage_error(std::string message) { return {ErrorCode::kInvalidArgument, std::move(message)}; }

Result<SketchPlan> judge(const Arguments& args, double threshold) {
  const unsigned bands = args.count("bands", 0);
  const unsigned rows = args.count("rows", 0);
  const unsigned used = bands * rows;  // neither is above 4096
  const unsigned k = args.count("k", used);
  if (used == 0) return usage_error("--bands and --rows are both needed, each at least 1");
  if (k > kMaxSketchSize) {
    return usage_error(
        fmt::format("{} bands of {} rows take {} components, but a sketch has {} at most", bands,
                    rows, used, kMaxSketchSize));
  }
  if (used > k) {
    return usage_error(
        fmt::format("{} bands of {} rows take {} components, but --k is {}", bands, rows, used, k));
  }
  return SketchPlan{k, rate_banding(threshold, k, bands, rows)};
}

Result<Tuning> tune(const Arguments& args) {
  Tuning tuning{
      .threshold = args.share("threshold", 0.8), .recall = args.share("recall", 0.99), .plan = {}};
  const double needed = tuning.recall + kEarlyStopLoss;  // as in a run
  if (args.given("bands") || args.given("rows")) {
    TWINSIFT_TRY(tuning.plan, judge(args, tuning.threshold));
  } else if (args.given("false-positives") || args.given("false-negatives")) {
    constexpr unsigned kUsual = 128;
    tuning.plan.k = args.count("k", kUsual);
    const AreaWeights weights{.false_positives = args.share("false-positives", 0.5),
                              .false_negatives = args.share("false-negatives", 0.5)};
    TWINSIFT_TRY(tuning.plan.banding,
                 choose_banding_by_areas(tuning.threshold, tuning.plan.k, weights));
  } else if (args.given("k")) {
    tuning.plan.k = args.count("k", 0);
    TWINSIFT_TRY(tuning.plan.banding, choose_banding(tuning.threshold, needed, tuning.plan.k));
  } else {
    TWINSIFT_TRY(tuning.plan, choose_sketch_size(tuning.threshold, needed, kLargestChosenSketch));
  }
  return tuning;
}

// "P(found at 0.80) >= 0.991", as every run prints it.
std::string promise(const Tuning& tuning) {
  const std::string line = guarantee_line(tuning.plan, tuning.threshold);
  return line.substr(line.find("P("));
}

// Never more than is true.
double rounded_down(double share, double digits) {
  return std::floor(share * std::pow(10, digits)) / std::pow(10, digits);
}

std::string as_text(const Tuning& tuning) {
  const auto& [k, banding] = tuning.plan;
  const bool kept = banding.found >= tuning.recall;
  std::string out =
      fmt::format("threshold      {}\nrecall         {}\n", tuning.threshold, tuning.recall);
  out += fmt::format("sketch         {} components\n", human_count(k));
  out += fmt::format("bands x rows   {} x {}\n", banding.bands, banding.rows);
  out +=
      fmt::format("guarantee      {}{}\n", promise(tuning), kept ? "" : ", less than the recall");
  out += fmt::format(
      "candidates     {} of a million pairs, though below the threshold\n",
      human_count(static_cast<std::uint64_t>(std::lround(banding.expected_candidates * 1e6))));
  out += fmt::format("memory         {} for each document: {} of sketch, {} of keys\n\n",
                     counted(k + tuning.key_bytes(), "byte"), k, tuning.key_bytes());
  out += "similarity   P(found)\n";
  for (int tenths = 1; tenths <= 10; ++tenths) {
    constexpr int kBar = 40;
    const double found = tuning.found(tenths / 10.0);
    const std::string bar(static_cast<std::size_t>(std::lround(found * kBar)), '#');
    const std::string row =
        fmt::format("{:>10.1f}   {:.6f}   {}", tenths / 10.0, rounded_down(found, 6), bar);
    out += row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
  }
  return out;
}

std::string as_json(const Tuning& tuning) {
  const auto& [k, banding] = tuning.plan;
  JsonArray curve;
  for (int tenths = 1; tenths <= 10; ++tenths) {
    const double similarity = tenths / 10.0;
    curve.add(JsonObject()
                  .share("similarity", similarity)
                  .share("found", rounded_down(tuning.found(similarity), 6))
                  .str());
  }
  JsonObject out;
  out.number("v", 1)
      .text("version", version())
      .share("threshold", tuning.threshold)
      .share("recall", tuning.recall)
      .number("k", k)
      .number("bands", banding.bands)
      .number("rows", banding.rows)
      .share("found", rounded_down(banding.found, 6))
      .raw("expected_candidates", fmt::format("{:.3e}", banding.expected_candidates))
      .number("bytes_per_document", k + tuning.key_bytes())
      .raw("curve", curve.str());
  return out.str() + "\n";
}

std::string as_svg(const Tuning& tuning) {
  const auto& [k, banding] = tuning.plan;
  PlotSeries curve{.name = fmt::format("P(s) = 1 - (1 - s^{})^{}", banding.rows, banding.bands),
                   .markers = false};
  constexpr int kPoints = 200;
  for (int i = 0; i <= kPoints; ++i) {
    const double s = static_cast<double>(i) / kPoints;
    curve.points.push_back({s, tuning.found(s)});
  }
  const PlotSeries guarantee{
      .name = promise(tuning), .points = {{tuning.threshold, banding.found}}, .line = false};
  return plot_file(
      {.title = fmt::format("Pairs found by {} bands of {} rows", banding.bands, banding.rows),
       .x = {.label = "similarity", .low = 0, .high = 1},
       .y = {.label = "probability of being found", .low = 0, .high = 1},
       .series = {curve, guarantee},
       .rules = {{tuning.threshold, fmt::format("threshold {}", tuning.threshold)}},
       .bands = {{tuning.threshold, 1, "near-duplicates"}}});
}

// What belongs to pond must not be passed over in silence.
Status check_options(const Arguments& args) {
  for (const std::string_view other :
       {"peers", "resources", "searches", "duplicates", "similarities"}) {
    if (args.given(other)) {
      return usage_error(
          fmt::format("--{} is for a network of peers: say 'twinsift tune pond'", other));
    }
  }
  return ok();
}

Result<Tuned> tune_bands(const Arguments& args) {
  TWINSIFT_TRY([[maybe_unused]] auto checked, check_options(args));
  TWINSIFT_TRY(const Tuning tuning, tune(args));
  const bool json = args.text("format", "text") == "json";
  return Tuned{json ? as_json(tuning) : as_text(tuning), args.given("plot") ? as_svg(tuning) : ""};
}

}  // namespace

int run_tune(const Arguments& args) {
  Console console(false, false);
  const SignalWatch signals([&] { console.status(); });
  const std::string plot = args.text("plot", "");
  if (plot == "-") {
    return fail(console,
                usage_error("--plot needs the name of a file; the table goes to standard output"));
  }
  const bool pond = !args.operands().empty();
  if (pond && args.operands()[0] != "pond") {
    return fail(console, usage_error(fmt::format("'{}' cannot be tuned; only pond can be named",
                                                 escape_for_terminal(args.operands()[0]))));
  }
  if (is_one_of(plot, {args.text("similarities", "")})) return refuse(console, plot);
  const auto tuned = pond ? tune_pond(args, signals.token()) : tune_bands(args);
  if (!tuned) return fail(console, tuned.error());
  if (!plot.empty()) {
    const Status drawn = write_whole(plot, tuned->plot);
    if (!drawn) return fail(console, drawn.error());
  }
  const Status written = write_whole("-", tuned->table);
  return written ? kDone : fail(console, written.error());
}

}  // namespace twinsift::cli
