// SPDX-License-Identifier: Apache-2.0
#include "base/escape.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <simdjson.h>

#include "base/sha256.h"

namespace twinsift {
namespace {

using namespace std::string_literals;

std::string parsed_json(std::string_view text) {
  std::string json;
  json_string(text, json);
  simdjson::dom::parser parser;
  std::string_view value;
  EXPECT_EQ(parser.parse(json).get(value), simdjson::SUCCESS) << json;
  return std::string(value);
}

std::string hex(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) {
    out += "0123456789abcdef"[(static_cast<unsigned char>(c)) >> 4U];
    out += "0123456789abcdef"[static_cast<unsigned char>(c) & 15U];
  }
  return out;
}

TEST(Escape, TerminalShowsWhatWouldActOnTheTerminal) {
  EXPECT_EQ(escape_for_terminal("a\nb\r\t"), "a\\nb\\r\\t");
  EXPECT_EQ(escape_for_terminal("\x1b[31mred\x7f"), "\\x1b[31mred\\x7f");
  EXPECT_EQ(escape_for_terminal("\0"s), "\\x00");
  EXPECT_EQ(escape_for_terminal("\xC2\x9B"), "\\u009b");  // CSI as one C1 control
  EXPECT_EQ(escape_for_terminal("gpj\u202Egnp.exe"), "gpj\\u202egnp.exe");
  EXPECT_EQ(escape_for_terminal("caf\xE9\xFF"), "caf\\xe9\\xff");
}

TEST(Escape, TerminalLeavesPrintableTextAlone) {
  const std::string text =
      "na\u00EFve \u65E5\u672C \u05E9\u05DC\u05D5\u05DD e\u0301 \U0001F469\u200D\U0001F680 \\ '";
  EXPECT_EQ(escape_for_terminal(text), text);
}

TEST(Escape, TerminalKeepsTheControlsItIsAskedToKeep) {
  EXPECT_EQ(escape_for_terminal("a\n\tb\r", "\n\t"), "a\n\tb\\r");
}

TEST(Escape, JsonStringsKeepValidTextAndReplaceTheRest) {
  EXPECT_EQ(parsed_json("\"\\\n\x01</script>\u2028 \U0001F600"),
            "\"\\\n\x01</script>\u2028 \U0001F600");
  EXPECT_EQ(parsed_json("caf\xE9"), "caf\uFFFD");
}

TEST(Escape, Base64MatchesTheExamplesOfRfc4648) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xFB\xFF\xFE"), "+//+");
}

RC_GTEST_PROP(Escape, Base64IsReadBack, (const std::string& bytes)) {
  RC_ASSERT(from_base64(base64(bytes)) == bytes);
}

TEST(Escape, Base64ThatNobodyWroteIsRefused) {
  for (const std::string_view bad : {"Z", "Zg", "Zg=", "Zg===", "====", "Zh==", "Zm9=", "Z=g=",
                                     "Zg==Zg==", "Zm9v\n", "Zm9-", " Zm9"}) {
    EXPECT_EQ(from_base64(bad), std::nullopt) << bad;
  }
}

TEST(Escape, CsvDoublesQuotesAndKeepsBytes) {
  EXPECT_EQ(csv_field("a,\"b\"\n\xFF"), "\"a,\"\"b\"\"\n\xFF\"");
}

TEST(Escape, HtmlIsInert) {
  EXPECT_EQ(html_escape("<script a='\"'>&"), "&lt;script a=&#39;&quot;&#39;&gt;&amp;");
  EXPECT_EQ(html_escape("\x1b\0\x7f"s), "\u241B\u2400\u2421");
  EXPECT_EQ(html_escape("a\n\xFF"), "a\n\uFFFD");
}

TEST(Sha256, MatchesTheStandardsExamples) {
  EXPECT_EQ(hex(sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hex(sha256("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hex(sha256(std::string(1000000, 'a'))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

RC_GTEST_PROP(Escape, TerminalOutputIsUtf8WithoutControls, (const std::string& bytes)) {
  const std::string shown = escape_for_terminal(bytes);
  RC_ASSERT(is_utf8(shown));
  for (std::size_t at = 0; at < shown.size();) {
    const CodePoint c = decode_utf8(shown, at);
    RC_ASSERT(c.value >= 0x20U && (c.value < 0x7FU || c.value >= 0xA0U));
    at += c.length;
  }
}

RC_GTEST_PROP(Escape, JsonStringAlwaysParsesBack, (const std::string& bytes)) {
  const std::string back = parsed_json(bytes);
  if (is_utf8(bytes)) RC_ASSERT(back == bytes);
}

RC_GTEST_PROP(Escape, HtmlOutputHasNoMarkup, (const std::string& bytes)) {
  const std::string shown = html_escape(bytes);
  RC_ASSERT(is_utf8(shown));
  RC_ASSERT(shown.find_first_of("<>\"'") == std::string::npos);
}

}  // namespace
}  // namespace twinsift
