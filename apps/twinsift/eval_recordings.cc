// SPDX-License-Identifier: Apache-2.0
// twinsift eval audio|video DIR: how well attacked copies of recordings are found.
#include <fmt/format.h>

#include "commands.h"
#include "eval_images.h"
#include "json.h"
#include "output.h"
#include "report/facts.h"

namespace twinsift::cli {
namespace {

constexpr std::uint32_t kQuickOriginals = 6;
constexpr std::string_view kTwo = "two recordings are";

RecordingEvalOptions options_of(const Arguments& args, Console& console,
                                const std::stop_token& stop) {
  RecordingEvalOptions options;
  if (args.flag("quick")) options.originals = kQuickOriginals;
  const std::string half = args.text("half", "all");
  if (half != "all") options.half = half == "even" ? Half::kEven : Half::kOdd;
  options.same = args.text("same", "");
  options.output = args.text("output", "");
  options.temp_dir = args.text("temp-dir", "");
  options.threads = args.count("threads", 0);
  options.sound = args.text("sound", options.sound);
  options.film = args.text("film", options.film);
  options.callbacks.progress = [&](const Progress& progress) { console.progress(progress); };
  options.callbacks.skipped = [&](const Skipped& skipped) { tell_skipped(console, skipped); };
  options.callbacks.stop = stop;
  return options;
}

std::string row(std::string_view name, const LevelScores& scores, const PlaceScore& places) {
  return fmt::format("{:<14} {:>8.4f} {:>9.4f}  {:>8.4f} {:>9.4f}  {:>9.4f} {:>9.4f}\n", name,
                     scores.same.recall(), scores.same.precision(), scores.edited.recall(),
                     scores.edited.precision(), places.offset_ok(), places.coverage());
}

PlaceScore all_places(const RecordingEval& result) {
  PlaceScore sum;
  for (const AttackScores& attack : result.attacks) {
    sum.judged += attack.places.judged;
    sum.right += attack.places.right;
    sum.covered += attack.places.covered;
  }
  return sum;
}

std::string as_text(const RecordingEval& result) {
  std::string out = fmt::format("{} originals, {} other recordings\n\n",
                                human_count(result.originals), human_count(result.distractors));
  constexpr std::string_view kHead = "{:<14} {:>8} {:>9}  {:>8} {:>9}  {:>9} {:>9}\n";
  out += fmt::format(kHead, "", "same", "", "edited", "", "of found", "");
  out +=
      fmt::format(kHead, "", "recall", "precision", "recall", "precision", "offset ok", "covered");
  out += row("all", result.all, all_places(result)) + "\n";
  for (const AttackScores& attack : result.attacks) {
    out += row(attack.name, attack.scores, attack.places);
  }
  out += "\n";
  for (const std::string& line : confusions(result.wrong, kTwo)) out += line + "\n";
  if (!result.wrong.empty()) out += "\n";
  return out + fmt::format("seconds: {:.1f} for the copies, {:.1f} for same, {:.1f} for edited\n",
                           result.seconds_copies, result.seconds_same, result.seconds_edited);
}

std::string as_json(const RecordingEval& result) {
  JsonObject attacks;
  for (const AttackScores& attack : result.attacks) {
    attacks.raw(attack.name, JsonObject()
                                 .share("same", attack.scores.same.recall())
                                 .share("edited", attack.scores.edited.recall())
                                 .share("precision", attack.scores.edited.precision())
                                 .share("offset_ok", attack.places.offset_ok())
                                 .share("covered", attack.places.coverage())
                                 .str());
  }
  const PlaceScore places = all_places(result);
  JsonObject out;
  out.raw("same", json_of(result.all.same))
      .raw("edited", json_of(result.all.edited))
      .share("offset_ok", places.offset_ok())
      .share("covered", places.coverage())
      .raw("per_attack", attacks.str())
      .number("originals", result.originals)
      .number("distractors", result.distractors)
      .raw("seconds",
           json_of_seconds(result.seconds_copies, result.seconds_same, result.seconds_edited));
  return out.str() + "\n";
}

}  // namespace

int run_eval_recordings(const Arguments& args, Console& console, const std::stop_token& stop) {
  const RecordingEvalOptions options = options_of(args, console, stop);
  const std::string& folder = args.operands()[1];
  const auto result =
      args.operands()[0] == "video" ? eval_video(folder, options) : eval_audio(folder, options);
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
