// SPDX-License-Identifier: Apache-2.0
// A glob is matched from left to right with two places to come back to: the last `*`, which
// may take one more byte of this name, and the last `**/`, which may take one more folder.
// Older places never help: they could only leave less text for the same rest of the pattern.
#include "ingest/ignore.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "ingest/file_system.h"

namespace twinsift {
namespace {

constexpr std::size_t kNowhere = std::string_view::npos;

// nullopt if there is no such class.
std::optional<bool> in_named_class(std::string_view name, unsigned char byte) {
  struct Named {
    std::string_view name;
    int (*test)(int);
  };
  static constexpr std::array<Named, 12> kClasses = {{
      {"alnum", std::isalnum},
      {"alpha", std::isalpha},
      {"blank", std::isblank},
      {"cntrl", std::iscntrl},
      {"digit", std::isdigit},
      {"graph", std::isgraph},
      {"lower", std::islower},
      {"print", std::isprint},
      {"punct", std::ispunct},
      {"space", std::isspace},
      {"upper", std::isupper},
      {"xdigit", std::isxdigit},
  }};
  const auto* found = std::ranges::find(kClasses, name, &Named::name);
  if (found == kClasses.end()) return std::nullopt;
  return byte < 0x80 && found->test(byte) != 0;  // the same answer in every locale
}

// Reads a possibly escaped byte of a bracket and moves on.
std::optional<unsigned char> bracket_byte(std::string_view pattern, std::size_t& at) {
  if (at < pattern.size() && pattern[at] == '\\') ++at;
  if (at >= pattern.size()) return std::nullopt;
  return static_cast<unsigned char>(pattern[at++]);
}

// Matches `byte` against the bracket that begins at `at` and moves behind it; nullopt if the
// bracket never ends or names no class there is.
std::optional<bool> match_bracket(std::string_view pattern, std::size_t& at, unsigned char byte) {
  ++at;
  const bool negated = at < pattern.size() && (pattern[at] == '!' || pattern[at] == '^');
  if (negated) ++at;
  bool found = false;
  for (bool first = true; at < pattern.size() && (first || pattern[at] != ']'); first = false) {
    if (pattern.substr(at, 2) == "[:") {
      const std::size_t end = pattern.find(":]", at + 2);
      if (end != kNowhere) {
        const auto in_class = in_named_class(pattern.substr(at + 2, end - at - 2), byte);
        if (!in_class) return std::nullopt;
        found = found || *in_class;
        at = end + 2;
        continue;
      }
    }
    const auto low = bracket_byte(pattern, at);
    if (!low) return std::nullopt;
    auto high = low;
    if (at + 1 < pattern.size() && pattern[at] == '-' && pattern[at + 1] != ']') {
      ++at;
      high = bracket_byte(pattern, at);
      if (!high) return std::nullopt;
    }
    found = found || byte == *low || (*low < byte && byte <= *high);  // [b-a] is [b] in git
  }
  if (at >= pattern.size()) return std::nullopt;
  ++at;
  return found != negated;
}

class GlobMatcher {
 public:
  GlobMatcher(std::string_view pattern, std::string_view text) : pattern_(pattern), text_(text) {}

  bool run() {
    while (true) {
      if (p_ == pattern_.size() && t_ == text_.size()) return true;
      if (p_ < pattern_.size() && pattern_[p_] == '*') {
        if (take_stars()) return true;
      } else if (!match_one() && !go_back()) {
        return false;
      }
    }
  }

 private:
  // Passes a run of stars; true if it is a last `**`, to which any rest is right.
  bool take_stars() {
    const std::size_t begin = p_;
    p_ = std::min(pattern_.find_first_not_of('*', p_), pattern_.size());
    const bool starts_name = begin == 0 || pattern_[begin - 1] == '/';
    const bool ends_name = p_ == pattern_.size() || pattern_[p_] == '/';
    if (p_ - begin != 2 || !starts_name || !ends_name) {
      star_pattern_ = p_;
      star_text_ = t_;
      return false;
    }
    if (p_ == pattern_.size()) return t_ < text_.size();
    deep_pattern_ = ++p_;
    deep_text_ = t_;
    star_pattern_ = kNowhere;
    return false;
  }

  bool match_one() {
    if (p_ >= pattern_.size() || t_ >= text_.size()) return false;
    const char c = text_[t_];
    if (pattern_[p_] == '[') {
      const auto matched = match_bracket(pattern_, p_, static_cast<unsigned char>(c));
      if (!matched.value_or(false) || c == '/') return false;
    } else if (pattern_[p_] == '?') {
      if (c == '/') return false;
      ++p_;
    } else {
      if (pattern_[p_] == '\\' && ++p_ == pattern_.size()) return false;
      if (pattern_[p_++] != c) return false;
    }
    ++t_;
    return true;
  }

  bool go_back() {
    if (star_pattern_ != kNowhere && star_text_ < text_.size() && text_[star_text_] != '/') {
      t_ = ++star_text_;
      p_ = star_pattern_;
      return true;
    }
    if (deep_pattern_ == kNowhere) return false;
    const std::size_t slash = text_.find('/', deep_text_);
    if (slash == kNowhere) return false;
    t_ = deep_text_ = slash + 1;
    p_ = deep_pattern_;
    star_pattern_ = kNowhere;
    return true;
  }

  std::string_view pattern_;
  std::string_view text_;
  std::size_t p_ = 0;
  std::size_t t_ = 0;
  std::size_t star_pattern_ = kNowhere;
  std::size_t star_text_ = 0;
  std::size_t deep_pattern_ = kNowhere;
  std::size_t deep_text_ = 0;
};

// Blanks at the end do not count unless the last one is escaped.
std::string_view without_trailing_blanks(std::string_view line) {
  while (line.ends_with(' ')) {
    std::size_t escapes = 0;
    while (escapes + 1 < line.size() && line[line.size() - 2 - escapes] == '\\') ++escapes;
    if (escapes % 2 == 1) break;
    line.remove_suffix(1);
  }
  return line;
}

}  // namespace

bool is_glob(std::string_view pattern) {
  if (pattern.empty()) return false;
  for (std::size_t at = 0; at < pattern.size();) {
    if (pattern[at] == '[') {
      if (!match_bracket(pattern, at, 0)) return false;
    } else if (pattern[at] == '\\' && at + 1 == pattern.size()) {
      return false;
    } else {
      at += pattern[at] == '\\' ? 2U : 1U;
    }
  }
  return true;
}

bool glob_match(std::string_view pattern, std::string_view text) {
  return GlobMatcher(pattern, text).run();
}

bool matches_any(const std::vector<std::string>& globs, std::string_view path,
                 std::size_t relative) {
  return std::ranges::any_of(globs, [&](std::string_view glob) {
    if (glob.ends_with('/')) glob.remove_suffix(1);  // a folder the way a shell completes it
    if (glob.find('/') == kNowhere) return glob_match(glob, name_of(path));
    return glob_match(glob, path.substr(relative)) || glob_match(glob, path);
  });
}

IgnoreRules::IgnoreRules(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    add_line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void IgnoreRules::add_line(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.starts_with('#')) return;
  line = without_trailing_blanks(line);
  Pattern pattern;
  pattern.keep = line.starts_with('!');
  if (pattern.keep) line.remove_prefix(1);
  pattern.directory_only = line.ends_with('/');
  if (pattern.directory_only) line.remove_suffix(1);
  pattern.anchored = line.find('/') != kNowhere;
  if (line.starts_with('/')) line.remove_prefix(1);
  if (line.empty()) return;
  pattern.glob = line;
  patterns_.push_back(std::move(pattern));
}

IgnoreRules::Verdict IgnoreRules::match(std::string_view relative, bool directory) const {
  const std::string_view name = name_of(relative);
  for (auto pattern = patterns_.rbegin(); pattern != patterns_.rend(); ++pattern) {
    if (pattern->directory_only && !directory) continue;
    if (glob_match(pattern->glob, pattern->anchored ? relative : name)) {
      return pattern->keep ? Verdict::kKeep : Verdict::kIgnore;
    }
  }
  return Verdict::kNone;
}

}  // namespace twinsift
