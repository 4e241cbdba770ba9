// SPDX-License-Identifier: Apache-2.0
// twinsift eval: the tables and figures of a paper, measured again, or copies of photos and
// recordings.
#include "twinsift/eval.h"

#include <algorithm>
#include <initializer_list>

#include <fmt/format.h>

#include "base/escape.h"
#include "commands.h"
#include "eval_images.h"
#include "signals.h"

namespace twinsift::cli {
namespace {

// The first of the options that was given although it is for something else; empty if none was.
std::string_view misplaced(const Arguments& args, std::initializer_list<std::string_view> options) {
  const auto* found =
      std::ranges::find_if(options, [&](std::string_view name) { return args.given(name); });
  return found == options.end() ? std::string_view() : *found;
}

}  // namespace

int run_eval(const Arguments& args) {
  Console console(!args.flag("quiet") && !args.flag("no-progress"), args.flag("quiet"));
  const SignalWatch signals([&] { console.status(); });
  const std::string& what = args.operands()[0];
  const bool recordings = what == "audio" || what == "video";
  if (what != "paper" && what != "images" && !recordings) {
    return fail(console,
                {ErrorCode::kInvalidArgument,
                 "what can be evaluated is a paper, images, audio or video: try 'twinsift eval "
                 "paper 003' or 'twinsift eval images DIR'"});
  }
  const std::string_view wrong =
      what == "paper"
          ? misplaced(args,
                      {"half", "same", "format", "json", "threads", "temp-dir", "sound", "film"})
          : misplaced(args, {"corpus", "seed", "sketch", "filter", "part", "recordings", "model",
                             "backbone", "labelled", "asked", what == "audio" ? "film" : "sound",
                             what == "video" ? "sound" : "film"});
  if (!wrong.empty()) {
    return fail(console, {ErrorCode::kInvalidArgument,
                          fmt::format("'eval {}' has no option --{}", what, wrong)});
  }
  if (recordings) return run_eval_recordings(args, console, signals.token());
  if (what == "images") return run_eval_images(args, console, signals.token());
  const std::string& paper = args.operands()[1];
  const std::string directory = args.text("output", "eval-" + paper);
  EvalOptions options;
  options.quick = args.flag("quick");
  options.corpus = args.text("corpus", "");
  options.images = args.text("images", "");
  options.vectors = args.text("vectors", "");
  options.recordings = args.text("recordings", "");
  options.models = args.list("model");
  options.backbone = args.text("backbone", "");
  options.labelled = args.text("labelled", "");
  options.asked = args.text("asked", "");
  options.part = args.text("part", "");
  options.seed = args.count("seed", 1);
  options.sketches = args.list("sketch");
  options.filters = args.list("filter");
  options.stop = signals.token();
  options.progress = [&](std::string_view table) {
    console.progress({.stage = "measuring", .current = table});
  };
  const auto claims = eval_paper(paper, directory, options);
  if (!claims) return fail(console, claims.error());
  console.clear();
  std::string out;
  for (const EvalClaim& claim : *claims) {
    out += fmt::format("{} {}\n    {}\n", claim.holds ? "holds         " : "does not hold ",
                       claim.title, claim.verdict);
  }
  out += fmt::format("\nTables and page: {}/index.html\n", escape_for_terminal(directory));
  fmt::print("{}", out);
  return kDone;
}

}  // namespace twinsift::cli
