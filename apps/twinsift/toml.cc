// SPDX-License-Identifier: Apache-2.0
#include "toml.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/escape.h"
#include "base/utf8.h"

namespace twinsift::cli {
namespace {

constexpr std::string_view kBare =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t') || byte == 0x7F;
}

void append_utf8(std::uint32_t c, std::string& out) {
  const auto byte = [&](std::uint32_t value) { out += static_cast<char>(value); };
  const auto next = [&](unsigned shift) { byte(0x80U | ((c >> shift) & 0x3FU)); };
  if (c < 0x80) {
    byte(c);
  } else if (c < 0x800) {
    byte(0xC0U | (c >> 6U));
    next(0);
  } else if (c < 0x10000) {
    byte(0xE0U | (c >> 12U));
    next(6);
    next(0);
  } else {
    byte(0xF0U | (c >> 18U));
    next(12);
    next(6);
    next(0);
  }
}

// [-]digits[.digits][e[+-]digits], as TOML has it: no leading zeros, '_' only between digits.
std::optional<std::string> plain_number(std::string_view word) {
  std::string out;
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t before = out.size();
    while (at < word.size() && ((word[at] >= '0' && word[at] <= '9') || word[at] == '_')) {
      const bool between =
          word[at] != '_' || (out.size() > before && at + 1 < word.size() && word[at - 1] != '_' &&
                              word[at + 1] >= '0' && word[at + 1] <= '9');
      if (!between) return false;
      if (word[at] != '_') out += word[at];
      ++at;
    }
    return out.size() > before;
  };
  const auto sign = [&] {
    if (at < word.size() && word[at] == '-') out += '-';
    if (at < word.size() && (word[at] == '-' || word[at] == '+')) ++at;
  };
  sign();
  const std::size_t whole = out.size();
  if (!digits()) return std::nullopt;
  if (out.size() - whole > 1 && out[whole] == '0') return std::nullopt;
  if (at < word.size() && word[at] == '.') {
    out += word[at++];
    if (!digits()) return std::nullopt;
  }
  if (at < word.size() && (word[at] == 'e' || word[at] == 'E')) {
    out += 'e';
    ++at;
    sign();
    if (!digits()) return std::nullopt;
  }
  return at == word.size() ? std::optional(out) : std::nullopt;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<TomlFile> run() {
    TWINSIFT_TRY([[maybe_unused]] auto clean, check_bytes());
    line_ = 1;
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    for (skip_lines(); at_ < text_.size(); skip_lines()) {
      TWINSIFT_TRY([[maybe_unused]] auto taken, peek() == '[' ? take_table() : take_entry());
      TWINSIFT_TRY([[maybe_unused]] auto ended, end_line());
    }
    return std::move(file_);
  }

 private:
  [[nodiscard]] Error wrong(std::string_view what) const {
    return {ErrorCode::kInvalidArgument, fmt::format("{}: {}", line_, what)};
  }
  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\n'; }
  bool take(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  // Every line is UTF-8 without control characters, so that the rest need not look at that again.
  Status check_bytes() {
    for (std::size_t begin = 0; begin < text_.size(); ++line_) {
      const std::size_t end = std::min(text_.find('\n', begin), text_.size());
      std::string_view line = text_.substr(begin, end - begin);
      if (end < text_.size() && line.ends_with('\r')) line.remove_suffix(1);
      if (!is_utf8(line)) return wrong("this is not UTF-8 text");
      if (std::ranges::any_of(line, is_control)) return wrong("there is a control character");
      begin = end + 1;
    }
    return ok();
  }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool take_newline() {
    if (text_.substr(at_).starts_with("\r\n")) ++at_;
    if (!take('\n')) return false;
    ++line_;
    return true;
  }
  // Blanks, comments and the ends of lines.
  void skip_lines() {
    do {
      skip_blanks();
      if (peek() == '#') at_ = std::min(text_.find('\n', at_), text_.size());
    } while (take_newline());
  }

  Status end_line() {
    skip_blanks();
    if (peek() == '#') at_ = std::min(text_.find('\n', at_), text_.size());
    if (at_ == text_.size() || take_newline()) return ok();
    return wrong("the line should end here, or go on with a # and a comment");
  }

  Status take_table() {
    ++at_;
    if (peek() == '[') return wrong("arrays of tables are not known here; write [NAME]");
    skip_blanks();
    const std::size_t line = line_;
    TWINSIFT_TRY(std::string name, take_key());
    skip_blanks();
    if (!take(']')) return wrong("the name of a table ends with a ']'");
    if (!names_.emplace("", name).second) return twice(name);
    table_ = name;
    file_.tables.push_back({std::move(name), line});
    return ok();
  }

  Status take_entry() {
    TomlEntry entry{.table = table_, .key = "", .value = {}, .line = line_};
    TWINSIFT_TRY(entry.key, take_key());
    if (!names_.emplace(table_, entry.key).second) return twice(entry.key);
    skip_blanks();
    if (!take('=')) return wrong("a '=' and a value should follow the key");
    skip_blanks();
    TWINSIFT_TRY(entry.value, take_value());
    file_.entries.push_back(std::move(entry));
    return ok();
  }

  [[nodiscard]] Error twice(std::string_view name) const {
    return wrong(fmt::format("'{}' is there twice", escape_for_terminal(name)));
  }

  Result<std::string> take_key() {
    std::string key;
    if (peek() == '"' || peek() == '\'') {
      TWINSIFT_TRY(key, take_string());
    } else {
      const std::size_t end = std::min(text_.find_first_not_of(kBare, at_), text_.size());
      key = text_.substr(at_, end - at_);
      at_ = end;
      if (key.empty()) return wrong("a key should begin here, as in threshold = 0.85");
    }
    skip_blanks();
    if (peek() == '.') return wrong("names with dots are not known here");
    return key;
  }

  Result<TomlValue> take_value() {
    TomlValue value;
    if (peek() == '"' || peek() == '\'') {
      TWINSIFT_TRY(value.words.emplace_back(), take_string());
      return value;
    }
    if (peek() == '[') return take_array();
    if (peek() == '{') return wrong("tables in braces are not known here");
    const std::size_t end = std::min(text_.find_first_of(" \t\r\n#,]", at_), text_.size());
    const std::string_view word = text_.substr(at_, end - at_);
    if (word.empty()) return wrong("a value is missing");
    at_ = end;
    value.type = TomlValue::Type::kBoolean;
    value.words.emplace_back(word);
    if (word == "true" || word == "false") return value;
    const auto number = plain_number(word);
    if (!number) {
      return wrong(fmt::format("'{}' is no value; text needs quotes", escape_for_terminal(word)));
    }
    value.type = TomlValue::Type::kNumber;
    value.words.front() = *number;
    return value;
  }

  Result<TomlValue> take_array() {
    TomlValue value{.type = TomlValue::Type::kStrings};
    ++at_;
    for (skip_lines(); !take(']'); skip_lines()) {
      if (peek() != '"' && peek() != '\'') {
        return wrong(at_ == text_.size() ? "the ']' of a list is missing"
                                         : "a list holds strings, as in [\"*.tmp\", \"cache/\"]");
      }
      TWINSIFT_TRY(value.words.emplace_back(), take_string());
      skip_lines();
      if (!take(',') && peek() != ']') return wrong("the items of a list are parted by commas");
    }
    return value;
  }

  Result<std::string> take_string() {
    const char quote = text_[at_++];
    if (text_.substr(at_).starts_with(std::string(2, quote))) {
      return wrong("strings of several lines are not known here");
    }
    std::string out;
    while (!take(quote)) {
      if (peek() == '\n' || peek() == '\r') return wrong("the closing quote is missing");
      const char c = text_[at_++];
      if (c == '\\' && quote == '"') {
        TWINSIFT_TRY([[maybe_unused]] auto taken, take_escape(out));
      } else {
        out += c;
      }
    }
    return out;
  }

  Status take_escape(std::string& out) {
    constexpr std::string_view kLetters = "btnfr\"\\";
    constexpr std::string_view kMeanings = "\b\t\n\f\r\"\\";
    const char c = peek();
    ++at_;
    if (const std::size_t known = kLetters.find(c); known != std::string_view::npos) {
      out += kMeanings[known];
      return ok();
    }
    const std::size_t digits = c == 'u' ? 4 : c == 'U' ? 8 : 0;
    std::uint32_t code = 0;
    for (std::size_t i = 0; i < digits; ++i, ++at_) {
      constexpr std::string_view kHex = "0123456789abcdef0123456789ABCDEF";
      const std::size_t digit = kHex.find(peek());
      if (digit == std::string_view::npos) return bad_escape();
      code = 16 * code + static_cast<std::uint32_t>(digit % 16);
    }
    // No option can hold a NUL: it would end the name of a file before its end.
    const bool surrogate = code >= 0xD800 && code < 0xE000;
    if (code == 0 || surrogate || code > 0x10FFFF) return bad_escape();
    append_utf8(code, out);
    return ok();
  }
  [[nodiscard]] Error bad_escape() const {
    return wrong(
        "a '\\' here stands before b, t, n, f, r, \", \\ or uXXXX; 'in single quotes' it is "
        "plain");
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::string table_;
  std::set<std::pair<std::string, std::string>> names_;  // table and key
  TomlFile file_;
};

}  // namespace

Result<TomlFile> parse_toml(std::string_view text) { return Parser(text).run(); }

// JSON writes its strings as TOML does, but lets some characters pass that TOML forbids or that
// would disturb a terminal.
std::string toml_string(std::string_view text) {
  std::string quoted;
  json_string(text, quoted);
  std::string out;
  for (const char c : escape_for_terminal(quoted, "\x7f")) {
    out += c == '\x7f' ? "\\u007f" : std::string(1, c);
  }
  return out;
}

}  // namespace twinsift::cli
