// SPDX-License-Identifier: Apache-2.0
#include "eval_images.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/escape.h"
#include "commands.h"
#include "json.h"
#include "output.h"
#include "report/facts.h"
#include "twinsift/eval.h"

namespace twinsift::cli {
namespace {

constexpr std::uint32_t kQuickOriginals = 20;
constexpr std::size_t kShownConfusions = 20;
constexpr std::string_view kTwo = "two photos show";

ImageEvalOptions options_of(const Arguments& args, Console& console, const std::stop_token& stop) {
  ImageEvalOptions options;
  if (args.flag("quick")) options.originals = kQuickOriginals;
  const std::string half = args.text("half", "all");
  if (half != "all") options.half = half == "even" ? Half::kEven : Half::kOdd;
  options.same = args.text("same", "");
  options.output = args.text("output", "");
  options.temp_dir = args.text("temp-dir", "");
  options.threads = args.count("threads", 0);
  options.callbacks.progress = [&](const Progress& progress) { console.progress(progress); };
  options.callbacks.skipped = [&](const Skipped& skipped) { tell_skipped(console, skipped); };
  options.callbacks.stop = stop;
  return options;
}

std::string row(std::string_view name, const LevelScores& scores) {
  return fmt::format("{:<12} {:>8.4f} {:>9.4f}  {:>8.4f} {:>9.4f}\n", name, scores.same.recall(),
                     scores.same.precision(), scores.edited.recall(), scores.edited.precision());
}

std::string confusion(const WrongMatch& match) {
  return fmt::format("{:<6} {:>2}  {}  {}", match.level, match.copies,
                     escape_for_terminal(match.original), escape_for_terminal(match.other));
}

std::string as_text(const ImageEval& result) {
  std::string out = fmt::format("{} originals, {} other photos\n\n", human_count(result.originals),
                                human_count(result.distractors));
  out += fmt::format("{:<12} {:>8} {:>9}  {:>8} {:>9}\n", "", "same", "", "edited", "");
  out += fmt::format("{:<12} {:>8} {:>9}  {:>8} {:>9}\n", "", "recall", "precision", "recall",
                     "precision");
  out += row("standard", result.standard) + row("hard", result.hard) + "\n";
  for (const bool hard : {false, true}) {
    for (const VersionScores& version : result.versions) {
      if (version.hard == hard) out += row(version.name, version.scores);
    }
    out += "\n";
  }
  for (const std::string& line : confusions(result.wrong, kTwo)) out += line + "\n";
  if (!result.wrong.empty()) out += "\n";
  return out + fmt::format("seconds: {:.1f} for the copies, {:.1f} for same, {:.1f} for edited\n",
                           result.seconds_copies, result.seconds_same, result.seconds_edited);
}

std::string json_of_sets(const CopyScore& standard, const CopyScore& hard) {
  return JsonObject().raw("standard", json_of(standard)).raw("hard", json_of(hard)).str();
}

std::string as_json(const ImageEval& result) {
  JsonObject versions;
  for (const VersionScores& version : result.versions) {
    versions.raw(version.name, JsonObject()
                                   .share("same", version.scores.same.recall())
                                   .share("edited", version.scores.edited.recall())
                                   .str());
  }
  JsonObject out;
  out.raw("same", json_of_sets(result.standard.same, result.hard.same))
      .raw("edited", json_of_sets(result.standard.edited, result.hard.edited))
      .raw("per_transform", versions.str())
      .number("originals", result.originals)
      .number("distractors", result.distractors)
      .raw("seconds",
           json_of_seconds(result.seconds_copies, result.seconds_same, result.seconds_edited));
  return out.str() + "\n";
}

}  // namespace

std::vector<std::string> confusions(const std::vector<WrongMatch>& wrong, std::string_view two) {
  std::vector<std::string> lines;
  if (wrong.empty()) return lines;
  lines.push_back(
      fmt::format("wrong, unless the {} the same (level, copies, original, other):", two));
  const std::size_t shown = std::min(wrong.size(), kShownConfusions);
  for (std::size_t i = 0; i < shown; ++i) lines.push_back(confusion(wrong[i]));
  if (shown < wrong.size()) {
    lines.push_back(fmt::format("and {} more; with -o DIR all are in wrong.tsv",
                                human_count(wrong.size() - shown)));
  }
  return lines;
}

std::string json_of(const CopyScore& score) {
  return JsonObject().share("recall", score.recall()).share("precision", score.precision()).str();
}

std::string json_of_seconds(double copies, double same, double edited) {
  const auto number = [](double value) { return fmt::format("{:.3f}", value); };
  return JsonObject()
      .raw("copies", number(copies))
      .raw("same", number(same))
      .raw("edited", number(edited))
      .str();
}

int run_eval_images(const Arguments& args, Console& console, const std::stop_token& stop) {
  const auto result = eval_images(args.operands()[1], options_of(args, console, stop));
  if (!result) return fail(console, result.error());
  console.clear();
  for (const std::string& note : result->notes) console.note(note);
  const bool json = args.text("format", "text") == "json";
  if (json) {
    for (const std::string& line : confusions(result->wrong, kTwo)) console.note(line);
  }
  const Status written = write_whole("-", json ? as_json(*result) : as_text(*result));
  if (!written) return fail(console, written.error());
  return finished(args, false, !result->skipped.empty());
}

}  // namespace twinsift::cli
