// SPDX-License-Identifier: Apache-2.0
// Function words of fifteen languages: the words that say nothing about what a text is about,
// and the most about the language it is in.
//
// The lists are our own.  Like the words they are compared with they are case-folded NFC, which
// is why German has "dass" and "grosse" but no sharp s.
#pragma once

#include <array>
#include <string_view>

namespace twinsift {

struct StopwordList {
  std::string_view language;  // as libstemmer spells it
  std::string_view words;     // separated by single blanks
};

// In the order of their names.
extern const std::array<StopwordList, 15> kStopwordLists;

}  // namespace twinsift
