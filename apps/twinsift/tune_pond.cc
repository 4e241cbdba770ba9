// SPDX-License-Identifier: Apache-2.0
// twinsift tune pond: how many labels of how many bits a network of peers should publish.
#include "tune_pond.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "base/escape.h"
#include "input.h"
#include "json.h"
#include "report/facts.h"
#include "report/plot.h"
#include "tune/pond.h"
#include "twinsift/pipeline.h"

namespace twinsift::cli {
namespace {

// What the paper supposes where nothing was measured.
constexpr double kZipfExponent = 2;
constexpr std::uint32_t kZipfBins = 100;

struct PondTuning {
  PondLoad load;
  PondGoal goal;
  std::string law;  // where the similarities come from
  std::vector<WeightedSimilarity> similarities;
  PondPlan best;

  [[nodiscard]] PondPlan plan(std::uint32_t labels) const {
    return plan_labels(load, goal, similarities, labels);
  }
};

Error usage_error(std::string message) { return {ErrorCode::kInvalidArgument, std::move(message)}; }

Status check_options(const Arguments& args) {
  for (const std::string_view other :
       {"k", "bands", "rows", "false-positives", "false-negatives"}) {
    if (args.given(other)) {
      return usage_error(fmt::format("--{} is for bands, which pond has none of", other));
    }
  }
  for (const std::string_view needed : {"peers", "resources", "searches"}) {
    if (!args.given(needed)) {
      return usage_error(fmt::format(
          "pond needs --{}, as in: twinsift tune pond --peers 100000 --resources 8 --searches 1e6",
          needed));
    }
  }
  return ok();
}

Status read_similarities(const Arguments& args, const std::stop_token& stop, PondTuning& tuning) {
  if (!args.given("similarities")) {
    tuning.law = fmt::format("Zipf's law: the i-th of {} equal intervals has a share of i^-{}",
                             kZipfBins, kZipfExponent);
    tuning.similarities = zipf_similarities(kZipfExponent, kZipfBins);
    return ok();
  }
  const std::string path = args.text("similarities", "");
  const std::string name = escape_for_terminal(input_name(path));
  TWINSIFT_TRY(const std::string content, read_input(path, stop));
  auto parsed = parse_similarities(content);
  if (!parsed) {
    return Error{parsed.error().code, fmt::format("{}: {}", name, parsed.error().message)};
  }
  tuning.similarities = std::move(*parsed);
  tuning.law = fmt::format("{} of {}", counted(tuning.similarities.size(), "value"), name);
  return ok();
}

Result<PondTuning> choose(const Arguments& args, const std::stop_token& stop) {
  TWINSIFT_TRY([[maybe_unused]] auto checked, check_options(args));
  PondTuning tuning;
  tuning.load = {.peers = args.number("peers", 0),
                 .resources_per_peer = args.number("resources", 0),
                 .searches = args.number("searches", 0),
                 .duplicates_per_search = args.number("duplicates", 0)};
  tuning.goal = {.similarity = args.share("threshold", 0.8), .recall = args.share("recall", 0.99)};
  TWINSIFT_TRY([[maybe_unused]] auto read, read_similarities(args, stop, tuning));
  TWINSIFT_TRY(tuning.best, choose_labels(tuning.load, tuning.goal, tuning.similarities));
  return tuning;
}

// The numbers of labels near the best, and powers of two up to four times as many.
std::set<std::uint32_t> neighbourhood(std::uint32_t best) {
  constexpr std::uint32_t kNear = 4;
  std::set<std::uint32_t> labels;
  for (std::uint32_t l = best - std::min(best - 1, kNear); l <= best + kNear; ++l) labels.insert(l);
  for (std::uint32_t l = 1; l <= 4 * best; l *= 2) labels.insert(l);
  labels.erase(labels.upper_bound(kMaxLabels), labels.end());
  return labels;
}

// "924,479,172"; what is beyond all counting as a power of ten.
std::string messages_text(double messages) {
  constexpr double kCountable = 1e15;
  if (messages >= kCountable) return fmt::format("{:.3e}", messages);
  return human_count(static_cast<std::uint64_t>(std::llround(messages)));
}

// Never more than is true.
double rounded_down(double share, double digits) {
  return std::floor(share * std::pow(10, digits)) / std::pow(10, digits);
}

std::string amount(double number) {
  return number == std::floor(number) ? messages_text(number) : fmt::format("{}", number);
}

std::string as_text(const PondTuning& tuning) {
  const auto& [load, goal, law, similarities, best] = tuning;
  const double publishing = publishing_messages(load, best.labels);
  std::string out = fmt::format(
      "peers          {}\nresources      {} of each peer\nsearches       {} per period, {} "
      "near-duplicates each\nsimilarities   {}\nthreshold      {}\nrecall         {}\n",
      amount(load.peers), amount(load.resources_per_peer), amount(load.searches),
      amount(load.duplicates_per_search), law, goal.similarity, goal.recall);
  out += fmt::format("labels x bits  {} x {}\n", best.labels, best.bits);
  out += fmt::format("guarantee      P(found at {:.2f}) >= {:.3f}\n", goal.similarity,
                     rounded_down(best.found, 3));
  out += fmt::format("messages       {} per period: {} to publish, {} to search\n\n",
                     messages_text(best.messages), messages_text(publishing),
                     messages_text(best.messages - publishing));
  out += "  labels  bits  P(found)  messages per period\n";
  for (const std::uint32_t labels : neighbourhood(best.labels)) {
    const PondPlan plan = tuning.plan(labels);
    if (plan.bits == 0) {
      out += fmt::format("{:>8}     -  one bit is too many for the recall\n", labels);
      continue;
    }
    out += fmt::format("{:>8}  {:>4}  {:.6f}  {:>19}{}\n", labels, plan.bits,
                       rounded_down(plan.found, 6), messages_text(plan.messages),
                       labels == best.labels ? "  the fewest" : "");
  }
  return out;
}

std::string plan_json(const PondPlan& plan) {
  JsonObject out;
  out.number("labels", plan.labels).number("bits", plan.bits);
  if (plan.bits == 0) return out.str();
  out.share("found", rounded_down(plan.found, 6));
  return out.raw("messages", fmt::format("{:.0f}", plan.messages)).str();
}

std::string as_json(const PondTuning& tuning) {
  const auto& [load, goal, law, similarities, best] = tuning;
  const double publishing = publishing_messages(load, best.labels);
  JsonArray curve;
  for (const std::uint32_t labels : neighbourhood(best.labels)) {
    curve.add(plan_json(tuning.plan(labels)));
  }
  JsonObject out;
  out.number("v", 1)
      .text("version", version())
      .raw("peers", fmt::format("{}", load.peers))
      .raw("resources", fmt::format("{}", load.resources_per_peer))
      .raw("searches", fmt::format("{}", load.searches))
      .raw("duplicates", fmt::format("{}", load.duplicates_per_search))
      .text("similarities", law)
      .share("threshold", goal.similarity)
      .share("recall", goal.recall)
      .number("labels", best.labels)
      .number("bits", best.bits)
      .share("found", rounded_down(best.found, 6))
      .raw("messages", fmt::format("{:.0f}", best.messages))
      .raw("publishing", fmt::format("{:.0f}", publishing))
      .raw("searching", fmt::format("{:.0f}", best.messages - publishing))
      .raw("curve", curve.str());
  return out.str() + "\n";
}

// C(l) between the first and the last l at which it is at most half as much again as the least, so
// that its teeth can be seen.
std::string as_svg(const PondTuning& tuning) {
  const PondPlan& best = tuning.best;
  constexpr double kShown = 1.5;
  constexpr std::size_t kMarked = 80;  // points that do not run into each other
  PlotSeries curve{.name = "C(l), with the most bits that keep the promise"};
  std::size_t shown = 0;
  const std::uint32_t last = std::min(4 * best.labels + 16, kMaxLabels);
  for (std::uint32_t labels = 1; labels <= last; ++labels) {
    const PondPlan plan = tuning.plan(labels);
    const bool low = plan.bits > 0 && plan.messages <= kShown * best.messages;
    if (curve.points.empty() && !low) continue;
    curve.points.push_back({1.0 * labels, plan.messages});
    if (low) shown = curve.points.size();
  }
  curve.points.resize(shown);
  curve.markers = curve.points.size() <= kMarked;
  const std::string plan = fmt::format("{} labels of {} bits", best.labels, best.bits);
  return plot_file({.title = "Messages for each number of labels",
                    .x = {.label = "labels l"},
                    .y = {.label = "messages per period"},
                    .series = {curve,
                               {.name = "the fewest: " + messages_text(best.messages),
                                .points = {{1.0 * best.labels, best.messages}},
                                .line = false}},
                    .rules = {{1.0 * best.labels, plan}}});
}

}  // namespace

Result<Tuned> tune_pond(const Arguments& args, const std::stop_token& stop) {
  TWINSIFT_TRY(const PondTuning tuning, choose(args, stop));
  const bool json = args.text("format", "text") == "json";
  return Tuned{json ? as_json(tuning) : as_text(tuning), args.given("plot") ? as_svg(tuning) : ""};
}

}  // namespace twinsift::cli
