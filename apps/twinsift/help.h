// SPDX-License-Identifier: Apache-2.0
// Help, manual, completions and suggestions: everything that is said about the tables of cli.h.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli.h"

namespace twinsift::cli {

struct ExitStatus {
  std::string_view code;
  std::string_view meaning;
};
std::span<const ExitStatus> exit_statuses();

// Ten lines that begin with three examples: what `twinsift` alone prints.
std::string short_help();
std::string overview();                    // twinsift --help
std::string help(const Command& command);  // twinsift COMMAND --help

// The page of a command as roff; of the whole program if `command` is null.
std::string man_page(const Command* command);
std::string markdown_manual();

// A script for "bash", "zsh" or "fish".
Result<std::string> completions(std::string_view shell);

// "-o, --output FILE"
std::string spelling(const Option& option);

// The options of a command that belong to a group, in the order of the table.
std::vector<const Option*> options_of(const Command& command, Group group);

// "; did you mean '--threshold'?", or nothing if no known word is near.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> known,
                         std::string_view prefix = "");

// Breaks text at blanks into lines of at most `width` columns, each after `indent` blanks.
std::string wrap(std::string_view text, std::size_t indent, std::size_t width = 79);

}  // namespace twinsift::cli
