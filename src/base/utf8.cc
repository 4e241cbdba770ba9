// SPDX-License-Identifier: Apache-2.0
// The table of well-formed UTF-8 (Unicode Standard, table 3-7) as code.
#include "base/utf8.h"

#include <cassert>
#include <cstring>

namespace twinsift {
namespace {

// What follows a lead byte: how many bytes, and the bounds of the first of them, which keep
// out overlong forms, surrogates and everything above U+10FFFF.
struct Tail {
  std::size_t length = 0;
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
};

Tail tail_of(unsigned char lead) {
  if (lead >= 0xC2 && lead <= 0xDF) return {1};
  if (lead == 0xE0) return {2, 0xA0, 0xBF};
  if (lead == 0xED) return {2, 0x80, 0x9F};
  if (lead >= 0xE1 && lead <= 0xEF) return {2};
  if (lead == 0xF0) return {3, 0x90, 0xBF};
  if (lead >= 0xF1 && lead <= 0xF3) return {3};
  if (lead == 0xF4) return {3, 0x80, 0x8F};
  return {};
}

}  // namespace

Utf8Sequence utf8_sequence(std::string_view bytes) {
  assert(!bytes.empty());
  const auto byte = [bytes](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  if (byte(0) < 0x80) return {.length = 1, .well_formed = true};
  Tail tail = tail_of(byte(0));
  if (tail.length == 0) return {};
  for (std::size_t i = 1; i <= tail.length; ++i) {
    if (i == bytes.size()) return {.length = i, .cut_off = true};
    if (byte(i) < tail.low || byte(i) > tail.high) return {.length = i};
    tail.low = 0x80;
    tail.high = 0xBF;
  }
  return {.length = tail.length + 1, .well_formed = true};
}

std::size_t ascii_prefix(std::string_view bytes) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080U;
  std::size_t i = 0;
  for (; i + sizeof(std::uint64_t) <= bytes.size(); i += sizeof(std::uint64_t)) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, bytes.data() + i, sizeof eight);
    if ((eight & kHighBits) != 0) break;
  }
  while (i < bytes.size() && static_cast<unsigned char>(bytes[i]) < 0x80) ++i;
  return i;
}

CodePoint decode_utf8(std::string_view bytes, std::size_t at) {
  assert(at < bytes.size());
  const Utf8Sequence sequence = utf8_sequence(bytes.substr(at));
  if (!sequence.well_formed) return {.value = kNotUtf8, .length = 1};
  const auto lead = static_cast<unsigned char>(bytes[at]);
  if (sequence.length == 1) return {.value = lead, .length = 1};
  char32_t value = lead & (0xFFU >> (sequence.length + 1));
  for (std::size_t i = 1; i < sequence.length; ++i) {
    value = (value << 6U) | (static_cast<unsigned char>(bytes[at + i]) & 0x3FU);
  }
  return {.value = value, .length = sequence.length};
}

bool is_utf8(std::string_view bytes) {
  for (;;) {
    bytes.remove_prefix(ascii_prefix(bytes));
    if (bytes.empty()) return true;
    const Utf8Sequence sequence = utf8_sequence(bytes);
    if (!sequence.well_formed) return false;
    bytes.remove_prefix(sequence.length);
  }
}

std::uint64_t append_repaired_utf8(std::string_view bytes, std::string& out) {
  std::uint64_t replaced = 0;
  std::size_t good_from = 0;
  for (std::size_t at = ascii_prefix(bytes); at < bytes.size();) {
    const Utf8Sequence sequence = utf8_sequence(bytes.substr(at));
    if (!sequence.well_formed) {
      out.append(bytes, good_from, at - good_from).append("\xEF\xBF\xBD");
      good_from = at + sequence.length;
      ++replaced;
    }
    at += sequence.length;
    at += ascii_prefix(bytes.substr(at));
  }
  out.append(bytes, good_from);
  return replaced;
}

}  // namespace twinsift
