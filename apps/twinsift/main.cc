// SPDX-License-Identifier: Apache-2.0
// The twinsift program: finds the command and runs it.
#include <cstdio>
#include <filesystem>
#include <new>

#include <fmt/format.h>

#include "base/escape.h"
#include "commands.h"
#include "help.h"
#include "output.h"
#include "settings.h"
#include "signals.h"
#include "twinsift/pipeline.h"

namespace twinsift::cli {
namespace {

// Text for people who asked for it; `twinsift help | head` is no failure.
int print(std::string_view text) {
  const SignalWatch signals([] {});
  auto output = Output::open("-");
  if (!output) return kFailed;
  output->write(text);
  return output->finish() ? kDone : kFailed;
}

int complain(std::string_view where, std::string_view message) {
  fmt::print(stderr, "twinsift{}{}: {}\nTry 'twinsift{}{} --help'.\n", where.empty() ? "" : " ",
             where, message, where.empty() ? "" : " ", where);
  return kFailed;
}

int unknown_command(const std::string& word) {
  std::error_code ignored;
  if (word.starts_with("-"))
    return complain("", fmt::format("unknown option '{}'", escape_for_terminal(word)));
  if (std::filesystem::exists(word, ignored) && find_command(word) == nullptr) {
    return complain("", fmt::format("'{0}' is not a command; did you mean 'twinsift find {0}'?",
                                    escape_for_terminal(word)));
  }
  std::vector<std::string_view> known;
  for (const Command& command : kCommands) {
    if (!command.hidden) known.push_back(command.name);
  }
  return complain("", fmt::format("'{}' is not a command{}", escape_for_terminal(word),
                                  did_you_mean(word, known)));
}

// As it could be typed into a shell again.
std::string typed(std::span<const std::string> words) {
  std::string line = "twinsift";
  for (const std::string& word : words) {
    const bool plain =
        !word.empty() &&
        word.find_first_not_of(
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+,./:@%") ==
            std::string::npos;
    line += ' ';
    if (plain) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) line += c == '\'' ? "'\\''" : std::string(1, c);
    line += '\'';
  }
  return line;
}

int print_help_for(const Arguments& args) {
  if (args.operands().empty()) return print(overview());
  const Command* topic = find_command(args.operands()[0]);
  return topic == nullptr ? unknown_command(args.operands()[0]) : print(help(*topic));
}

int print_manual(const Arguments& args) {
  if (args.flag("markdown")) return print(markdown_manual());
  if (args.operands().empty()) return print(man_page(nullptr));
  const Command* topic = find_command(args.operands()[0]);
  return topic == nullptr ? unknown_command(args.operands()[0]) : print(man_page(topic));
}

int run(const Arguments& args, const std::string& command_line) {
  switch (args.command().bit) {
    case kFind:
      return run_find(args, command_line);
    case kCompare:
      return run_compare(args);
    case kPlan:
      return run_plan(args, command_line);
    case kDedup:
      return run_dedup(args, command_line);
    case kIndex:
      return run_index(args);
    case kQuery:
      return run_query(args);
    case kApply:
      return run_apply(args, command_line);
    case kUndo:
      return run_undo(args);
    case kPurge:
      return run_purge(args);
    case kDoctor:
      return run_doctor();
    case kConfig:
      return run_config(args);
    case kTune:
      return run_tune(args);
    case kEval:
      return run_eval(args);
    case kTrain:
      return run_train(args);
    case kManual:
      return print_manual(args);
    case kCompletions: {
      const auto script = completions(args.operands()[0]);
      return script ? print(*script) : complain("completions", script.error().message);
    }
    case kHelp:
    case kPeer:
    case kEvery:
      break;
  }
  return print_help_for(args);
}

int start(std::span<const std::string> words) {
  if (words.empty()) return print(short_help());
  if (words[0] == "--help" || words[0] == "-h") return print(overview());
  if (words[0] == "--version" || words[0] == "-V")
    return print(fmt::format("twinsift {}\n", version()));
  const Command* command = find_command(words[0]);
  if (command == nullptr) return unknown_command(words[0]);
  auto args = parse(*command, words.subspan(1));
  if (!args) return complain(command->name, args.error().message);
  if (args->flag("help")) return print(help(*command));
  if (command->bit == kPeer) return run_peer(words.subspan(1));
  std::vector<std::string> notes;
  const Status configured = configure(*args, notes);
  for (const std::string& note : notes) fmt::print(stderr, "twinsift: {}\n", note);
  if (!configured) return complain(command->name, configured.error().message);
  return run(*args, typed(words));
}

}  // namespace
}  // namespace twinsift::cli

int main(int argc, char** argv) {
  try {
    const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
    return twinsift::cli::start(words);
  } catch (const std::bad_alloc&) {
    std::fputs("twinsift: out of memory; a smaller --memory makes the run use the disk\n", stderr);
    return twinsift::cli::kFailed;
  }
}
