// SPDX-License-Identifier: Apache-2.0
// Completion scripts for bash, zsh and fish, from the tables of cli.h.
#include <fmt/format.h>

#include "help.h"

namespace twinsift::cli {
namespace {

std::string command_names() {
  std::string names;
  for (const Command& command : kCommands) {
    if (!command.hidden) names += fmt::format("{}{}", names.empty() ? "" : " ", command.name);
  }
  return names;
}

std::string joined_choices(const Option& option) {
  return fmt::format("{}", fmt::join(choices(option), " "));
}

// What may follow a command that takes words instead of files.
std::string operand_words(const Command& command) {
  if (command.bit == kHelp || command.bit == kConfig) return command_names();
  if (command.bit == kTune) return "pond";
  return command.bit == kCompletions ? "bash zsh fish" : "";
}

std::vector<const Option*> options_of(const Command& command) {
  std::vector<const Option*> all;
  for (const Option& option : kOptions) {
    if ((option.commands & command.bit) != 0) all.push_back(&option);
  }
  return all;
}

std::string single_quoted(std::string_view text, std::string_view quote_as) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += quote_as;
    } else {
      out += c;
    }
  }
  return out + "'";
}

std::string bash_values(const Command& command) {
  std::string out;
  for (const Option* option : options_of(command)) {
    const std::string pattern = fmt::format("{}:--{}", command.name, option->name);
    switch (option->kind) {
      case Kind::kFlag:
        break;
      case Kind::kChoice:
        out += fmt::format("    {}) COMPREPLY=($(compgen -W '{}' -- \"$word\")); return ;;\n",
                           pattern, joined_choices(*option));
        break;
      case Kind::kFolder:
        out += fmt::format("    {}) COMPREPLY=($(compgen -d -- \"$word\")); return ;;\n", pattern);
        break;
      case Kind::kFile:
        out += fmt::format(
            "    {}{}) COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n", pattern,
            option->letter == 0 ? "" : fmt::format("|{}:-{}", command.name, option->letter));
        break;
      default:
        out += fmt::format("    {}) return ;;\n", pattern);
    }
  }
  return out;
}

std::string bash() {
  std::string values;
  std::string options;
  for (const Command& command : kCommands) {
    if (command.hidden) continue;
    values += bash_values(command);
    options += fmt::format("    {}) options='", command.name);
    for (const Option* option : options_of(command)) options += fmt::format("--{} ", option->name);
    options.back() = '\'';
    const std::string operands = operand_words(command);
    if (!operands.empty()) options += fmt::format(" operands='{}'", operands);
    options += " ;;\n";
  }
  return fmt::format(R"(# bash completion for twinsift
_twinsift() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
  local command=${{COMP_WORDS[1]}} options='' operands=''
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W '{} --help --version' -- "$word"))
    return
  fi
  # bash cuts "--format=json" into three words.
  if [[ $word == = ]]; then word=''; elif [[ $before == = ]]; then before=${{COMP_WORDS[COMP_CWORD-2]}}; fi
  case $command:$before in
{}  esac
  case $command in
{}  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  elif [[ -n $operands ]]; then
    COMPREPLY=($(compgen -W "$operands" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}}
complete -o filenames -F _twinsift twinsift
)",
                     command_names(), values, options);
}

// zsh: '(-o --output)'{-o,--output}'[help]:FILE:_files'
std::string zsh_option(const Option& option) {
  std::string help;
  for (const char c : option.help) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') help += '\\';
    help += c;
  }
  std::string spec = fmt::format("[{}]", help);
  switch (option.kind) {
    case Kind::kFlag:
      break;
    case Kind::kChoice:
      spec += fmt::format(":value:({})", joined_choices(option));
      break;
    case Kind::kFile:
      spec += ":file:_files";
      break;
    case Kind::kFolder:
      spec += ":folder:_files -/";
      break;
    default:
      spec += fmt::format(":{}: ", option.value);
  }
  const std::string equals = option.kind == Kind::kFlag ? "" : "=";
  const std::string star = option.repeats ? "*" : "";
  const std::string quoted = single_quoted(spec, "'\\''");
  if (option.letter == 0) return fmt::format("'{}--{}{}'{}", star, option.name, equals, quoted);
  return fmt::format("'(-{0} --{1})'{{-{0},--{1}{2}}}{3}", option.letter, option.name, equals,
                     quoted);
}

std::string zsh() {
  std::string names;
  std::string cases;
  for (const Command& command : kCommands) {
    if (command.hidden) continue;
    names += fmt::format(
        "    {}\n", single_quoted(fmt::format("{}:{}", command.name, command.summary), "'\\''"));
    cases += fmt::format("    {})\n      _arguments -s \\\n", command.name);
    for (const Option* option : options_of(command)) {
      cases += fmt::format("        {} \\\n", zsh_option(*option));
    }
    const std::string operands = operand_words(command);
    cases += operands.empty() ? "        '*:file:_files'\n"
                              : fmt::format("        ':word:({})'\n", operands);
    cases += "      ;;\n";
  }
  return fmt::format(R"(#compdef twinsift
_twinsift() {{
  local -a commands=(
{}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{}  esac
}}
if [[ $funcstack[1] == _twinsift ]]; then _twinsift "$@"; else compdef _twinsift twinsift; fi
)",
                     names, cases);
}

std::string fish() {
  std::string out = "# fish completion for twinsift\n";
  for (const Command& command : kCommands) {
    if (command.hidden) continue;
    out += fmt::format("complete -c twinsift -f -n __fish_use_subcommand -a {} -d {}\n",
                       command.name, single_quoted(command.summary, "\\'"));
    const std::string when =
        fmt::format("complete -c twinsift -n '__fish_seen_subcommand_from {}'", command.name);
    const std::string operands = operand_words(command);
    if (!operands.empty()) out += fmt::format("{} -f -a '{}'\n", when, operands);
    for (const Option* option : options_of(command)) {
      out += fmt::format("{} -l {}", when, option->name);
      if (option->letter != 0) out += fmt::format(" -s {}", option->letter);
      if (option->kind == Kind::kChoice) out += fmt::format(" -x -a '{}'", joined_choices(*option));
      if (option->kind == Kind::kFile) out += " -r -F";
      if (option->kind == Kind::kFolder) out += " -x -a '(__fish_complete_directories)'";
      const bool plain = option->kind == Kind::kText || option->kind == Kind::kShare ||
                         option->kind == Kind::kCount || option->kind == Kind::kNumber ||
                         option->kind == Kind::kSize || option->kind == Kind::kAge ||
                         option->kind == Kind::kTime;
      if (plain) out += " -x";
      out += fmt::format(" -d {}\n", single_quoted(option->help, "\\'"));
    }
  }
  return out;
}

}  // namespace

Result<std::string> completions(std::string_view shell) {
  if (shell == "bash") return bash();
  if (shell == "zsh") return zsh();
  if (shell == "fish") return fish();
  return Error{
      ErrorCode::kInvalidArgument,
      fmt::format("'{}' is not a shell that can be helped; there are bash, zsh and fish", shell)};
}

}  // namespace twinsift::cli
