// SPDX-License-Identifier: Apache-2.0
#include "toml.h"

#include <gtest/gtest.h>

namespace twinsift::cli {
namespace {

using Type = TomlValue::Type;
using Words = std::vector<std::string>;

TomlFile parsed(std::string_view text) {
  auto file = parse_toml(text);
  EXPECT_TRUE(file) << file.error().message;
  return file ? *std::move(file) : TomlFile{};
}

std::string error_of(std::string_view text) {
  const auto file = parse_toml(text);
  EXPECT_FALSE(file) << text;
  return file ? "" : file.error().message;
}

TEST(Toml, ReadsKeysValuesTablesAndComments) {
  const TomlFile file = parsed(
      "# a comment\r\n\n  threshold = 0.85 # another\nhidden=true\n'keep' = \"photos\"\n"
      "exclude = [ \"*.tmp\", # one\n  'cache\\', ]\nname = []\n\n[ find ]\nlevel = "
      "'same'\n[dedup]");
  ASSERT_EQ(file.entries.size(), 6U);
  EXPECT_EQ(file.entries[0].key, "threshold");
  EXPECT_EQ(file.entries[0].line, 3U);
  EXPECT_EQ(file.entries[0].value.type, Type::kNumber);
  EXPECT_EQ(file.entries[0].value.words, Words{"0.85"});
  EXPECT_EQ(file.entries[1].value.type, Type::kBoolean);
  EXPECT_EQ(file.entries[1].value.words, Words{"true"});
  EXPECT_EQ(file.entries[2].key, "keep");
  EXPECT_EQ(file.entries[2].value.type, Type::kString);
  EXPECT_EQ(file.entries[3].value.type, Type::kStrings);
  EXPECT_EQ(file.entries[3].value.words, (Words{"*.tmp", "cache\\"}));
  EXPECT_EQ(file.entries[4].line, 8U);  // a list of several lines counts them all
  EXPECT_EQ(file.entries[4].value.words, Words{});
  EXPECT_EQ(file.entries[5].table, "find");
  EXPECT_EQ(file.entries[5].line, 11U);
  ASSERT_EQ(file.tables.size(), 2U);
  EXPECT_EQ(file.tables[1].name, "dedup");
  EXPECT_EQ(file.tables[1].line, 12U);
}

TEST(Toml, NumbersAreWrittenAsTheStandardSays) {
  for (const auto& [text, plain] : {std::pair("1_000", "1000"),
                                    {"+7", "7"},
                                    {"-0.5", "-0.5"},
                                    {"1e+6", "1e6"},
                                    {"6.02E-2", "6.02e-2"},
                                    {"0", "0"}}) {
    EXPECT_EQ(parsed("k = " + std::string(text)).entries.at(0).value.words, Words{plain}) << text;
  }
  for (const char* wrong : {"07", "1__0", "_1", "1_", ".5", "5.", "1e", "0x10", "nan", "inf", "--1",
                            "1.2.3", "2026-01-31", "1_.5"}) {
    EXPECT_TRUE(error_of("k = " + std::string(wrong)).starts_with("1: '")) << wrong;
  }
}

TEST(Toml, EscapesStandForCharactersButNotForNul) {
  EXPECT_EQ(parsed("k = \"a\\tb\\\"\\\\ \\u00e9\\U0001F600\"").entries.at(0).value.words,
            Words{"a\tb\"\\ \u00e9\U0001F600"});
  for (const char* wrong : {"\\x41", "\\u12", "\\u0000", "\\ud800", "\\U00110000", "\\q", "\\"}) {
    EXPECT_TRUE(error_of("\nk = \"" + std::string(wrong) + "\"").starts_with("2: ")) << wrong;
  }
}

TEST(Toml, ErrorsNameTheLine) {
  EXPECT_EQ(error_of("a = 1\nb"), "2: a '=' and a value should follow the key");
  EXPECT_EQ(error_of("a = 1\n\nb = "), "3: a value is missing");
  EXPECT_EQ(error_of("a = \"x"), "1: the closing quote is missing");
  EXPECT_EQ(error_of("a = yes"), "1: 'yes' is no value; text needs quotes");
  EXPECT_EQ(error_of("a = 1 b = 2"),
            "1: the line should end here, or go on with a # and a comment");
  EXPECT_EQ(error_of("a = 1\na = 2"), "2: 'a' is there twice");
  EXPECT_EQ(error_of("[t]\n[t]"), "2: 't' is there twice");
  EXPECT_EQ(error_of("t = 1\n[t]"), "2: 't' is there twice");
  EXPECT_EQ(error_of("a = [\"x\"\n"), "2: the items of a list are parted by commas");
  EXPECT_EQ(error_of("a = [\"x\",\n"), "2: the ']' of a list is missing");
  EXPECT_TRUE(error_of("a = [1]").starts_with("1: a list holds strings"));
  EXPECT_EQ(error_of("[t"), "1: the name of a table ends with a ']'");
  EXPECT_EQ(error_of("\n\xff"), "2: this is not UTF-8 text");
  EXPECT_EQ(error_of("a = 1\n# \x1b[2J"), "2: there is a control character");
  EXPECT_EQ(error_of(std::string_view("a = 1\n\0", 7)), "2: there is a control character");
}

TEST(Toml, WhatNoOptionCouldUseIsRefused) {
  EXPECT_TRUE(error_of("a.b = 1").find("names with dots") != std::string::npos);
  EXPECT_TRUE(error_of("[a.b]").find("names with dots") != std::string::npos);
  EXPECT_TRUE(error_of("[[a]]").find("arrays of tables") != std::string::npos);
  EXPECT_TRUE(error_of("a = {b = 1}").find("tables in braces") != std::string::npos);
  EXPECT_TRUE(error_of("a = \"\"\"x\"\"\"").find("several lines") != std::string::npos);
}

// Parsers that build a tree overflow their stack here, some of them when they take it down.
TEST(Toml, DeepNestingIsRefusedAtOnce) {
  std::string dots = "a";
  std::string opening = "a = ";
  for (int i = 0; i < 500000; ++i) dots += ".a";
  opening.append(1000000, '[');
  EXPECT_TRUE(error_of(dots + " = 1").starts_with("1: "));
  EXPECT_TRUE(error_of("[" + dots + "]").starts_with("1: "));
  EXPECT_TRUE(error_of(opening).starts_with("1: "));
}

TEST(Toml, EveryTextThatIsCutOffEndsWithAnErrorOrAFile) {
  const std::string text =
      "\xEF\xBB\xBF# c\nexclude = [\"a\\u00e9\", 'b'] # c\r\n[find]\n\"level\" = \"same\"\nx = "
      "-1.5e3\n";
  ASSERT_TRUE(parse_toml(text));
  std::size_t good = 0;
  for (std::size_t size = 0; size < text.size(); ++size) {
    // A copy of the exact size lets the sanitizer see a step too far.
    const std::vector<char> copy(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(size));
    good += parse_toml({copy.data(), copy.size()}) ? 1U : 0U;
  }
  EXPECT_GT(good, 5U);
  EXPECT_LT(good, text.size() / 2);
}

TEST(Toml, WhatIsWrittenCanBeReadAgain) {
  for (const std::string text : {"", "a\"b\\c\n\t\x1b\x7f", "\u00e9\u202e\u0085'", "~/a b"}) {
    const std::string quoted = toml_string(text);
    EXPECT_EQ(parsed("k = " + quoted).entries.at(0).value.words, Words{text}) << quoted;
    EXPECT_EQ(quoted.find('\x1b'), std::string::npos);
    EXPECT_EQ(quoted.find("\u202e"), std::string::npos);
  }
}

}  // namespace
}  // namespace twinsift::cli
