// SPDX-License-Identifier: Apache-2.0
#include "media/charset.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>

#include <simdjson.h>
#include <unicode/uchar.h>
#include <unicode/ucnv.h>
#include <unicode/ucnv_cb.h>

#include "base/utf8.h"
#include "media/charset_guess.h"

namespace twinsift {
namespace {

using Bytes = std::span<const std::byte>;
constexpr std::size_t kHead = 64 * 1024;  // how much is looked at where the whole need not be

struct Encoding {
  std::string_view charset;
  const char* converter = nullptr;  // null: UTF-8, which needs none
  std::size_t bom_length = 0;
  bool intact = false;  // known to be valid UTF-8
};

Bytes head_of(Bytes bytes) { return bytes.first(std::min(bytes.size(), kHead)); }
std::string_view as_chars(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Formats that can be long without a NUL byte, or whose first bytes alone are being shown.
bool has_binary_signature(std::string_view text) {
  using namespace std::string_view_literals;
  constexpr std::array kSignatures = {
      "\x89PNG\r\n"sv, "\xFF\xD8\xFF"sv,     "GIF87a"sv,       "GIF89a"sv,
      "\x7F\x45LF"sv,  "\x1F\x8B\x08"sv,     "PK\x03\x04"sv,   "%PDF-"sv,
      "\xFD\x37zXZ"sv, "\x28\xB5\x2F\xFD"sv, "Rar!\x1A\x07"sv, "7z\xBC\xAF\x27\x1C"sv};
  const bool bzip2 = text.size() >= 10 && text.starts_with("BZh") && text.substr(4, 6) == "1AY&SY";
  return bzip2 || std::ranges::any_of(kSignatures, [&](std::string_view signature) {
           return text.starts_with(signature);
         });
}

// Back space, tab, the line ends, Ctrl-Z (the end of a DOS file) and escape belong to text.
constexpr bool is_odd_control(std::uint32_t c) {
  return c < 8 || (c > 13 && c < 26) || (c > 27 && c < 32);
}

bool is_printable_ascii(std::uint32_t c) { return c >= 0x20 && c < 0x7F; }

// One character in a hundred may be odd; of fewer than a hundred, none.
bool few(std::size_t odd, std::size_t total) { return odd * 100 <= total; }

bool has_many_controls(Bytes bytes) {
  const Bytes head = head_of(bytes);
  const auto odd = std::ranges::count_if(
      head, [](std::byte b) { return is_odd_control(std::to_integer<std::uint32_t>(b)); });
  return !few(static_cast<std::size_t>(odd), head.size());
}

// UTF-16 and UTF-32, in both byte orders.
struct WideForm {
  Encoding encoding;
  std::string_view bom;
  std::size_t width;
  bool big_endian;
};
constexpr std::array<WideForm, 4> kWideForms = {
    {{{"UTF-32LE", "UTF-32LE"}, {"\xFF\xFE\0\0", 4}, 4, false},
     {{"UTF-32BE", "UTF-32BE"}, {"\0\0\xFE\xFF", 4}, 4, true},
     {{"UTF-16LE", "UTF-16LE"}, {"\xFF\xFE", 2}, 2, false},
     {{"UTF-16BE", "UTF-16BE"}, {"\xFE\xFF", 2}, 2, true}}};

struct WideCount {
  std::size_t units = 0;
  std::size_t ascii = 0;
  std::size_t pairs = 0;  // would be two printable ASCII characters in a narrow charset
  std::size_t odd = 0;    // not a character, or none that text has
};

bool is_odd_character(std::uint32_t c) {
  if (c == 0 || c > UCHAR_MAX_VALUE || is_odd_control(c)) return true;
  const auto type = u_charType(static_cast<UChar32>(c));
  return type == U_UNASSIGNED || type == U_SURROGATE || type == U_PRIVATE_USE_CHAR;
}

WideCount count_wide(Bytes bytes, const WideForm& form) {
  const Bytes head = head_of(bytes);
  WideCount count;
  const auto unit_at = [&](std::size_t i) {
    std::uint32_t unit = 0;
    for (std::size_t j = 0; j < form.width; ++j) {
      const std::size_t place = form.big_endian ? j : form.width - 1 - j;
      unit = unit << 8U | std::to_integer<std::uint32_t>(head[i + place]);
    }
    return unit;
  };
  for (std::size_t i = 0; i + form.width <= head.size(); i += form.width) {
    std::uint32_t c = unit_at(i);
    if (form.width == 2 && U16_IS_LEAD(c)) {
      if (i + 4 > head.size()) break;  // the head ends inside a character
      const std::uint32_t trail = unit_at(i + 2);
      if (U16_IS_TRAIL(trail)) {
        c = static_cast<std::uint32_t>(U16_GET_SUPPLEMENTARY(c, trail));
        i += 2;
      }
    }
    ++count.units;
    if (c < 0x80) ++count.ascii;
    if (is_printable_ascii(c >> 8U) && is_printable_ascii(c & 0xFFU)) ++count.pairs;
    if (is_odd_character(c)) ++count.odd;
  }
  return count;
}

std::optional<Encoding> find_wide_bom(Bytes bytes) {
  for (const WideForm& form : kWideForms) {
    if (!as_chars(bytes).starts_with(form.bom)) continue;
    const WideCount count = count_wide(bytes.subspan(form.bom.size()), form);
    if (!few(count.odd, count.units)) continue;
    return Encoding{form.encoding.charset, form.encoding.converter, form.bom.size()};
  }
  return std::nullopt;
}

// Without a mark, the zero bytes of ASCII characters tell: of two readings that make sense, the
// one with more of them is right.  Where most other characters are pairs of ASCII, as only some
// three in ten are in Chinese, the bytes are rather strings in a binary file.
std::optional<Encoding> find_wide_pattern(Bytes bytes) {
  std::optional<Encoding> best;
  std::size_t best_ascii = 0;
  for (const WideForm& form : kWideForms) {
    const WideCount count = count_wide(bytes, form);
    if (!few(count.odd, count.units) || count.ascii * 200 < count.units) continue;
    if (2 * count.pairs > count.units - count.ascii || count.ascii <= best_ascii) continue;
    best = form.encoding;
    best_ascii = count.ascii;
  }
  return best;
}

bool valid_utf8(std::string_view text) { return simdjson::validate_utf8(text.data(), text.size()); }

// UTF-8 with some damage: at least four good sequences for each broken one.  Other charsets do
// not look like this: what follows their bytes 0xC2..0xF4 is seldom in 0x80..0xBF.
bool is_nearly_utf8(std::string_view text) {
  text = text.substr(ascii_prefix(text), kHead);
  std::uint64_t good = 0;
  std::uint64_t broken = 0;
  while (!text.empty()) {
    const Utf8Sequence sequence = utf8_sequence(text);
    if (sequence.well_formed) ++good;
    if (!sequence.well_formed && !sequence.cut_off) ++broken;
    text.remove_prefix(sequence.length);
    text.remove_prefix(ascii_prefix(text));
  }
  return good > 0 && good >= 4 * broken;
}

// The escape sequence that switches to JIS X 0208, in 7-bit text.
bool is_iso_2022_jp(std::string_view text) {
  constexpr auto kNone = std::string_view::npos;
  if (text.find("\x1B$B") == kNone && text.find("\x1B$@") == kNone) return false;
  return ascii_prefix(text) == text.size();
}

std::optional<Encoding> recognise(Bytes bytes) {
  constexpr Encoding kValid = {.charset = "UTF-8", .intact = true};
  const std::string_view text = as_chars(bytes);
  if (text.empty()) return kValid;
  if (has_binary_signature(text)) return std::nullopt;
  if (auto wide = find_wide_bom(bytes)) return wide;
  if (std::memchr(text.data(), 0, text.size()) != nullptr) return find_wide_pattern(bytes);
  if (has_many_controls(bytes)) return std::nullopt;
  if (text.starts_with("\xEF\xBB\xBF")) return Encoding{"UTF-8", nullptr, 3, valid_utf8(text)};
  if (valid_utf8(text)) {
    if (is_iso_2022_jp(text)) return Encoding{"ISO-2022-JP", "ISO-2022-JP"};
    return kValid;
  }
  if (is_nearly_utf8(text)) return Encoding{"UTF-8"};
  const CharsetGuess guess = guess_charset(bytes);
  if (*guess.converter == '\0') return std::nullopt;
  return Encoding{guess.charset, guess.converter};
}

// Counts what cannot be decoded, where ICU's own callback would only put something in its place.
extern "C" void count_and_replace(const void* context, UConverterToUnicodeArgs* args, const char*,
                                  std::int32_t, UConverterCallbackReason reason,
                                  UErrorCode* status) {
  if (reason > UCNV_IRREGULAR) return;  // the converter is being reset or closed
  constexpr UChar kReplacement = 0xFFFD;
  ++**static_cast<std::uint64_t* const*>(context);
  *status = U_ZERO_ERROR;
  ucnv_cbToUWriteUChars(args, &kReplacement, 1, 0, status);
}

Result<DecodedText> transcode(Bytes bytes, const Encoding& encoding) {
  constexpr std::size_t kChunk = 1U << 20U;  // ICU counts in 32 bits
  DecodedText text;
  text.charset = encoding.charset;
  text.bom = encoding.bom_length > 0;
  std::uint64_t* const replaced = &text.replaced;
  UErrorCode status = U_ZERO_ERROR;
  const icu::LocalUConverterPointer from(ucnv_open(encoding.converter, &status));
  const icu::LocalUConverterPointer to(ucnv_open("UTF-8", &status));
  if (U_SUCCESS(status)) {
    ucnv_setToUCallBack(from.getAlias(), count_and_replace, &replaced, nullptr, nullptr, &status);
  }
  std::array<UChar, 1024> pivot;
  UChar* pivot_begin = pivot.data();
  UChar* pivot_end = pivot.data();
  std::array<char, 16 * 1024> out;
  const std::string_view all = as_chars(bytes.subspan(encoding.bom_length));
  const char* in = all.data();
  const char* const end = all.data() + all.size();
  text.utf8.reserve(all.size());
  bool reset = true;
  while (U_SUCCESS(status)) {
    const char* const chunk_end = in + std::min(kChunk, static_cast<std::size_t>(end - in));
    char* out_end = out.data();
    ucnv_convertEx(to.getAlias(), from.getAlias(), &out_end, out.data() + out.size(), &in,
                   chunk_end, pivot.data(), &pivot_begin, &pivot_end, pivot.data() + pivot.size(),
                   std::exchange(reset, false), chunk_end == end, &status);
    text.utf8.append(out.data(), out_end);
    if (status == U_BUFFER_OVERFLOW_ERROR) {
      status = U_ZERO_ERROR;
    } else if (in == end) {
      break;
    }
  }
  if (U_FAILURE(status)) {
    return Error{ErrorCode::kUnsupported,
                 text.charset + ": ICU cannot decode it: " + u_errorName(status)};
  }
  return text;
}

}  // namespace

bool looks_like_text(std::span<const std::byte> head) { return recognise(head).has_value(); }

Result<DecodedText> decode_text(std::span<const std::byte> bytes) {
  const std::optional<Encoding> encoding = recognise(bytes);
  if (!encoding) return Error{ErrorCode::kCorrupt, "not text in any known charset"};
  if (encoding->converter != nullptr) return transcode(bytes, *encoding);
  DecodedText text;
  text.charset = encoding->charset;
  text.bom = encoding->bom_length > 0;
  const std::string_view rest = as_chars(bytes).substr(encoding->bom_length);
  if (encoding->intact) {
    text.utf8 = rest;
  } else {
    text.utf8.reserve(rest.size());
    text.replaced = append_repaired_utf8(rest, text.utf8);
  }
  return text;
}

}  // namespace twinsift
