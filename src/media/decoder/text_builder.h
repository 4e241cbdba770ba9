// SPDX-License-Identifier: Apache-2.0
// Collects the text of a document under the rules that all formats share: white space is one
// space, a paragraph is one line, no line is empty, and the whole has a limit.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "twinsift/result.h"

namespace twinsift {

// Nothing here throws, for most callers are callbacks of C libraries.  When the limit or the
// memory is reached, the rest is dropped and take() says so.
class TextBuilder {
 public:
  explicit TextBuilder(std::uint64_t limit) : limit_(limit) {}

  void append(std::string_view utf8) noexcept;        // line ends are white space, too
  void append_lines(std::string_view utf8) noexcept;  // line ends are line ends
  void line_break() noexcept;

  [[nodiscard]] bool full() const { return full_; }
  [[nodiscard]] bool empty() const { return text_.empty(); }

  // Valid UTF-8 in every case: what is not becomes U+FFFD.  kLimit if not all did fit.
  Result<std::string> take();

 private:
  void add(std::string_view piece) noexcept;

  std::uint64_t limit_;
  std::string text_;
  bool space_ = false;  // white space was seen after the last word
  bool full_ = false;
};

}  // namespace twinsift
