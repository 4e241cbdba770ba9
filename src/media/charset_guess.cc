// SPDX-License-Identifier: Apache-2.0
// The single-byte charsets, and the choice among all.  A language is known by the order of its
// letters outside ASCII, the most frequent first.
#include "media/charset_guess.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <unicode/uchar.h>
#include <unicode/ucnv.h>

namespace twinsift {
namespace {

struct Language {
  std::u16string_view letters;
  bool latin = true;          // its other letters are those of ASCII
  double punctuation = 0.08;  // share of quotation marks, dashes and the like outside ASCII
};

constexpr Language kEnglish = {u"éèïçöüñáê", true, 0.85};
constexpr Language kGerman = {u"üäößéàè"};
constexpr Language kFrench = {u"éèàêçôîùûâœïëüÿæ"};
constexpr Language kFinnish = {u"äöåšžé"};
constexpr Language kEstonian = {u"äõüöšž"};
constexpr std::array kWestern = {kEnglish,
                                 kGerman,
                                 kFrench,
                                 kFinnish,
                                 kEstonian,
                                 Language{u"óíáéñúü"},        // Spanish, Irish
                                 Language{u"ãçáéíóêõâúàôü"},  // Portuguese
                                 Language{u"èàòùéìîó"},       // Italian
                                 Language{u"éëïèóöüê"},       // Dutch
                                 Language{u"äåöéüà"},         // Swedish
                                 Language{u"øåæéöäüò"},       // Danish, Norwegian
                                 Language{u"íáðúéóþöæý"},     // Icelandic
                                 Language{u"àéèóíòçúïü"}};    // Catalan
constexpr std::array kWestern15 = {kEnglish, kGerman, kFrench, kFinnish, kEstonian};
constexpr std::array kCentral = {Language{u"íáěéřčžýšůúďťňó"},    // Czech
                                 Language{u"áíéčýžúšľťôóňďäŕĺ"},  // Slovak
                                 Language{u"łąęóżśćńź"},          // Polish
                                 Language{u"áéöóőíüúű"},          // Hungarian
                                 Language{u"ăîţşâ"},              // Romanian
                                 Language{u"čšžćđ"},              // Croatian, Slovene
                                 Language{u"ëç"}};                // Albanian
constexpr std::array kBaltic = {Language{u"ėšžįųčąūę"},           // Lithuanian
                                Language{u"āīēšūļņžčķģ"},         // Latvian
                                kEstonian};
constexpr Language kRussian = {u"оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё", false};
constexpr Language kUkrainian = {u"оанівиетрслкдмупязьбгйчхцжюїєшщфґ", false};
constexpr Language kBulgarian = {u"аеоитнрсвлкдпмзяуъгбчцжщхшйфюь", false};
constexpr Language kSerbian = {u"аоиенсртјувдкмплзгбшчцњћжљхђџф", false};
constexpr std::array kCyrillic = {kRussian, kUkrainian, kBulgarian, kSerbian};
constexpr std::array kGreek = {Language{u"αοιτενσρκυπμλςηάίδόγωθέχήφβύώξζψϊΐϋ", false}};
constexpr std::array kTurkish = {Language{u"ıüşğöçâî"}};
constexpr std::array kHebrew = {Language{u"יוהלארתמבשנדםחקעטפגכסצןזךףץ", false}};
constexpr std::array kArabic = {Language{u"اليمونرتةبعدسهفكقحجأشطصىخضذزغثءئإظؤآً", false},
                                Language{u"اینرتدهموبسشکلگخزفپقعحجآچطصضغذثظژئء", false}};
constexpr std::array kThai = {
    Language{u"านรอกเง่มยล้วดทตสัีปิบคืหะแจพไใขโชุูำ์ถ็ผซึณธภศฟษญฉฝฐฏฎฒฬฑฌฆ", false}};

// The prior is what a charset costs before the first byte.  It keeps a short text with a few
// accents from being taken for something less common; a longer text outweighs it.
struct SingleByte {
  const char* charset;
  const char* converter;
  std::span<const Language> languages;
  Cost prior;
};
constexpr std::array<SingleByte, 18> kSingleByte = {{
    {"ISO-8859-1", "windows-1252", kWestern, 0},
    {"ISO-8859-15", "ISO-8859-15", kWestern15, kBit},
    {"ISO-8859-2", "ISO-8859-2", kCentral, 5 * kBit},
    {"windows-1250", "windows-1250", kCentral, 5 * kBit},
    {"windows-1254", "windows-1254", kTurkish, 5 * kBit},
    {"windows-1257", "windows-1257", kBaltic, 5 * kBit},
    {"windows-1251", "windows-1251", kCyrillic, 5 * kBit},
    {"KOI8-R", "KOI8-R", std::span(&kRussian, 1), 5 * kBit},
    {"KOI8-U", "KOI8-U", std::span(&kUkrainian, 1), 5 * kBit},
    {"ISO-8859-5", "ISO-8859-5", kCyrillic, 5 * kBit},
    {"IBM866", "IBM866", kCyrillic, 5 * kBit},
    {"windows-1253", "windows-1253", kGreek, 5 * kBit},
    {"ISO-8859-7", "ISO-8859-7", kGreek, 5 * kBit},
    {"windows-1255", "windows-1255", kHebrew, 5 * kBit},
    {"windows-1256", "windows-1256", kArabic, 5 * kBit},
    {"TIS-620", "windows-874", kThai, 5 * kBit},
    {"macintosh", "macintosh", kWestern, 8 * kBit},
    {"IBM850", "IBM850", kWestern, 8 * kBit},
}};

constexpr std::u16string_view kPunctuation =
    u"\u00A0\u00AD\u00AB\u00BB\u2018\u2019\u201A\u201C\u201D\u201E\u2013\u2014\u2026\u2022\u20AC"
    u"\u00A7\u00A9\u00AE\u00B0\u00B1\u00B4\u00B7\u00A3\u00BD\u00BF\u00A1\u2116\u2122\u060C\u061B"
    u"\u061F\u00AA\u00BA\u00B2";

using CodePage = std::array<char16_t, 128>;  // what the bytes 0x80..0xFF mean

// Histogram of the bytes 0x80..0xFF; [1]: those beside an ASCII letter, [0]: all others.
using Histogram = std::array<std::array<Cost, 128>, 2>;

// What each of these bytes costs, in the same order.
struct Model {
  const SingleByte* charset = nullptr;
  Histogram cost = {};
};

Cost bits(double probability) {
  return static_cast<Cost>(std::lround(-std::log2(probability) * static_cast<double>(kBit)));
}

CodePage read_code_page(const char* converter) {
  CodePage page;
  page.fill(0xFFFD);
  UErrorCode status = U_ZERO_ERROR;
  const icu::LocalUConverterPointer icu_converter(ucnv_open(converter, &status));
  for (std::size_t i = 0; i < page.size() && U_SUCCESS(status); ++i) {
    const char byte = static_cast<char>(i + 0x80);
    ucnv_toUChars(icu_converter.getAlias(), &page[i], 1, &byte, 1, &status);
  }
  return page;
}

// Most text has one capital in twenty letters, but some is all in capitals; both are tried,
// for a charset like KOI8-R is another one with the case of all letters turned round.
Model make_model(const SingleByte& charset, const CodePage& page, const Language& language,
                 double capitals) {
  constexpr double kDecay = 0.88;  // of frequency, from each letter to the next
  constexpr double kRest = 0.02;   // share of all characters that the language does not use
  const std::size_t n = language.letters.size();
  const double most_frequent = (1 - language.punctuation - kRest) * (1 - kDecay) /
                               (1 - std::pow(kDecay, static_cast<double>(n)));
  Model model{.charset = &charset};
  for (std::size_t i = 0; i < page.size(); ++i) {
    const char16_t c = page[i];
    const auto lower = static_cast<char16_t>(u_tolower(c));
    const std::size_t rank = language.letters.find(lower);
    Cost alone = bits(kRest / 128);
    Cost beside_ascii = alone;
    if (c == 0xFFFD || c < 0xA0) {
      alone = beside_ascii = 20 * kBit;
    } else if (rank != std::u16string_view::npos) {
      const bool cased = u_toupper(lower) != lower;
      const double share = !cased ? 1 : c == lower ? 1 - capitals : capitals;
      const Cost letter = bits(most_frequent * std::pow(kDecay, static_cast<double>(rank)) * share);
      alone = letter + bits(language.latin ? 0.1 : 0.98);
      beside_ascii = letter + bits(language.latin ? 0.9 : 0.02);
    } else if (kPunctuation.find(c) != std::u16string_view::npos) {
      alone = beside_ascii = bits(language.punctuation / static_cast<double>(kPunctuation.size()));
    }
    model.cost[0][i] = alone;
    model.cost[1][i] = beside_ascii;
  }
  return model;
}

std::vector<Model> make_models() {
  std::vector<Model> models;
  for (const SingleByte& charset : kSingleByte) {
    const CodePage page = read_code_page(charset.converter);
    for (const Language& language : charset.languages) {
      for (const double capitals : {0.05, 0.95}) {
        models.push_back(make_model(charset, page, language, capitals));
      }
    }
  }
  return models;
}

Histogram count_high_bytes(std::span<const std::byte> sample) {
  Histogram count = {};
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const auto byte = std::to_integer<std::size_t>(sample[i]);
    if (byte < 0x80) continue;
    const bool beside_ascii = (i > 0 && is_ascii_letter(sample[i - 1])) ||
                              (i + 1 < sample.size() && is_ascii_letter(sample[i + 1]));
    ++count[beside_ascii ? 1 : 0][byte - 0x80];
  }
  return count;
}

Cost cost_of(const Histogram& count, const Model& model) {
  Cost sum = 0;
  for (std::size_t context = 0; context < count.size(); ++context) {
    for (std::size_t i = 0; i < count[context].size(); ++i) {
      sum += count[context][i] * model.cost[context][i];
    }
  }
  return sum;
}

bool has_c1_bytes(std::span<const std::byte> bytes) {
  return std::ranges::any_of(
      bytes, [](std::byte b) { return b >= std::byte{0x80} && b <= std::byte{0x9F}; });
}

}  // namespace

CharsetGuess guess_single_byte(std::span<const std::byte> sample) {
  static const std::vector<Model> models = make_models();
  const Histogram count = count_high_bytes(sample);
  CharsetGuess best;
  for (const Model& model : models) {
    const Cost cost = model.charset->prior + cost_of(count, model);
    if (!best.charset.empty() && cost >= best.cost) continue;
    best = {model.charset->charset, model.charset->converter, cost};
  }
  return best;
}

CharsetGuess guess_charset(std::span<const std::byte> bytes) {
  constexpr std::size_t kSample = 256 * 1024;
  // Starting at the first byte outside ASCII, or the letter before it, cuts no character in two.
  const auto high = std::ranges::find_if(bytes, [](std::byte b) { return b >= std::byte{0x80}; });
  const auto first = static_cast<std::size_t>(high - bytes.begin());
  const auto rest = bytes.subspan(first == 0 ? 0 : first - 1);
  const auto sample = rest.first(std::min(rest.size(), kSample));

  const CharsetGuess single = guess_single_byte(sample);
  const CharsetGuess multi = guess_multi_byte(sample);
  CharsetGuess best = multi.cost < single.cost ? multi : single;
  if (best.charset == "ISO-8859-1" && has_c1_bytes(bytes)) best.charset = best.converter;

  // Seven bits per byte is what noise costs.  A few odd signs among ASCII are not noise.
  const auto high_bytes =
      std::ranges::count_if(sample, [](std::byte b) { return b >= std::byte{0x80}; });
  const bool dense = static_cast<std::size_t>(high_bytes) * 4 > sample.size();
  if (dense && best.cost > high_bytes * 8 * kBit + 64 * kBit) best.converter = "";
  return best;
}

}  // namespace twinsift
