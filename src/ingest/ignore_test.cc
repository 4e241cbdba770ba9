// SPDX-License-Identifier: Apache-2.0
#include "ingest/ignore.h"

#include <array>
#include <chrono>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.h"

namespace twinsift {
namespace {

using Verdict = IgnoreRules::Verdict;

struct GlobCase {
  std::string_view pattern;
  std::string_view text;
  bool matches;
};

// GOLDEN: the answers are those of git 2.39.
TEST(Glob, MeansWhatItMeansInGit) {
  const GlobCase cases[] = {
      {"a", "a", true},
      {"a", "b", false},
      {"a", "ab", false},
      {"", "a", false},
      {"*", "anything", true},
      {"*.txt", "a.txt", true},
      {"*.txt", "a.txt.bak", false},
      {"*.txt", ".txt", true},
      {"a*b*c", "axxbyybzzc", true},
      {"a*b*c", "axxbyyb", false},
      {"?", "a", true},
      {"?", "", false},
      {"a?c", "a/c", false},
      {"a*c", "a/c", false},
      {"a/*", "a/b", true},
      {"a/*", "a/b/c", false},
      {"a/**", "a/b/c", true},
      {"a/**", "a", false},
      {"**/c", "c", true},
      {"**/c", "a/b/c", true},
      {"**/c", "a/bc", false},
      {"a/**/c", "a/c", true},
      {"a/**/c", "a/x/y/c", true},
      {"a/**/c", "a/x/y/d", false},
      {"a/**/b/*.c", "a/b/x/b/y.c", true},
      {"**/a*b/c", "ax/ab/c", true},
      {"**/x/**/y", "a/x/b/c/y", true},
      {"a**b", "axxb", true},
      {"a**b", "ax/xb", false},
      {"**", "a/b", true},
      {"[abc]", "b", true},
      {"[a-c]x", "cx", true},
      {"[a-c]x", "dx", false},
      {"[!a-c]", "d", true},
      {"[^a-c]", "a", false},
      {"[]]", "]", true},
      {"[!]]", "]", false},
      {"[a-]", "-", true},
      {"[[:digit:]]*", "7up", true},
      {"[[:digit:][:upper:]]", "Q", true},
      {"[[:digit:]]", "q", false},
      {"[\\]]", "]", true},
      {"a[/]b", "a/b", false},
      {"[!x]", "/", false},
      {"[b-a]", "b", true},
      {"[b-a]", "a", false},
      {"[[:nothing:]a]", "a", false},
      {"[abc", "a", false},
      {"\\*", "*", true},
      {"\\*", "x", false},
      {"a\\", "a", false},
      {"\xff*", "\xff\xfe", true},
      {"[\x80-\xff]", "\xe9", true},
  };
  for (const auto& [pattern, text, matches] : cases) {
    EXPECT_EQ(glob_match(pattern, text), matches) << pattern << "  " << text;
  }
}

// The obvious matcher, one recursion per choice.
bool slow_match(std::string_view p, std::string_view t, bool starts_name = true) {
  if (p.empty()) return t.empty();
  if (starts_name && p == "**") return !t.empty();
  if (starts_name && p.starts_with("**/")) {
    if (slow_match(p.substr(3), t, true)) return true;
    const std::size_t slash = t.find('/');
    return slash != std::string_view::npos && slow_match(p, t.substr(slash + 1), true);
  }
  if (p[0] == '*') {
    if (slow_match(p.substr(1), t, false)) return true;
    return !t.empty() && t[0] != '/' && slow_match(p, t.substr(1), false);
  }
  if (t.empty() || (p[0] == '?' ? t[0] == '/' : p[0] != t[0])) return false;
  return slow_match(p.substr(1), t.substr(1), p[0] == '/');
}

// ORACLE: few letters, so that matches are frequent.
RC_GTEST_PROP(Glob, AgreesWithTheObviousMatcher, (std::uint64_t seed)) {
  constexpr std::array<std::string_view, 8> kNames = {"a", "b", "?", "*", "**", "a*", "*b", "a*b*"};
  Rng rng(seed);
  int matches = 0;
  for (int i = 0; i < 500; ++i) {
    std::string pattern(kNames[rng.below(8)]);
    for (std::uint32_t n = rng.below(5); n > 0; --n)
      pattern.append("/").append(kNames[rng.below(8)]);
    std::string text;
    for (std::uint32_t n = 1 + rng.below(9); n > 0; --n) {
      const bool slash = !text.empty() && text.back() != '/' && n > 1 && rng.below(2) == 0;
      text += slash ? '/' : "ab"[rng.below(2)];
    }
    const bool expected = slow_match(pattern, text);
    if (glob_match(pattern, text) != expected) RC_FAIL(pattern + "  " + text);
    matches += expected ? 1 : 0;
  }
  RC_ASSERT(matches > 10);
}

TEST(Glob, PatternsThatCanMatchNothingAreToldApart) {
  for (const std::string_view good :
       {"a", "*", "**/x", "[a-z]", "[]a]", "[!]]", "[[:digit:]]", "\\[", "a\\\\", "]", "{a"}) {
    EXPECT_TRUE(is_glob(good)) << good;
  }
  for (const std::string_view bad : {"", "[", "[a", "[]", "a\\", "[[:none:]]", "x[a-", "[\\"}) {
    EXPECT_FALSE(is_glob(bad)) << bad;
  }
}

TEST(Glob, HostilePatternsAreQuick) {
  std::string pattern;
  for (int i = 0; i < 200; ++i) pattern += "a*";
  const auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(glob_match(pattern + "b", std::string(4000, 'a')));
  EXPECT_FALSE(glob_match("**/" + pattern + "b", std::string(4000, 'a')));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
}

RC_GTEST_PROP(Glob, AnyBytesAreHarmless, (const std::string& pattern, const std::string& text)) {
  static_cast<void>(glob_match(pattern, text));
  static_cast<void>(IgnoreRules(pattern).match(text, true));
}

TEST(MatchesAny, AGlobWithoutSlashIsForNamesAndOneWithForPaths) {
  EXPECT_TRUE(matches_any({"*.jpg"}, "root/a/b.jpg", 5));
  EXPECT_FALSE(matches_any({"a"}, "root/a/b.jpg", 5));
  EXPECT_TRUE(matches_any({"a/*.jpg"}, "root/a/b.jpg", 5));
  EXPECT_TRUE(matches_any({"root/a/*"}, "root/a/b.jpg", 5));
  EXPECT_FALSE(matches_any({"b/*"}, "root/a/b.jpg", 5));
  EXPECT_TRUE(matches_any({"x", "**/b.*"}, "root/a/b.jpg", 5));
  EXPECT_FALSE(matches_any({}, "root/a/b.jpg", 5));
}

struct IgnoreCase {
  std::string_view file;
  std::string_view path;
  bool directory;
  Verdict verdict;
};

// GOLDEN: the answers are those of git 2.39.
TEST(IgnoreRules, MeanWhatTheyMeanInGit) {
  const IgnoreCase cases[] = {
      {"", "a", false, Verdict::kNone},
      {"# a\n\n  \n", "a", false, Verdict::kNone},
      {"a", "a", false, Verdict::kIgnore},
      {"a", "x/y/a", false, Verdict::kIgnore},
      {"/a", "a", false, Verdict::kIgnore},
      {"/a", "x/a", false, Verdict::kNone},
      {"x/a", "x/a", false, Verdict::kIgnore},
      {"x/a", "y/x/a", false, Verdict::kNone},
      {"a/", "a", false, Verdict::kNone},
      {"a/", "x/a", true, Verdict::kIgnore},
      {"/a/", "x/a", true, Verdict::kNone},
      {"*.log\n!keep.log", "keep.log", false, Verdict::kKeep},
      {"!keep.log\n*.log", "keep.log", false, Verdict::kIgnore},
      {"\\#a", "#a", false, Verdict::kIgnore},
      {"\\!a", "!a", false, Verdict::kIgnore},
      {"a  ", "a", false, Verdict::kIgnore},
      {"a\\ ", "a ", false, Verdict::kIgnore},
      {"a\\  ", "a ", false, Verdict::kIgnore},
      {"a b", "a b", false, Verdict::kIgnore},
      {"a\r\nb\r\n", "b", false, Verdict::kIgnore},
      {"\xEF\xBB\xBF"
       "a",
       "a", false, Verdict::kIgnore},
      {"**/a", "x/a", false, Verdict::kIgnore},
      {"x/**", "x/y/a", false, Verdict::kIgnore},
      {"x/**/a", "x/a", false, Verdict::kIgnore},
      {"/", "a", true, Verdict::kNone},
      {"!", "a", false, Verdict::kNone},
      {"a\nb", "b", false, Verdict::kIgnore},
  };
  for (const auto& [file, path, directory, verdict] : cases) {
    EXPECT_EQ(IgnoreRules(file).match(path, directory), verdict) << file << "  " << path;
  }
}

}  // namespace
}  // namespace twinsift
