// SPDX-License-Identifier: Apache-2.0
// The command line as data: one table of commands, one table of options.
//
// The parser, the help, the suggestions, the man pages, docs/CLI.md and the completions are all
// made from these two tables, so that they cannot disagree.  To add an option: one row of
// option_table.h, and its use in the file of its command.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "command_table.h"
#include "option_table.h"
#include "twinsift/result.h"

namespace twinsift::cli {

// What the user asked of one command.  All values have been checked against the table, so the
// accessors cannot fail; each returns `otherwise` if the option was not given.
class Arguments {
 public:
  explicit Arguments(const Command& command) : command_(&command) {}
  [[nodiscard]] const Command& command() const { return *command_; }
  [[nodiscard]] const std::vector<std::string>& operands() const { return operands_; }
  [[nodiscard]] bool given(std::string_view name) const { return values_.contains(name); }
  [[nodiscard]] bool flag(std::string_view name) const { return given(name); }
  [[nodiscard]] std::string text(std::string_view name, std::string_view otherwise) const;
  [[nodiscard]] std::vector<std::string> list(std::string_view name) const;
  [[nodiscard]] double share(std::string_view name, double otherwise) const;
  [[nodiscard]] unsigned count(std::string_view name, unsigned otherwise) const;
  [[nodiscard]] double number(std::string_view name, double otherwise) const;
  [[nodiscard]] std::uint64_t size(std::string_view name, std::uint64_t otherwise) const;
  [[nodiscard]] std::int64_t age(std::string_view name, std::int64_t otherwise) const;  // seconds

  // Adds checked values of the option: after those that are there if it repeats, else instead.
  void add(const Option& option, const std::vector<std::string>& values);

 private:
  friend class Parser;
  const Command* command_;
  std::map<std::string_view, std::vector<std::string>> values_;
  std::vector<std::string> operands_;
};

// Null if there is no such command.
const Command* find_command(std::string_view name);

// Reads what stands after the command's name.
Result<Arguments> parse(const Command& command, std::span<const std::string> words);

// The words of a kChoice option.
std::vector<std::string_view> choices(const Option& option);

// The environment variable of an option: "max-depth" -> "TWINSIFT_MAX_DEPTH".
std::string variable(const Option& option);

// The option as Arguments knows it: "json" is another word for "format".
std::string_view known_as(const Option& option);

}  // namespace twinsift::cli
