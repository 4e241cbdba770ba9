// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/utf8.h"
#include "media/decoder/decoders.h"
#include "media/decoder/test_zip.h"

namespace twinsift {
namespace {

std::string text_of(const std::string& rtf) {
  const auto document = decode_rtf(bytes_of(rtf), 1 << 24);
  return document ? document->text : "error: " + document.error().message;
}

TEST(Rtf, ParagraphsAndCharactersAreRead) {
  EXPECT_EQ(text_of("{\\rtf1\\ansi one\\tab two\\par\r\nth\r\nree\\line four\\~\\{x\\}\\\\"
                    "\\emdash\\ldblquote q\\rdblquote non\\_break}"),
            "one two\nthree\nfour\u00A0{x}\\\u2014\u201Cq\u201Dnon-break");
}

TEST(Rtf, TablesAndPicturesAreNotText) {
  EXPECT_EQ(
      text_of("{\\rtf1{\\fonttbl{\\f0 Times;}}{\\colortbl;\\red0;}{\\stylesheet{\\s0 Normal;}}"
              "{\\info{\\title T}}{\\*\\generator W;}{\\pict\\bin3 }}}0102}a{\\b b}c"
              "{\\field{\\*\\fldinst HYPERLINK}{\\fldrslt link}}{\\v secret}}"),
      "abclink");
}

TEST(Rtf, TextBoxesAreRead) {
  EXPECT_EQ(text_of("{\\rtf1 a{\\shp{\\*\\shpinst{\\sp{\\sn name}{\\sv 1}}{\\shptxt box}}"
                    "{\\shprslt box}}}"),
            "abox");
}

TEST(Rtf, BytesAreInTheCodePageOfTheDocument) {
  EXPECT_EQ(text_of("{\\rtf1\\ansi\\ansicpg1252 caf\\'e9 \\'80}"), "caf\u00E9 \u20AC");
  EXPECT_EQ(text_of("{\\rtf1\\ansi\\ansicpg1251 \\'ef\\'f0\\'e8}"), "\u043F\u0440\u0438");
  EXPECT_EQ(text_of("{\\rtf1\\mac \\'8e}"), "\u00E9");
  EXPECT_EQ(text_of("{\\rtf1\\pc \\'82}"), "\u00E9");
}

TEST(Rtf, SecondHalfOfATwoByteCharacterMayBeAscii) {
  EXPECT_EQ(text_of("{\\rtf1\\ansi\\ansicpg932 \\'83A\\'93\\'fa}"), "\u30A2\u65E5");
}

TEST(Rtf, FontsBringTheirCodePages) {
  EXPECT_EQ(text_of("{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0\\fcharset0 A;}{\\f1\\fcharset204 B;}"
                    "}\\f0\\'e9{\\f1\\'ef}\\'e9}"),
            "\u00E9\u043F\u00E9");
}

TEST(Rtf, UnicodeReplacesItsFallback) {
  EXPECT_EQ(text_of("{\\rtf1\\uc1 \\u8364?x\\u8364\\'80y{\\uc2\\u233 ab}c\\uc0\\u233 d}"),
            "\u20ACx\u20ACy\u00E9c\u00E9d");
  EXPECT_EQ(text_of("{\\rtf1 \\u-10179?\\u-8704?}"), "\U0001F600");
  EXPECT_EQ(text_of("{\\rtf1 \\u-8704?}"), "\uFFFD");
}

TEST(Rtf, DeepNestingAndLongWordsAreRead) {
  const std::string open(1'000'000, '{');
  const std::string close(1'000'000, '}');
  EXPECT_EQ(text_of("{\\rtf1 " + open + "deep" + close + "}"), "deep");
  EXPECT_EQ(text_of("{\\rtf1\\" + std::string(1'000'000, 'a') + "99999999999999 b}"), "b");
}

TEST(Rtf, DamagedIsSaidSo) {
  const std::string whole = "{\\rtf1\\ansi{\\b some} text\\par\\u8364 ?\\'e9}";
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto document = decode_rtf(bytes_of(whole.substr(0, size)), 1000);
    ASSERT_FALSE(document) << size;
    EXPECT_EQ(document.error().code, ErrorCode::kCorrupt);
  }
}

TEST(Rtf, BinaryLongerThanTheFileEndsIt) {
  EXPECT_EQ(text_of("{\\rtf1\\bin2000000000 x}"), "error: damaged RTF: it ends inside of a group");
}

RC_GTEST_PROP(Rtf, AnyBytesGiveValidUtf8, (const std::string& noise)) {
  RC_ASSERT(is_utf8(text_of("{\\rtf1 " + noise + "}")));
}

}  // namespace
}  // namespace twinsift
