// SPDX-License-Identifier: Apache-2.0
// twinsift-peer: 'twinsift peer', as a program of its own, because OpenDHT is under the GPL and
// nothing else of twinsift is.
#include <array>
#include <cstdio>
#include <new>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/escape.h"
#include "commands.h"
#include "help.h"
#include "peer_commands.h"
#include "settings.h"

namespace twinsift::cli {
namespace {

struct Action {
  std::string_view name;
  bool item;  // takes one
  int (*run)(const Arguments&, Console&);
};
constexpr std::array kActions = {
    Action{"start", false, peer_start},     Action{"query", true, peer_query},
    Action{"publish", false, peer_publish}, Action{"status", false, peer_status},
    Action{"stop", false, peer_stop},
};

int complain(std::string_view message) {
  fmt::print(stderr, "twinsift peer: {}\nTry 'twinsift peer --help'.\n", message);
  return kFailed;
}

int act(const Arguments& args) {
  const std::string& name = args.operands().front();
  for (const Action& action : kActions) {
    if (action.name != name) continue;
    const std::size_t items = args.operands().size() - 1;
    if (items < (action.item ? 1U : 0U)) return complain("'peer query' needs an ITEM");
    if (items > (action.item ? 1U : 0U)) {
      return complain(fmt::format("'peer {}' takes no further word: '{}'", name,
                                  escape_for_terminal(args.operands().back())));
    }
    Console console(false, args.flag("quiet"));
    return action.run(args, console);
  }
  std::vector<std::string_view> known;
  for (const Action& action : kActions) known.push_back(action.name);
  return complain(fmt::format("'{}' is nothing that a peer does{}", escape_for_terminal(name),
                              did_you_mean(name, known)));
}

int start(std::span<const std::string> words) {
  const Command* command = find_command("peer");
  auto args = parse(*command, words);
  if (!args) return complain(args.error().message);
  if (args->flag("help")) {
    fmt::print("{}", help(*command));
    return kDone;
  }
  std::vector<std::string> notes;
  const Status configured = configure(*args, notes);
  for (const std::string& note : notes) fmt::print(stderr, "twinsift: {}\n", note);
  return configured ? act(*args) : complain(configured.error().message);
}

}  // namespace
}  // namespace twinsift::cli

int main(int argc, char** argv) {
  try {
    const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
    return twinsift::cli::start(words);
  } catch (const std::bad_alloc&) {
    std::fputs("twinsift: out of memory\n", stderr);
    return twinsift::cli::kFailed;
  }
}
