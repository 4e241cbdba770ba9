// SPDX-License-Identifier: Apache-2.0
// The help texts, all within 80 columns, examples first: people read examples.
#include "help.h"

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>

#include "twinsift/pipeline.h"

namespace twinsift::cli {
namespace {

constexpr std::array kExitStatuses = {
    ExitStatus{"0", "finished; duplicates or none"},
    ExitStatus{"1", "near-duplicates were found and --exit-code was given"},
    ExitStatus{"2", "wrong usage, or the run could not be done"},
    ExitStatus{"3", "finished, but some items were skipped; they are listed"},
    ExitStatus{"4", "refused for safety; nothing was changed"},
    ExitStatus{"5", "some actions were skipped or failed; the others are done"},
    ExitStatus{"6", "the collection is damaged, locked, too new or none at all"},
    ExitStatus{"130, 143", "interrupted by Ctrl-C, by SIGTERM"},
};

constexpr std::string_view kEnvironment =
    "Options can also come from the environment (TWINSIFT_MAX_DEPTH=3 is --max-depth 3, and 1 "
    "turns a "
    "flag on), from .twinsift.toml in the working directory or above it, and from "
    "~/.config/twinsift/config.toml. What is typed wins over all, then the environment, then the "
    "nearer file; what changes files, as --yes, must be typed. 'twinsift config --show-origin' "
    "tells "
    "what is set.";

// The least number of insertions, deletions, replacements and swaps of neighbours.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(above.begin(), above.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    before.swap(above);
    above.swap(row);
  }
  return above[b.size()];
}

std::string example_lines(std::span<const Example> examples) {
  std::string out;
  for (const Example& example : examples) {
    if (example.command.empty()) continue;
    out += fmt::format("  {}\n", example.command);
    out += wrap(example.what, 6);
  }
  return out;
}

std::string exit_status_lines() {
  std::string out = "Exit status:\n";
  for (const ExitStatus& status : kExitStatuses) {
    out += fmt::format("  {:<9} {}\n", status.code, status.meaning);
  }
  return out;
}

std::string command_lines() {
  std::string out;
  for (const Command& command : kCommands) {
    if (!command.hidden) out += fmt::format("  {:<12} {}\n", command.name, command.summary);
  }
  return out;
}

}  // namespace

std::span<const ExitStatus> exit_statuses() { return kExitStatuses; }

std::string short_help() {
  std::string out = "Examples:\n";
  for (const Example& example :
       {kCommands[0].examples[0], kCommands[1].examples[0], kCommands[2].examples[0]}) {
    out += fmt::format("  {}\n", example.command);
  }
  out += "Commands:\n";
  for (const Command& command : {kCommands[0], kCommands[1], kCommands[2], kCommands[3]}) {
    out += fmt::format("  {:<12} {}\n", command.name, command.summary);
  }
  return out + "'twinsift help' shows everything, 'twinsift help find' one command.\n";
}

std::string overview() {
  std::string out = fmt::format(
      "twinsift {}: finds the same text in other clothes, and says why.\n\n", version());
  out += "Examples:\n" + example_lines(kCommands[0].examples);
  out += example_lines(std::span(kCommands[1].examples).first(2));
  out += example_lines(std::span(kCommands[2].examples).first(1));
  out += "\nUsage: twinsift COMMAND [OPTION]... [ARGUMENT]...\n\nCommands:\n" + command_lines();
  out +=
      "\nOptions:\n  -h, --help     Print this text; after a command, the text of that command.\n"
      "  -V, --version  Print the version.\n\n";
  out += exit_status_lines() + "\n";
  out += wrap(
      "Results go to standard output, everything else to standard error. Nothing is written but "
      "the files that -o, --pairs and --clusters name.",
      0);
  return out + wrap(kEnvironment, 0);
}

std::string help(const Command& command) {
  std::string out = fmt::format("twinsift {}: {}\n\nExamples:\n", command.name, command.summary);
  out += example_lines(command.examples);
  out += fmt::format("\nUsage: twinsift {} [OPTION]...{}{}\n\n", command.name,
                     command.operands.empty() ? "" : " ", command.operands);
  out += wrap(command.about, 0);
  for (std::size_t g = 0; g < kGroupNames.size(); ++g) {
    const auto options = options_of(command, static_cast<Group>(g));
    if (options.empty()) continue;
    out += fmt::format("\n{}:\n", kGroupNames[g]);
    for (const Option* option : options) {
      const std::string head =
          fmt::format("  {}{}", option->letter == 0 ? "    " : "", spelling(*option));
      constexpr std::size_t kColumn = 26;
      const std::string text = wrap(option->help, kColumn);
      const bool fits = head.size() + 2 <= kColumn;
      out += fits ? head + text.substr(head.size()) : head + "\n" + text;
    }
  }
  if (command.exits_by_result) out += "\n" + exit_status_lines() + "\n" + wrap(kEnvironment, 0);
  return out;
}

std::string spelling(const Option& option) {
  return fmt::format("{}--{}{}{}", option.letter == 0 ? "" : fmt::format("-{}, ", option.letter),
                     option.name, option.value.empty() ? "" : " ", option.value);
}

std::vector<const Option*> options_of(const Command& command, Group group) {
  std::vector<const Option*> found;
  for (const Option& option : kOptions) {
    if ((option.commands & command.bit) != 0 && option.group == group) found.push_back(&option);
  }
  return found;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> known,
                         std::string_view prefix) {
  std::string_view best;
  std::size_t least = word.size() / 3 + 2;  // farther away it would be a guess
  for (const std::string_view candidate : known) {
    const bool begun = word.size() >= 3 && candidate.starts_with(word);
    const std::size_t distance = begun ? 1 : edit_distance(word, candidate);
    if (distance < least && distance < candidate.size()) {
      least = distance;
      best = candidate;
    }
  }
  return best.empty() ? "" : fmt::format("; did you mean '{}{}'?", prefix, best);
}

std::string wrap(std::string_view text, std::size_t indent, std::size_t width) {
  std::string out;
  std::string line(indent, ' ');
  bool blank = true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!blank && line.size() + 1 + word.size() > width) {
      out += line + "\n";
      line.assign(indent, ' ');
      blank = true;
    }
    line += (blank ? "" : " ") + std::string(word);
    blank = false;
  }
  return out + line + "\n";
}

}  // namespace twinsift::cli
