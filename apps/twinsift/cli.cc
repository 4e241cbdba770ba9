// SPDX-License-Identifier: Apache-2.0
// The parser of the command line: strict, so that a typo is never taken for something else.
#include "cli.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "base/escape.h"
#include "base/moment.h"
#include "help.h"
#include "values.h"

namespace twinsift::cli {
namespace {

Error usage_error(std::string message) { return {ErrorCode::kInvalidArgument, std::move(message)}; }

const Option* find_option(const Command& command, std::string_view name) {
  const auto* found = std::ranges::find_if(kOptions, [&](const Option& option) {
    return (option.commands & command.bit) != 0 && option.name == name;
  });
  return found == kOptions.end() ? nullptr : found;
}

const Option* find_letter(const Command& command, char letter) {
  const auto* found = std::ranges::find_if(kOptions, [&](const Option& option) {
    return (option.commands & command.bit) != 0 && option.letter == letter && letter != 0;
  });
  return found == kOptions.end() ? nullptr : found;
}

}  // namespace

// Walks over the words once; each take_ function moves `next_` past what it used.
class Parser {
 public:
  Parser(const Command& command, std::span<const std::string> words)
      : words_(words), arguments_(command) {}

  Result<Arguments> run() {
    bool only_operands = false;
    while (next_ < words_.size()) {
      const std::string_view word = words_[next_++];
      if (only_operands || word.size() < 2 || word[0] != '-') {
        arguments_.operands_.emplace_back(word);
      } else if (word == "--") {
        only_operands = true;
      } else {
        TWINSIFT_TRY([[maybe_unused]] auto done,
                     word[1] == '-' ? take_long(word.substr(2)) : take_letters(word.substr(1)));
      }
    }
    if (arguments_.flag("help")) return std::move(arguments_);
    return check_operands();
  }

 private:
  Status take_long(std::string_view word) {
    const std::size_t equals = word.find('=');
    const std::string_view name = word.substr(0, equals);
    const Option* option = find_option(command(), name);
    if (option == nullptr) return unknown(name);
    const std::string spelled = fmt::format("--{}", name);
    if (option->kind == Kind::kFlag) {
      if (equals != std::string_view::npos) {
        return usage_error(fmt::format("{} takes no value", spelled));
      }
      return set(*option, spelled, "");
    }
    if (equals != std::string_view::npos) {
      return set(*option, spelled, word.substr(equals + 1));
    }
    return take_value(*option, spelled);
  }

  // -q, -qv, -o FILE, -oFILE
  Status take_letters(std::string_view letters) {
    for (std::size_t i = 0; i < letters.size(); ++i) {
      const Option* option = find_letter(command(), letters[i]);
      const std::string spelled = fmt::format("-{}", letters[i]);
      if (option == nullptr) return unknown_letter(letters[i]);
      if (option->kind != Kind::kFlag) {
        const std::string_view rest = letters.substr(i + 1);
        return rest.empty() ? take_value(*option, spelled) : set(*option, spelled, rest);
      }
      TWINSIFT_TRY([[maybe_unused]] auto done, set(*option, spelled, ""));
    }
    return ok();
  }

  // The value is the next word.  A word that looks like an option is more likely a forgotten
  // value than a strange one; "--name=-x" remains for the strange ones.
  Status take_value(const Option& option, const std::string& spelled) {
    const bool looks_like_option = next_ < words_.size() && words_[next_].size() > 1 &&
                                   words_[next_][0] == '-' &&
                                   (words_[next_][1] < '0' || words_[next_][1] > '9');
    if (next_ == words_.size() || looks_like_option) {
      return usage_error(fmt::format("{} needs a value: {} {}", spelled, spelled, option.value));
    }
    return set(option, spelled, words_[next_++]);
  }

  Status set(const Option& option, std::string_view spelled, std::string_view value) {
    if (const auto wrong = complaint(option, value)) {
      return usage_error(fmt::format("{} '{}': {}", spelled, value, *wrong));
    }
    arguments_.add(option, {std::string(value)});
    return ok();
  }

  Result<Arguments> check_operands() {
    const std::size_t count = arguments_.operands_.size();
    if (count < command().least) {
      return usage_error(fmt::format("{} is missing; the usage is: twinsift {} {}",
                                     count == 0 ? "an argument" : "another argument",
                                     command().name, command().operands));
    }
    if (count > command().most) {
      return usage_error(fmt::format("'{}' is one argument too many",
                                     escape_for_terminal(arguments_.operands_[command().most])));
    }
    return std::move(arguments_);
  }

  [[nodiscard]] Status unknown(std::string_view name) const {
    std::vector<std::string_view> known;
    for (const Option& option : kOptions) {
      if ((option.commands & command().bit) != 0) known.push_back(option.name);
    }
    return usage_error(fmt::format("unknown option '--{}'{}", escape_for_terminal(name),
                                   did_you_mean(name, known, "--")));
  }

  // "-level" is a common slip for "--level".
  [[nodiscard]] Status unknown_letter(char letter) const {
    const std::string_view word = words_[next_ - 1];
    const std::string_view name = word.substr(1, word.find('=') - 1);
    if (name.size() > 1 && find_option(command(), name) != nullptr) {
      return usage_error(fmt::format("unknown option '-{}'; did you mean '--{}'?", name, name));
    }
    return usage_error(fmt::format("unknown option '-{}'", escape_for_terminal({&letter, 1})));
  }

  [[nodiscard]] const Command& command() const { return arguments_.command(); }

  std::span<const std::string> words_;
  std::size_t next_ = 0;
  Arguments arguments_;
};

Result<Arguments> parse(const Command& command, std::span<const std::string> words) {
  return Parser(command, words).run();
}

std::string_view known_as(const Option& option) {
  return option.name == "json" ? "format" : option.name;
}

void Arguments::add(const Option& option, const std::vector<std::string>& values) {
  auto& all = values_[known_as(option)];
  if (!option.repeats) all.clear();
  for (const std::string& value : values) all.push_back(option.name == "json" ? "json" : value);
}

std::string Arguments::text(std::string_view name, std::string_view otherwise) const {
  assert(find_option(*command_, name) != nullptr);
  const auto found = values_.find(name);
  return found == values_.end() ? std::string(otherwise) : found->second.back();
}

std::vector<std::string> Arguments::list(std::string_view name) const {
  assert(find_option(*command_, name) != nullptr);
  const auto found = values_.find(name);
  return found == values_.end() ? std::vector<std::string>{} : found->second;
}

double Arguments::share(std::string_view name, double otherwise) const {
  return given(name) ? parse_share(text(name, "")).value_or(otherwise) : otherwise;
}

unsigned Arguments::count(std::string_view name, unsigned otherwise) const {
  return given(name) ? parse_count(text(name, "")).value_or(otherwise) : otherwise;
}

double Arguments::number(std::string_view name, double otherwise) const {
  return given(name) ? parse_number(text(name, "")).value_or(otherwise) : otherwise;
}

std::uint64_t Arguments::size(std::string_view name, std::uint64_t otherwise) const {
  if (!given(name)) return otherwise;
  const auto value = parse_size(text(name, ""));
  return value ? *value : otherwise;
}

std::int64_t Arguments::age(std::string_view name, std::int64_t otherwise) const {
  if (!given(name)) return otherwise;
  const auto value = parse_age(text(name, ""));
  return value ? *value : otherwise;
}

const Command* find_command(std::string_view name) {
  const auto* found = std::ranges::find(kCommands, name, &Command::name);
  return found == kCommands.end() ? nullptr : found;
}

std::vector<std::string_view> choices(const Option& option) {
  std::vector<std::string_view> words;
  for (std::size_t begin = 0; begin <= option.value.size();) {
    const std::size_t end = std::min(option.value.find('|', begin), option.value.size());
    words.push_back(option.value.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

std::string variable(const Option& option) {
  std::string name = "TWINSIFT_";
  for (const char c : option.name) {
    name += c == '-' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  }
  return name;
}

}  // namespace twinsift::cli
