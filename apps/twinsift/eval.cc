// SPDX-License-Identifier: Apache-2.0
// twinsift eval paper NUMBER: the tables and figures of a paper, measured again.
#include "twinsift/eval.h"

#include <fmt/format.h>

#include "base/escape.h"
#include "commands.h"
#include "signals.h"

namespace twinsift::cli {

int run_eval(const Arguments& args) {
  Console console(!args.flag("quiet") && !args.flag("no-progress"), args.flag("quiet"));
  const SignalWatch signals([&] { console.status(); });
  if (args.operands()[0] != "paper") {
    return fail(console, {ErrorCode::kInvalidArgument,
                          "what can be evaluated is a paper: try 'twinsift eval paper 003'"});
  }
  const std::string& paper = args.operands()[1];
  const std::string directory = args.text("output", "eval-" + paper);
  EvalOptions options;
  options.quick = args.flag("quick");
  options.corpus = args.text("corpus", "");
  options.images = args.text("images", "");
  options.vectors = args.text("vectors", "");
  options.seed = args.count("seed", 1);
  options.sketches = args.list("sketch");
  options.filters = args.list("filter");
  options.stop = signals.token();
  options.progress = [&](std::string_view what) {
    console.progress({.stage = "measuring", .current = what});
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
