// SPDX-License-Identifier: Apache-2.0
// The multi-byte charsets of East Asia.  Their standards sort characters into rows by kind and by
// how common they are, so a cost per kind of row is model enough: kana are frequent in Japanese
// and absent from Chinese, hangul fill Korean, and the first level of ideographs fills the rest.
#include <array>
#include <utility>

#include "media/charset_guess.h"

namespace twinsift {
namespace {

using Bytes = std::span<const std::byte>;

// What the first character of some bytes is: its length and what it costs.
struct Step {
  std::size_t length = 1;
  Cost cost = 0;
};

constexpr Step kInvalid = {1, 24 * kBit};
constexpr Cost kCutOffCost = 16 * kBit;  // the text ends inside a character
// An ASCII byte costs about this much in a single-byte charset.  Where it is the trail of a
// double-byte character instead, that character pays for it, so the amount is given back.
constexpr Cost kAsciiCost = 5 * kBit;
// An ideograph seldom follows a Latin letter; an accented letter nearly always does.
constexpr Cost kAfterLetterCost = 6 * kBit;

std::uint32_t at(Bytes bytes, std::size_t i) { return std::to_integer<std::uint32_t>(bytes[i]); }
constexpr bool within(std::uint32_t x, std::uint32_t low, std::uint32_t high) {
  return x >= low && x <= high;
}

// JIS X 0208, by row.
Cost jis_cost(std::uint32_t row) {
  if (row == 4) return 6 * kBit + kBit / 2;            // hiragana
  if (row == 1) return 7 * kBit;                       // punctuation
  if (row == 5) return 9 * kBit;                       // katakana
  if (row == 3) return 10 * kBit;                      // full-width letters and digits
  if (within(row, 16, 47)) return 11 * kBit;           // kanji, level 1
  return within(row, 48, 84) ? 18 * kBit : 19 * kBit;  // kanji, level 2, and the rest
}

Step shift_jis(Bytes b) {
  const std::uint32_t lead = at(b, 0);
  if (within(lead, 0xA1, 0xDF)) return {1, 13 * kBit};  // half-width katakana
  if (!within(lead, 0x81, 0x9F) && !within(lead, 0xE0, 0xFC)) return kInvalid;
  if (b.size() < 2) return {1, kCutOffCost};
  const std::uint32_t trail = at(b, 1);
  if (!within(trail, 0x40, 0xFC) || trail == 0x7F) return kInvalid;
  const std::uint32_t row = 2 * (lead - (lead < 0xA0 ? 0x81 : 0xC1)) + (trail < 0x9F ? 1 : 2);
  return {2, jis_cost(row)};
}

Step euc_jp(Bytes b) {
  const std::uint32_t lead = at(b, 0);
  const std::size_t length = lead == 0x8F ? 3 : 2;
  if (lead != 0x8E && lead != 0x8F && !within(lead, 0xA1, 0xFE)) return kInvalid;
  for (std::size_t i = 1; i < length; ++i) {
    if (i == b.size()) return {i, kCutOffCost};
    if (!within(at(b, i), 0xA1, 0xFE)) return kInvalid;
  }
  if (lead == 0x8E) return {2, 13 * kBit};  // half-width katakana
  if (lead == 0x8F) return {3, 22 * kBit};  // JIS X 0212
  return {2, jis_cost(lead - 0xA0)};
}

Step euc_kr(Bytes b) {
  const std::uint32_t lead = at(b, 0);
  if (!within(lead, 0x81, 0xFE)) return kInvalid;
  if (b.size() < 2) return {1, kCutOffCost};
  const std::uint32_t trail = at(b, 1);
  if (trail < 0xA1 || lead < 0xA1) {  // the further syllables of windows-949
    const bool letter = within(trail, 0x41, 0x5A) || within(trail, 0x61, 0x7A);
    return lead <= 0xC6 && (letter || within(trail, 0x81, 0xFE)) ? Step{2, 18 * kBit} : kInvalid;
  }
  if (trail == 0xFF) return kInvalid;
  if (within(lead, 0xB0, 0xC8)) return {2, 9 * kBit};  // hangul
  if (lead <= 0xA3) return {2, 10 * kBit};             // punctuation
  return {2, within(lead, 0xCA, 0xFD) ? 17 * kBit : 19 * kBit};
}

Step gb18030(Bytes b) {
  const std::uint32_t lead = at(b, 0);
  if (!within(lead, 0x81, 0xFE)) return kInvalid;
  if (b.size() < 2) return {1, kCutOffCost};
  const std::uint32_t trail = at(b, 1);
  if (within(trail, 0x30, 0x39)) {
    if (b.size() < 4) return {b.size(), kCutOffCost};
    const bool valid = within(at(b, 2), 0x81, 0xFE) && within(at(b, 3), 0x30, 0x39);
    return valid ? Step{4, 36 * kBit} : kInvalid;
  }
  if (!within(trail, 0x40, 0xFE) || trail == 0x7F) return kInvalid;
  if (trail < 0xA1 || lead < 0xA1) return {2, 19 * kBit};  // the extension of GBK
  if (within(lead, 0xB0, 0xD7)) return {2, 10 * kBit};     // hanzi, level 1
  if (lead == 0xA1 || lead == 0xA3) return {2, 7 * kBit};  // punctuation, full-width letters
  return {2, within(lead, 0xD8, 0xF7) ? 16 * kBit : 19 * kBit};
}

Step big5(Bytes b) {
  const std::uint32_t lead = at(b, 0);
  if (!within(lead, 0x81, 0xFE)) return kInvalid;
  if (b.size() < 2) return {1, kCutOffCost};
  const std::uint32_t trail = at(b, 1);
  if (!within(trail, 0x40, 0x7E) && !within(trail, 0xA1, 0xFE)) return kInvalid;
  if (within(lead, 0xA4, 0xC6)) return {2, 10 * kBit + kBit / 2};  // hanzi, level 1
  if (within(lead, 0xA1, 0xA3)) return {2, 7 * kBit};              // punctuation
  return {2, within(lead, 0xC9, 0xF9) ? 17 * kBit : 21 * kBit};
}

struct MultiByte {
  const char* charset;
  const char* converter;
  Step (*step)(Bytes);
};
constexpr std::array<MultiByte, 5> kMultiByte = {{{"GB18030", "GB18030", gb18030},
                                                  {"Shift_JIS", "windows-31j", shift_jis},
                                                  {"EUC-JP", "EUC-JP", euc_jp},
                                                  {"EUC-KR", "windows-949", euc_kr},
                                                  {"Big5", "Big5", big5}}};

Cost cost_of(Bytes sample, const MultiByte& charset) {
  Cost sum = 0;
  bool after_letter = false;
  for (std::size_t i = 0; i < sample.size();) {
    if (at(sample, i) < 0x80) {
      after_letter = is_ascii_letter(sample[i]);
      ++i;
      continue;
    }
    const Step step = charset.step(sample.subspan(i));
    sum += step.cost + (std::exchange(after_letter, false) ? kAfterLetterCost : 0);
    for (std::size_t j = 1; j < step.length; ++j) {
      if (at(sample, i + j) < 0x80) sum -= kAsciiCost;
    }
    i += step.length;
  }
  return sum;
}

}  // namespace

CharsetGuess guess_multi_byte(Bytes sample) {
  CharsetGuess best;
  for (const MultiByte& charset : kMultiByte) {
    const Cost cost = cost_of(sample, charset);
    if (best.charset.empty() || cost < best.cost) best = {charset.charset, charset.converter, cost};
  }
  return best;
}

}  // namespace twinsift
