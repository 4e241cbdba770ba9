// SPDX-License-Identifier: Apache-2.0
#include "media/charset.h"

#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unicode/ucnv.h>
#include <unicode/unistr.h>

#include "base/random.h"
#include "base/utf8.h"
#include "media/test_paragraphs.h"

namespace twinsift {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}
Result<DecodedText> decode(std::string_view text) { return decode_text(bytes_of(text)); }
bool looks(std::string_view text) { return looks_like_text(bytes_of(text)); }

std::string encode(std::string_view utf8, const char* charset) {
  UErrorCode status = U_ZERO_ERROR;
  std::string out(utf8.size() * 4 + 16, '\0');
  const int length = ucnv_convert(charset, "UTF-8", out.data(), static_cast<int>(out.size()),
                                  utf8.data(), static_cast<int>(utf8.size()), &status);
  EXPECT_TRUE(U_SUCCESS(status)) << charset;
  out.resize(static_cast<std::size_t>(length));
  return out;
}

struct Sample {
  std::string_view text;
  const char* encoder;   // of ICU
  const char* expected;  // the name that must be printed
};

class LegacyCharset : public ::testing::TestWithParam<Sample> {};

TEST_P(LegacyCharset, ComesBackAsUtf8) {
  const Sample& sample = GetParam();
  const auto decoded = decode(encode(sample.text, sample.encoder));
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->charset, sample.expected);
  EXPECT_EQ(decoded->utf8, sample.text);
  EXPECT_EQ(decoded->replaced, 0U);
  EXPECT_FALSE(decoded->bom);
}

// Windows of some 200 bytes, cut between characters, are decoded as the whole is.
TEST_P(LegacyCharset, NeedsNoMoreThanTwoHundredBytes) {
  const Sample& sample = GetParam();
  const std::string whole = encode(sample.text, sample.encoder);
  const std::size_t window = sample.text.size() * 200 / whole.size();
  for (std::size_t begin = 0; begin + window <= sample.text.size(); begin += window / 4) {
    std::string part;
    append_repaired_utf8(sample.text.substr(begin, window), part);
    for (std::size_t at = part.find("\uFFFD"); at != part.npos; at = part.find("\uFFFD")) {
      part.erase(at, 3);
    }
    const auto decoded = decode(encode(part, sample.encoder));
    ASSERT_TRUE(decoded);
    EXPECT_EQ(decoded->utf8, part) << decoded->charset;
  }
}

TEST_P(LegacyCharset, HeadCutAnywhereLooksLikeText) {
  const std::string whole = encode(GetParam().text, GetParam().encoder);
  for (std::size_t length = 0; length <= whole.size(); ++length) {
    EXPECT_TRUE(looks(std::string_view(whole).substr(0, length))) << length;
  }
}

namespace p = paragraphs;
INSTANTIATE_TEST_SUITE_P(Paragraphs, LegacyCharset,
                         ::testing::Values(Sample{p::kDanish, "ISO-8859-1", "ISO-8859-1"},
                                           Sample{p::kDutch, "ISO-8859-1", "ISO-8859-1"},
                                           Sample{p::kFinnish, "ISO-8859-1", "ISO-8859-1"},
                                           Sample{p::kFrench, "ISO-8859-1", "ISO-8859-1"},
                                           Sample{p::kGerman, "ISO-8859-1", "ISO-8859-1"},
                                           Sample{p::kIcelandic, "ISO-8859-1", "ISO-8859-1"},
                                           Sample{p::kItalian, "ISO-8859-1", "ISO-8859-1"},
                                           Sample{p::kNorwegian, "ISO-8859-1", "ISO-8859-1"},
                                           Sample{p::kPortuguese, "ISO-8859-1", "ISO-8859-1"},
                                           Sample{p::kSpanish, "ISO-8859-1", "ISO-8859-1"},
                                           Sample{p::kSwedish, "ISO-8859-1", "ISO-8859-1"},
                                           Sample{p::kFrench, "macintosh", "macintosh"},
                                           Sample{p::kGerman, "IBM850", "IBM850"},
                                           Sample{p::kCzech, "ISO-8859-2", "ISO-8859-2"},
                                           Sample{p::kCzech, "windows-1250", "windows-1250"},
                                           Sample{p::kPolish, "ISO-8859-2", "ISO-8859-2"},
                                           Sample{p::kPolish, "windows-1250", "windows-1250"},
                                           Sample{p::kCroatian, "ISO-8859-2", "ISO-8859-2"},
                                           Sample{p::kCroatian, "windows-1250", "windows-1250"},
                                           Sample{p::kHungarian, "ISO-8859-2", "ISO-8859-2"},
                                           Sample{p::kRomanian, "ISO-8859-2", "ISO-8859-2"},
                                           Sample{p::kRussian, "windows-1251", "windows-1251"},
                                           Sample{p::kRussian, "KOI8-R", "KOI8-R"},
                                           Sample{p::kRussian, "ISO-8859-5", "ISO-8859-5"},
                                           Sample{p::kRussian, "IBM866", "IBM866"},
                                           Sample{p::kUkrainian, "windows-1251", "windows-1251"},
                                           Sample{p::kUkrainian, "KOI8-U", "KOI8-U"},
                                           Sample{p::kBulgarian, "windows-1251", "windows-1251"},
                                           Sample{p::kGreek, "windows-1253", "windows-1253"},
                                           Sample{p::kTurkish, "windows-1254", "windows-1254"},
                                           Sample{p::kHebrew, "windows-1255", "windows-1255"},
                                           Sample{p::kArabic, "windows-1256", "windows-1256"},
                                           Sample{p::kLithuanian, "windows-1257", "windows-1257"},
                                           Sample{p::kLatvian, "windows-1257", "windows-1257"},
                                           Sample{p::kThai, "windows-874", "TIS-620"},
                                           Sample{p::kJapanese, "Shift_JIS", "Shift_JIS"},
                                           Sample{p::kJapanese, "EUC-JP", "EUC-JP"},
                                           Sample{p::kJapanese, "ISO-2022-JP", "ISO-2022-JP"},
                                           Sample{p::kSimplifiedChinese, "GB18030", "GB18030"},
                                           Sample{p::kTraditionalChinese, "Big5", "Big5"},
                                           Sample{p::kTraditionalChinese, "GBK", "GB18030"},
                                           Sample{p::kKorean, "EUC-KR", "EUC-KR"}));

class WideCharset : public ::testing::TestWithParam<const char*> {};

TEST_P(WideCharset, IsKnownByItsZeroBytes) {
  const std::string chinese = std::string(p::kSimplifiedChinese) + "\n";
  for (const std::string_view text :
       {p::kEnglish, p::kRussian, p::kKorean, p::kGreek, std::string_view(chinese)}) {
    const auto decoded = decode(encode(text, GetParam()));
    ASSERT_TRUE(decoded);
    EXPECT_EQ(decoded->charset, GetParam());
    EXPECT_EQ(decoded->utf8, text);
    EXPECT_FALSE(decoded->bom);
  }
}

TEST_P(WideCharset, IsKnownByItsByteOrderMark) {
  for (const auto text : {p::kJapanese, p::kEnglish, std::string_view("x"), std::string_view()}) {
    const auto decoded = decode(encode("\uFEFF" + std::string(text), GetParam()));
    ASSERT_TRUE(decoded);
    EXPECT_EQ(decoded->charset, GetParam());
    EXPECT_EQ(decoded->utf8, text);
    EXPECT_TRUE(decoded->bom);
  }
}

TEST_P(WideCharset, MayEndInsideACharacter) {
  const std::string whole = encode("Some faces: \U0001F600\U0001F600", GetParam());
  for (std::size_t cut = 1; cut < 4; ++cut) {
    const auto decoded = decode(std::string_view(whole).substr(0, whole.size() - cut));
    ASSERT_TRUE(decoded);
    EXPECT_EQ(decoded->charset, GetParam());
    EXPECT_EQ(decoded->utf8, "Some faces: \U0001F600\uFFFD");
    EXPECT_EQ(decoded->replaced, 1U);
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, WideCharset,
                         ::testing::Values("UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"));

TEST(Charset, Latin1WithQuotationMarksIsWindows1252) {
  const auto decoded = decode("He said \x93quite\x94 \x96 and went to the caf\xE9.");
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->charset, "windows-1252");
  EXPECT_EQ(decoded->utf8, "He said “quite” – and went to the café.");
}

TEST(Charset, CapitalsAreNotTakenForSmallLettersOfAnotherCharset) {
  const auto decoded =
      decode(encode("ВСЕ ДВЕРИ БИБЛИОТЕКИ ЗАКРЫТЫ ДО ПОНЕДЕЛЬНИКА", "windows-1251"));
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->charset, "windows-1251");
}

TEST(Charset, EuroAndLigatureMakeLatin9) {
  const auto decoded =
      decode(encode("Le cœur de l'œuvre coûte 30 € à la sœur aînée.", "ISO-8859-15"));
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->charset, "ISO-8859-15");
  EXPECT_EQ(decoded->utf8, "Le cœur de l'œuvre coûte 30 € à la sœur aînée.");
}

TEST(Charset, CharsetIsFoundBehindALongAsciiPart) {
  const std::string ascii(1'000'000, 'a');
  const auto decoded = decode(ascii + " " + encode(p::kJapanese, "Shift_JIS"));
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->charset, "Shift_JIS");
}

TEST(Charset, LongTextIsDecodedInPieces) {
  std::string text;
  while (text.size() < 5'000'000) text += p::kJapanese;
  const auto decoded = decode(encode(text, "EUC-JP"));
  ASSERT_TRUE(decoded);
  EXPECT_TRUE(decoded->utf8 == text);
}

TEST(Charset, TruncatedMultiByteTextLosesOneCharacter) {
  const std::string whole = encode(p::kSimplifiedChinese, "GB18030");
  const auto decoded = decode(std::string_view(whole).substr(0, whole.size() - 1));
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->charset, "GB18030");
  EXPECT_EQ(decoded->replaced, 1U);
  EXPECT_TRUE(decoded->utf8.ends_with("\uFFFD"));
}

TEST(Charset, Utf8MarkIsStripped) {
  const auto decoded = decode("\xEF\xBB\xBFna\xC3\xAFve");
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->utf8, "naïve");
  EXPECT_EQ(decoded->charset, "UTF-8");
  EXPECT_TRUE(decoded->bom);
}

TEST(Charset, BehindItsMarkBrokenUtf8IsStillUtf8) {
  const auto decoded = decode(
      "\xEF\xBB\xBF"
      "caf\xE9!");
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->utf8, "caf\uFFFD!");
  EXPECT_EQ(decoded->replaced, 1U);
}

TEST(Charset, DamagedUtf8IsRepairedAndCounted) {
  std::string text(p::kFrench);
  text.insert(100, "\xE9");
  text.insert(300, "\xC3(");
  const auto decoded = decode(text);
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->charset, "UTF-8");
  EXPECT_EQ(decoded->replaced, 2U);
  EXPECT_TRUE(is_utf8(decoded->utf8));
}

TEST(Charset, EmptyAndTinyInputIsText) {
  EXPECT_EQ(decode("")->utf8, "");
  EXPECT_EQ(decode("")->charset, "UTF-8");
  EXPECT_EQ(decode("a")->utf8, "a");
  EXPECT_EQ(decode("\xE9")->utf8, "é");
  EXPECT_EQ(decode("caf\xE9")->utf8, "café");
  EXPECT_EQ(decode("\x80")->utf8, "€");
  EXPECT_EQ(decode("20 \xB0"
                   "C")
                ->utf8,
            "20 °C");
}

TEST(Charset, TerminalEscapesAndFormFeedsAreText) {
  EXPECT_EQ(decode("\x1B[31mred\x1B[0m\f\r\n\t.")->charset, "UTF-8");
}

TEST(Charset, BinaryFormatsAreNotText) {
  using namespace std::string_view_literals;
  for (const auto head :
       {"\x89PNG\r\n\x1A\n\0\0\0\rIHDR"sv, "\xFF\xD8\xFF\xE0\0\x10JFIF"sv, "\xFF\xD8\xFF\xE1"sv,
        "\x7F\x45LF\x02\x01\x01\0\0\0"sv, "\x1F\x8B\x08\0\0\0\0\0\0\x03"sv, "MZ\x90\0\x03\0\0\0"sv,
        "GIF89a"sv, "PK\x03\x04\x14"sv, "BZh91AY&SY\x01"sv, "%PDF-1.7\nplain"sv,
        "\xFF\xFE\x01\0\x02\0\x03\0"sv, "abc\0def"sv, "\0"sv, "\0\0\0\0\0\0\0\0"sv}) {
    EXPECT_FALSE(looks(head)) << head;
    const auto decoded = decode(head);
    ASSERT_FALSE(decoded) << head;
    EXPECT_EQ(decoded.error().code, ErrorCode::kCorrupt);
  }
}

TEST(Charset, AllBytesInOrderAreNotText) {
  std::string all;
  for (int i = 0; i < 256; ++i) all.push_back(static_cast<char>(i));
  EXPECT_FALSE(looks(all));
  EXPECT_FALSE(decode(all));
}

TEST(Charset, NoiseIsNotText) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Rng rng(seed);
    std::string any;
    std::string high;
    for (int i = 0; i < 4096; ++i) {
      any.push_back(static_cast<char>(rng.below(256)));
      high.push_back(static_cast<char>(rng.below(128) + 128));
    }
    EXPECT_FALSE(looks(any)) << seed;
    EXPECT_FALSE(looks(high)) << seed;
  }
}

TEST(Charset, ThreadsSeeTheSameText) {
  std::vector<std::jthread> threads;
  std::vector<std::string> decoded(4);
  const std::string korean = encode(p::kKorean, "EUC-KR");
  for (auto& text : decoded) threads.emplace_back([&] { text = decode(korean)->utf8; });
  threads.clear();
  for (const auto& text : decoded) EXPECT_EQ(text, p::kKorean);
}

RC_GTEST_PROP(Charset, ValidUtf8DecodesToItself, ()) {
  const auto points = *rc::gen::container<std::u32string>(
      rc::gen::suchThat(rc::gen::inRange<char32_t>(0x20, 0x110000), [](char32_t c) {
        return (c < 0xD800 || c > 0xDFFF) && c != 0xFEFF && c != '%';  // no mark, no "%PDF-"
      }));
  std::string text;
  icu::UnicodeString::fromUTF32(reinterpret_cast<const UChar32*>(points.data()),
                                static_cast<int>(points.size()))
      .toUTF8String(text);
  const auto decoded = decode(text);
  RC_ASSERT(decoded.has_value());
  RC_ASSERT(decoded->utf8 == text);
  RC_ASSERT(decoded->charset == "UTF-8");
  RC_ASSERT(decoded->replaced == 0U);
}

}  // namespace
}  // namespace twinsift
