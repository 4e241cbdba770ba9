// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/utf8.h"
#include "media/decoder/decoders.h"
#include "media/decoder/test_zip.h"

namespace twinsift {
namespace {

using std::string_view_literals::operator""sv;

DecodedDocument decode(std::string_view page) {
  auto document = decode_html(bytes_of(page), 1 << 24);
  EXPECT_TRUE(document);
  return document ? *std::move(document) : DecodedDocument{};
}

std::string text_of(std::string_view page) { return decode(page).text; }

TEST(Html, OnlyVisibleTextIsTaken) {
  EXPECT_EQ(text_of("<!DOCTYPE html><html><head><title>T</title><style>p{}</style>"
                    "<script>if (a < b) document.write('<p>x</p>')</script></head><body>"
                    "<p>One<!-- no --> two</p><template><p>no</p><div>no</div></template>"
                    "<noscript><p>no</p></noscript><script>no</script><p>Three</p></body></html>"),
            "One two\nThree");
}

TEST(Html, HiddenElementsAreNotTaken) {
  EXPECT_EQ(text_of("<html><body><div hidden>no<div>no</div></div>a<span style='color:red; "
                    "DISPLAY : None'>no<b>no</b></span>b<span style='display:block'>c</span>"
                    "<input hidden>d<p hidden>no<p>e</body></html>"),
            "abcd\ne");
}

TEST(Html, BlocksAreLinesAndInlineElementsAreNot) {
  EXPECT_EQ(text_of("<html><body><h1>Ti<b>tl</b>e</h1><p>one\n  two<br>three</p><ul><li>x<li>y"
                    "</ul><table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>"
                    "<pre>l1\nl2</pre><section>s</section></body></html>"),
            "Title\none two\nthree\nx\ny\n1 2\n3\nl1\nl2\ns");
}

TEST(Html, HeadWithoutEndDoesNotHideThePage) {
  EXPECT_EQ(text_of("<!doctype html><title>T</title><main><p>text</main>"), "text");
  EXPECT_EQ(text_of("<html><head><title>T</title><main>text</main></html>"), "text");
}

TEST(Html, EntitiesAreDecoded) {
  EXPECT_EQ(text_of("<html><body>&lt;&amp;&eacute;&#8364;&#x1F600;&nosuch;</body></html>"),
            "<&\u00E9\u20AC\U0001F600&nosuch;");
}

TEST(Html, CdataIsNotAText) {
  EXPECT_EQ(text_of("<html><body>a<![CDATA[junk]]>b<script>//<![CDATA[\nx //]]></script>c"), "abc");
  EXPECT_TRUE(text_of("<html><body>a<![CDATA[no end<p>b").ends_with("b"));
}

TEST(Html, CharsetIsTakenFromBomThenDeclarationThenContent) {
  const auto page = [](const std::string& head, const std::string& body) {
    return decode("<html><head>" + head + "</head><body>" + body + "</body></html>");
  };
  const auto declared = page("<meta charset=\"Windows-1251\">", "\xEF\xF0\xE8");
  EXPECT_EQ(declared.text, "\u043F\u0440\u0438");
  EXPECT_EQ(declared.facts, (std::vector<Fact>{{"charset", "windows-1251"}}));
  EXPECT_EQ(page("<meta http-equiv=content-type content='text/html; charset=shift_jis'>",
                 "\x93\xFA\x96\x7B")
                .text,
            "\u65E5\u672C");
  EXPECT_EQ(page("", "caf\xE9").facts.front().second, "windows-1252");
  EXPECT_EQ(page("", "caf\xE9").text, "caf\u00E9");
  EXPECT_EQ(page("", "caf\u00E9").facts.front().second, "utf-8");
  EXPECT_EQ(page("<meta charset=iso-8859-1>", "\x80").text, "\u20AC");
  EXPECT_EQ(page("<meta charset=no-such-thing>", "\xE9").text, "\u00E9");
  EXPECT_EQ(decode("\xEF\xBB\xBF<html><meta charset=windows-1251><body>\u00E9").text, "\u00E9");
  EXPECT_EQ(decode("<?xml version='1.0' encoding='iso-8859-2'?><html><body>\xB1").text, "\u0105");
}

TEST(Html, Utf16WithBomIsRead) {
  std::string page = "\xFF\xFE";
  for (const char c : std::string_view("<html><body>text</body></html>")) page += {c, '\0'};
  EXPECT_EQ(decode(page).text, "text");
  EXPECT_EQ(decode(page).facts.front().second, "utf-16le");
}

TEST(Html, NulAndBrokenUtf8CostNothingElse) {
  EXPECT_EQ(text_of("<html><body>a\0b \xC3( \xFF</body>"sv).substr(0, 3), "a b");
  EXPECT_TRUE(is_utf8(text_of("<html><meta charset=utf-8><body>\xC3(\xFF\xED\xA0\x80 end")));
}

TEST(Html, MillionNestedElementsAreRead) {
  std::string page = "<html><body>";
  for (int i = 0; i < 1'000'000; ++i) page += "<div>";
  page += "deep";
  EXPECT_EQ(text_of(page), "deep");
}

TEST(Html, TextLimitHolds) {
  const auto document = decode_html(bytes_of("<html><body>" + std::string(2000, 'x')), 1000);
  ASSERT_FALSE(document);
  EXPECT_EQ(document.error().code, ErrorCode::kLimit);
}

RC_GTEST_PROP(Html, AnyBytesGiveValidUtf8, (const std::string& noise)) {
  RC_ASSERT(is_utf8(text_of("<html><body>" + noise)));
  RC_ASSERT(is_utf8(text_of(noise)));
}

}  // namespace
}  // namespace twinsift
