// SPDX-License-Identifier: Apache-2.0
// The table of well-formed UTF-8 (Unicode Standard, table 3-7) as code.
#include "base/utf8.h"

#include <cassert>

namespace twinsift {
namespace {

struct Sequence {
  std::size_t length = 1;
  bool well_formed = false;
};

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

Sequence sequence_at(std::string_view bytes) {
  const auto byte = [bytes](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  if (byte(0) < 0x80) return {1, true};
  Tail tail = tail_of(byte(0));
  if (tail.length == 0) return {1, false};
  for (std::size_t i = 1; i <= tail.length; ++i) {
    if (i == bytes.size() || byte(i) < tail.low || byte(i) > tail.high) return {i, false};
    tail.low = 0x80;
    tail.high = 0xBF;
  }
  return {tail.length + 1, true};
}

}  // namespace

CodePoint decode_utf8(std::string_view bytes, std::size_t at) {
  assert(at < bytes.size());
  const Sequence sequence = sequence_at(bytes.substr(at));
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
  while (!bytes.empty()) {
    const Sequence sequence = sequence_at(bytes);
    if (!sequence.well_formed) return false;
    bytes.remove_prefix(sequence.length);
  }
  return true;
}

void append_repaired_utf8(std::string_view bytes, std::string& out) {
  while (!bytes.empty()) {
    const Sequence sequence = sequence_at(bytes);
    if (sequence.well_formed) {
      out.append(bytes.substr(0, sequence.length));
    } else {
      out.append("\xEF\xBF\xBD");
    }
    bytes.remove_prefix(sequence.length);
  }
}

}  // namespace twinsift
