// SPDX-License-Identifier: Apache-2.0
// A text cut into what it shares with another one and what it does not, for the side-by-side
// view of the page and for the terminal.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "twinsift/types.h"

namespace twinsift {

enum class Side : std::uint8_t { kA, kB };

// A stretch of a text.  Number 0: nobody shares it; otherwise it shows the passage of this
// number, and what has the same number on the other side says the same.
struct TextPiece {
  Span span;
  std::uint32_t number = 0;
  friend bool operator==(const TextPiece&, const TextPiece&) = default;
};

// Cuts all of `text`; the segments follow each other without gap or overlap.  Where spans
// overlap the one that begins first wins.  Passages that show the same stretch of b (b says
// once what a says twice) have one number.  Cuts never split a UTF-8 character, and spans that
// point outside of the text are clipped.
std::vector<TextPiece> cut_at_passages(std::string_view text, std::span<const Passage> passages,
                                       Side side);

// The greatest position <= at that does not split a character of `text`.
std::size_t character_boundary(std::string_view text, std::size_t at);

// The shared passages of one side in their surroundings, each as "[2: these words]" with its
// number; long stretches that nobody shares become "[... 1,204 bytes ...]".  Newlines and tabs
// stay, other controls are escaped.  Exported for `twinsift compare --explain`.
TWINSIFT_EXPORT std::string highlight_terminal(std::string_view text,
                                               std::span<const Passage> passages, bool side_a,
                                               bool colour);

}  // namespace twinsift
