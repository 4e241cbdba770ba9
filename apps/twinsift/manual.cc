// SPDX-License-Identifier: Apache-2.0
// The man pages (roff with the man macros) and docs/CLI.md, both from the tables of cli.h.
#include <fmt/format.h>

#include "help.h"
#include "twinsift/pipeline.h"

namespace twinsift::cli {
namespace {

// Makes text plain to roff: no escapes, no requests, and hyphens that can be copied as typed.
std::string roff(std::string_view text) {
  std::string out;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) out += "\\&";
    line_begins = c == '\n';
    switch (c) {
      case '\\':
        out += "\\e";
        break;
      case '-':
        out += "\\-";
        break;
      case '\'':
        out += "\\(aq";
        break;
      case '`':
        out += "\\(ga";
        break;
      case '~':
        out += "\\(ti";
        break;
      case '^':
        out += "\\(ha";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string page_name(const Command* command) {
  return command == nullptr ? "twinsift" : fmt::format("twinsift-{}", command->name);
}

std::string heading(const Command* command, std::string_view summary) {
  std::string upper = page_name(command);
  for (char& c : upper) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  // No date: pages must be the same for every build of the same sources.
  return fmt::format(".TH {} 1 \"\" \"twinsift {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n",
                     upper, version(), roff(page_name(command)), roff(summary));
}

std::string roff_examples(const Command& command) {
  std::string out = ".SH EXAMPLES\n";
  for (const Example& example : command.examples) {
    if (example.command.empty()) continue;
    out += fmt::format("{}\n.PP\n.RS\n.nf\n{}\n.fi\n.RE\n.PP\n", roff(example.what),
                       roff(example.command));
  }
  return out;
}

std::string roff_exit_statuses() {
  std::string out = ".SH EXIT STATUS\n";
  for (const ExitStatus& status : exit_statuses()) {
    out += fmt::format(".TP\n.B {}\n{}\n", roff(status.code), roff(status.meaning));
  }
  return out;
}

std::string roff_options(const Command& command) {
  std::string out = ".SH OPTIONS\n";
  for (std::size_t g = 0; g < kGroupNames.size(); ++g) {
    const auto options = options_of(command, static_cast<Group>(g));
    if (options.empty()) continue;
    out += fmt::format(".SS \"{}\"\n", kGroupNames[g]);
    for (const Option* option : options) {
      out += fmt::format(".TP\n.B {}\n{}\n", roff(spelling(*option)), roff(option->help));
    }
  }
  return out;
}

std::string main_page() {
  std::string out = heading(nullptr, "find the same text in other clothes");
  out +=
      ".SH SYNOPSIS\n.B twinsift\n.I COMMAND\n[\\fIOPTION\\fR]... [\\fIARGUMENT\\fR]...\n"
      ".SH DESCRIPTION\nFinds files and documents that are nearly the same, says how alike they "
      "are and why.\nEvery reported pair was compared exactly.\n.SH COMMANDS\n";
  std::string pages;
  for (const Command& command : kCommands) {
    if (command.hidden) continue;
    out += fmt::format(".TP\n.B {}\n{}\n", roff(command.name), roff(command.summary));
    pages += fmt::format("{}.BR {} (1)", pages.empty() ? "" : ",\n", roff(page_name(&command)));
  }
  out +=
      ".SH OPTIONS\n.TP\n.B \\-h, \\-\\-help\nPrint the help; after a command, that of the "
      "command.\n.TP\n.B \\-V, \\-\\-version\nPrint the version.\n";
  out += roff_exit_statuses();
  out +=
      ".SH ENVIRONMENT\n.TP\n.B TWINSIFT_\\fIOPTION\\fR\nThe value of an option that is not given, "
      "as in TWINSIFT_MAX_DEPTH=3 for \\-\\-max\\-depth 3; 1 turns a flag on.\n.TP\n.B "
      "TWINSIFT_CONFIG\nA file to read instead of the user's own.\n.TP\n.B NO_COLOR\n"
      "If not empty, no colours unless \\-\\-color always is given.\n.TP\n.B TMPDIR\nWhere "
      "temporary files go.\n";
  out +=
      ".SH FILES\n.TP\n.I .twinsift.toml\nOptions for a folder and all below it; nothing that acts "
      "or "
      "writes.\n.TP\n.I $XDG_CONFIG_HOME/twinsift/config.toml\nThe user's own options; the default "
      "of "
      "the variable is ~/.config.\n";
  out +=
      ".SH SIGNALS\nSIGINT and SIGTERM end a run cleanly, a second one at once; SIGUSR1 makes it "
      "say where it is.\n";
  return out + ".SH SEE ALSO\n" + pages + "\n";
}

std::string markdown_section(const Command& command) {
  std::string out = fmt::format("## twinsift {}\n\n{}\n", command.name, wrap(command.about, 0, 99));
  out += fmt::format("    twinsift {}{}{}\n\n", command.name, command.operands.empty() ? "" : " ",
                     command.operands);
  for (const Example& example : command.examples) {
    if (!example.command.empty()) {
      out += fmt::format("* {}\n  `{}`\n", example.what, example.command);
    }
  }
  out += "\n| Option | Meaning |\n|---|---|\n";
  for (std::size_t g = 0; g < kGroupNames.size(); ++g) {
    for (const Option* option : options_of(command, static_cast<Group>(g))) {
      std::string cell = spelling(*option);
      for (std::size_t at = 0; (at = cell.find('|', at)) != std::string::npos; at += 2) {
        cell.replace(at, 1, "\\|");  // a bar would end the cell, even inside of code
      }
      out += fmt::format("| `{}` | {} |\n", cell, option->help);
    }
  }
  return out + "\n";
}

}  // namespace

std::string man_page(const Command* command) {
  if (command == nullptr) return main_page();
  std::string out = heading(command, command->summary);
  out += fmt::format(".SH SYNOPSIS\n.B twinsift {}\n[\\fIOPTION\\fR]... {}\n", roff(command->name),
                     roff(command->operands));
  out += fmt::format(".SH DESCRIPTION\n{}\n", roff(command->about));
  out += roff_examples(*command) + roff_options(*command);
  if (command->exits_by_result) out += roff_exit_statuses();
  return out + ".SH SEE ALSO\n.BR twinsift (1)\n";
}

std::string markdown_manual() {
  std::string out =
      "# The command line\n\nMade by `twinsift manual --markdown`; a test keeps it up to date.\n\n"
      "Results go to standard output, everything else to standard error. Options can also come\n"
      "from the environment (`TWINSIFT_MAX_DEPTH=3` is `--max-depth 3`, and 1 turns a flag on) "
      "and\n"
      "from [configuration files](CONFIG.md). What is typed wins.\n\n| Exit status | Meaning "
      "|\n|---|---|\n";
  for (const ExitStatus& status : exit_statuses()) {
    out += fmt::format("| {} | {} |\n", status.code, status.meaning);
  }
  out += "\n";
  for (const Command& command : kCommands) {
    if (!command.hidden) out += markdown_section(command);
  }
  out.pop_back();
  return out;
}

}  // namespace twinsift::cli
