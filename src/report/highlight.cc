// SPDX-License-Identifier: Apache-2.0
#include "report/highlight.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/escape.h"
#include "report/facts.h"

namespace twinsift {
namespace {

constexpr std::size_t kContext = 80;   // bytes shown beside a passage
constexpr std::size_t kShortest = 40;  // do not leave out less than this
constexpr std::string_view kReset = "\x1b[0m";

// A passage on one side, as positions in its text.
struct Mark {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::uint32_t number = 0;
};

std::vector<Mark> marks_of(std::string_view text, std::span<const Passage> passages, Side side) {
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> numbers;
  std::vector<Mark> marks;
  for (const Passage& passage : passages) {
    const auto next = static_cast<std::uint32_t>(numbers.size() + 1);
    const auto number =
        numbers.try_emplace({passage.b.begin, passage.b.length}, next).first->second;
    const Span& span = side == Side::kA ? passage.a : passage.b;
    if (span.begin >= text.size()) continue;
    const std::uint64_t room = text.size() - span.begin;
    const std::size_t begin = character_boundary(text, span.begin);
    const std::size_t end = character_boundary(text, span.begin + std::min(span.length, room));
    if (begin < end) marks.push_back({.begin = begin, .end = end, .number = number});
  }
  std::ranges::stable_sort(marks, {}, &Mark::begin);
  return marks;
}

// What is left of an unshared stretch that has a passage before it, behind it, or both.
std::string shortened(std::string_view text, bool first, bool last) {
  const auto shown = [](std::string_view part) { return escape_for_terminal(part, "\n\t"); };
  const std::size_t head = first ? 0 : character_boundary(text, std::min(kContext, text.size()));
  std::size_t tail = text.size();
  if (!last && text.size() > kContext) tail = character_boundary(text, text.size() - kContext);
  if (tail < head + kShortest) return shown(text);
  return fmt::format("{}[... {} ...]{}", shown(text.substr(0, head)), counted(tail - head, "byte"),
                     shown(text.substr(tail)));
}

}  // namespace

std::size_t character_boundary(std::string_view text, std::size_t at) {
  if (at >= text.size()) return text.size();
  // A character has at most four bytes; in broken text any place is as good as another.
  for (std::size_t back = 0; back < 4 && back <= at; ++back) {
    const CodePoint c = decode_utf8(text, at - back);
    if (c.value != kNotUtf8) return c.length > back ? at - back : at;
  }
  return at;
}

std::vector<TextPiece> cut_at_passages(std::string_view text, std::span<const Passage> passages,
                                       Side side) {
  std::vector<TextPiece> segments;
  std::size_t at = 0;
  const auto advance = [&](std::size_t end, std::uint32_t number) {
    if (end <= at) return;
    segments.push_back({.span = {.begin = at, .length = end - at}, .number = number});
    at = end;
  };
  for (const Mark& mark : marks_of(text, passages, side)) {
    advance(mark.begin, 0);
    advance(mark.end, mark.number);
  }
  advance(text.size(), 0);
  return segments;
}

std::string highlight_terminal(std::string_view text, std::span<const Passage> passages,
                               bool side_a, bool colour) {
  const auto segments = cut_at_passages(text, passages, side_a ? Side::kA : Side::kB);
  std::string out;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const auto& [span, number] = segments[i];
    const std::string_view part = text.substr(span.begin, span.length);
    if (number == 0) {
      out += shortened(part, i == 0, i + 1 == segments.size());
      continue;
    }
    // Six colours take turns; the number tells passages of one colour apart.
    if (colour) out += fmt::format("\x1b[{}m", 31 + (number - 1) % 6);
    out += fmt::format("[{}: {}]", number, escape_for_terminal(part, "\n\t"));
    if (colour) out += kReset;
  }
  return out;
}

}  // namespace twinsift
