// SPDX-License-Identifier: Apache-2.0
#include "media/decoder/text_builder.h"

#include <algorithm>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "base/utf8.h"

namespace twinsift {
namespace {

// Control characters mean nothing in a text but a gap.
bool is_blank(char c) { return static_cast<unsigned char>(c) <= ' '; }

}  // namespace

void TextBuilder::add(std::string_view piece) noexcept {
  if (full_ || text_.size() + piece.size() > limit_) {
    full_ = true;
    return;
  }
  try {
    text_.append(piece);
  } catch (const std::bad_alloc&) {
    full_ = true;
  }
}

void TextBuilder::append(std::string_view utf8) noexcept {
  while (!utf8.empty()) {
    const auto blank = std::find_if(utf8.begin(), utf8.end(), is_blank);
    const auto length = static_cast<std::size_t>(blank - utf8.begin());
    if (length > 0) {
      if (space_ && !text_.empty() && text_.back() != '\n') add(" ");
      space_ = false;
      add(utf8.substr(0, length));
    }
    const auto word = std::find_if_not(blank, utf8.end(), is_blank);
    if (word != blank) space_ = true;
    utf8.remove_prefix(static_cast<std::size_t>(word - utf8.begin()));
  }
}

void TextBuilder::append_lines(std::string_view utf8) noexcept {
  constexpr std::string_view kLineEnds = "\n\r\f";
  for (;;) {
    const std::size_t end = utf8.find_first_of(kLineEnds);
    append(utf8.substr(0, end));
    if (end == std::string_view::npos) return;
    line_break();
    utf8.remove_prefix(end + 1);
  }
}

void TextBuilder::line_break() noexcept {
  space_ = false;
  if (!text_.empty() && text_.back() != '\n') add("\n");
}

Result<std::string> TextBuilder::take() {
  if (full_) {
    return Error{ErrorCode::kLimit,
                 fmt::format("text limit: more than {} bytes of text, or than memory", limit_)};
  }
  if (!text_.empty() && text_.back() == '\n') text_.pop_back();
  if (!is_utf8(text_)) {
    std::string repaired;
    append_repaired_utf8(text_, repaired);
    text_ = std::move(repaired);
  }
  return std::move(text_);
}

}  // namespace twinsift
