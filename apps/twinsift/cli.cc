// SPDX-License-Identifier: Apache-2.0
// The parser of the command line: strict, so that a typo is never taken for something else.
#include "cli.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>

#include "base/escape.h"
#include "help.h"
#include "terminal.h"

namespace twinsift::cli {
namespace {

constexpr unsigned kMostCount = 4096;

Error usage_error(std::string message) { return {ErrorCode::kInvalidArgument, std::move(message)}; }

std::optional<double> parse_share(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  // The negated comparison also refuses a NaN.
  if (error != std::errc{} || stop != end || !(value > 0 && value <= 1)) return std::nullopt;
  return value;
}

std::optional<unsigned> parse_count(std::string_view text) {
  unsigned value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || value > kMostCount) return std::nullopt;
  return value;
}

std::optional<double> parse_number(std::string_view text) {
  constexpr double kMost = 1e15;
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || !(value >= 0 && value <= kMost)) return std::nullopt;
  return value;
}

// What is wrong with `value`, or nothing.
std::optional<std::string> complaint(const Option& option, std::string_view value) {
  switch (option.kind) {
    case Kind::kFlag:
      return std::nullopt;
    case Kind::kText:
    case Kind::kFile:
    case Kind::kFolder:
      if (value.empty()) return "a value that is not empty is needed";
      return std::nullopt;
    case Kind::kShare:
      if (!parse_share(value)) return "allowed are numbers above 0 and up to 1, as in 0.85";
      return std::nullopt;
    case Kind::kCount:
      if (!parse_count(value)) return fmt::format("allowed are whole numbers, 0 to {}", kMostCount);
      return std::nullopt;
    case Kind::kNumber:
      if (!parse_number(value)) return "allowed are numbers from 0 to 1e15, as in 250000 or 2.5e5";
      return std::nullopt;
    case Kind::kSize:
      if (const auto size = parse_size(value); !size) return size.error().message;
      return std::nullopt;
    case Kind::kChoice:
      break;
  }
  const auto allowed = choices(option);
  if (std::ranges::find(allowed, value) != allowed.end()) return std::nullopt;
  return fmt::format("allowed are {}{}", fmt::join(allowed, ", "), did_you_mean(value, allowed));
}

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
    TWINSIFT_TRY([[maybe_unused]] auto done, take_environment());
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
    const bool json = option.name == "json";
    auto& values = arguments_.values_[json ? "format" : option.name];
    if (!option.repeats) values.clear();
    values.emplace_back(json ? "json" : value);
    return ok();
  }

  // For flags "1" and "0" are enough for scripts; the other words are what people try.
  Status take_environment() {
    for (const Option& option : kOptions) {
      if ((option.commands & command().bit) == 0 || option.name == "help") continue;
      if (arguments_.given(option.name == "json" ? "format" : option.name)) continue;
      const std::string name = variable(option);
      const char* found = std::getenv(name.c_str());
      if (found == nullptr || *found == '\0') continue;
      const std::string_view value = found;
      if (option.kind == Kind::kFlag) {
        if (value == "0" || value == "no" || value == "false" || value == "off") continue;
        if (value != "1" && value != "yes" && value != "true" && value != "on") {
          return usage_error(fmt::format("{} '{}': allowed are 1 and 0", name, value));
        }
      }
      TWINSIFT_TRY([[maybe_unused]] auto done, set(option, name, value));
    }
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

Result<std::uint64_t> parse_size(std::string_view text) {
  const Error refused{ErrorCode::kInvalidArgument,
                      "allowed are bytes with k, M, G or T after the number, as in 512M or 1.5G"};
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  if (error != std::errc{} || !(number >= 0)) return refused;
  std::string_view unit(stop, static_cast<std::size_t>(end - stop));
  if (unit.ends_with("iB")) unit.remove_suffix(2);
  if (unit.ends_with('B')) unit.remove_suffix(1);
  constexpr std::string_view kUnits = "kMGT";
  if (unit.size() > 1) return refused;
  double scale = 1;
  if (!unit.empty()) {
    const std::size_t power = kUnits.find(unit[0] == 'K' ? 'k' : unit[0]);
    if (power == std::string_view::npos) return refused;
    scale = std::pow(1024.0, static_cast<double>(power + 1));
  }
  constexpr double kMost = 9e18;  // any larger number would not fit into 64 bits
  if (number * scale > kMost) return refused;
  return static_cast<std::uint64_t>(number * scale);
}

}  // namespace twinsift::cli
