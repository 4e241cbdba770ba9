// SPDX-License-Identifier: Apache-2.0
// A small font: each character is eight rows of five cells, the last row for what hangs below the
// line.  A row is a digit to the base 32 ('0' to '9', then 'a' to 'v'), whose highest bit is the
// leftmost cell.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace twinsift {

inline constexpr unsigned kGlyphColumns = 5;
inline constexpr unsigned kGlyphRows = 8;

struct Glyph {
  char character;
  std::string_view rows;
};

// clang-format off
inline constexpr std::array kFont = {
    Glyph{'A', "ehhvhhh0"}, Glyph{'B', "uhhuhhu0"}, Glyph{'C', "ehggghe0"}, Glyph{'D', "uhhhhhu0"},
    Glyph{'E', "vgguggv0"}, Glyph{'F', "vgguggg0"}, Glyph{'G', "ehgnhhf0"}, Glyph{'H', "hhhvhhh0"},
    Glyph{'I', "e44444e0"}, Glyph{'J', "72222ic0"}, Glyph{'K', "hikokih0"}, Glyph{'L', "ggggggv0"},
    Glyph{'M', "hrllhhh0"}, Glyph{'N', "hhpljhh0"}, Glyph{'O', "ehhhhhe0"}, Glyph{'P', "uhhuggg0"},
    Glyph{'Q', "ehhhlid0"}, Glyph{'R', "uhhukih0"}, Glyph{'S', "fgge11u0"}, Glyph{'T', "v4444440"},
    Glyph{'U', "hhhhhhe0"}, Glyph{'V', "hhhhha40"}, Glyph{'W', "hhhllla0"}, Glyph{'X', "hha4ahh0"},
    Glyph{'Y', "hhha4440"}, Glyph{'Z', "v1248gv0"},
    Glyph{'a', "00e1fhf0"}, Glyph{'b', "ggmphhu0"}, Glyph{'c', "00egghe0"}, Glyph{'d', "11djhhf0"},
    Glyph{'e', "00ehvge0"}, Glyph{'f', "698s8880"}, Glyph{'g', "00fhhf1e"}, Glyph{'h', "ggmphhh0"},
    Glyph{'i', "40c444e0"}, Glyph{'j', "206222ic"}, Glyph{'k', "ggikoki0"}, Glyph{'l', "c44444e0"},
    Glyph{'m', "00qllhh0"}, Glyph{'n', "00mphhh0"}, Glyph{'o', "00ehhhe0"}, Glyph{'p', "00uhhugg"},
    Glyph{'q', "00djhf11"}, Glyph{'r', "00mpggg0"}, Glyph{'s', "00fge1u0"}, Glyph{'t', "88s88960"},
    Glyph{'u', "00hhhjd0"}, Glyph{'v', "00hhha40"}, Glyph{'w', "00hhlla0"}, Glyph{'x', "00ha4ah0"},
    Glyph{'y', "00hhhf1e"}, Glyph{'z', "00v248v0"},
    Glyph{'0', "ehjlphe0"}, Glyph{'1', "4c4444e0"}, Glyph{'2', "eh1248v0"}, Glyph{'3', "v2421he0"},
    Glyph{'4', "26aiv220"}, Glyph{'5', "vgu11he0"}, Glyph{'6', "68guhhe0"}, Glyph{'7', "v1248880"},
    Glyph{'8', "ehhehhe0"}, Glyph{'9', "ehhf12c0"},
    Glyph{' ', "00000000"}, Glyph{'.', "00000cc0"}, Glyph{',', "00000c48"}, Glyph{'!', "44444040"},
    Glyph{'?', "eh124040"}, Glyph{'\'', "44800000"}, Glyph{'-', "000v0000"}, Glyph{':', "0cc0cc00"},
    Glyph{'&', "cik8lid0"}, Glyph{'/', "01248g00"}, Glyph{'(', "24888420"}, Glyph{')', "84222480"},
    Glyph{'#', "aavavaa0"},
};
// clang-format on

// The rows of a character, or of a question mark.
constexpr std::string_view glyph_of(char character) {
  const auto* found = std::ranges::find(kFont, character, &Glyph::character);
  if (found == kFont.end()) found = std::ranges::find(kFont, '?', &Glyph::character);
  return found->rows;
}

// Requires: column < kGlyphColumns, row < kGlyphRows.
constexpr bool is_inked(std::string_view rows, unsigned column, unsigned row) {
  const char digit = rows[row];
  const auto bits = static_cast<unsigned>(digit <= '9' ? digit - '0' : digit - 'a' + 10);
  return (bits >> (kGlyphColumns - 1 - column) & 1U) != 0;
}

}  // namespace twinsift
