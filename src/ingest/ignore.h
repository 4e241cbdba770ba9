// SPDX-License-Identifier: Apache-2.0
// Globs and ignore files, with the syntax and the meaning of .gitignore, because that is what
// people know.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace twinsift {

// `*` and `?` match within one name, `[a-z]`, `[!a-z]` and `[[:digit:]]` one byte of it, `**/`
// any number of folders, `/**` at the end everything below, `\` makes the next byte plain.
// A pattern with an unfinished `[` or a `\` at its end matches nothing, as in git.
// Cost: never exponential; linear in the path for patterns without `*`.
bool glob_match(std::string_view pattern, std::string_view text);

// False for a pattern that can match nothing: empty, with an unfinished `[`, an unknown class, or
// a `\` at its end.
bool is_glob(std::string_view pattern);

// True if a glob without a slash matches the name of `path`, or one with a slash the part of
// `path` from byte `relative` on, or all of it.
bool matches_any(const std::vector<std::string>& globs, std::string_view path,
                 std::size_t relative);

// One ignore file.
class IgnoreRules {
 public:
  enum class Verdict : std::uint8_t { kNone, kIgnore, kKeep };

  explicit IgnoreRules(std::string_view text);

  // What the last matching line says about `relative`, a path below the folder of the file.
  [[nodiscard]] Verdict match(std::string_view relative, bool directory) const;
  [[nodiscard]] bool empty() const { return patterns_.empty(); }

 private:
  struct Pattern {
    std::string glob;
    bool keep = false;            // began with !
    bool directory_only = false;  // ended with /
    bool anchored = false;        // held another slash: matches the path, not the name
  };
  void add_line(std::string_view line);

  std::vector<Pattern> patterns_;
};

}  // namespace twinsift
