// SPDX-License-Identifier: Apache-2.0
#include "report/recording_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "report/facts.h"
#include "report/recording_words.h"

namespace twinsift {
namespace {

constexpr std::size_t kIndent = 13;    // of everything that compare prints
constexpr std::size_t kMostRows = 50;  // a person reads no more
constexpr std::size_t kLeastColumns = 10;
constexpr std::size_t kMostColumns = 200;

char label(std::size_t stretch) {
  constexpr std::string_view kLabels = "123456789abcdefghijklmnopqrstuvwxyz";
  return stretch < kLabels.size() ? kLabels[stretch] : '#';
}

// One recording along the columns; `seconds` fill `columns` of them.
std::string lane(const Timeline& timeline, bool in_a, std::size_t columns) {
  const double seconds = in_a ? timeline.seconds_a : timeline.seconds_b;
  std::string drawn(columns, '.');
  if (!(seconds > 0)) return drawn;
  const auto column = [&](double at) {
    const double place = std::floor(at / seconds * static_cast<double>(columns));
    return static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(columns - 1)));
  };
  for (std::size_t i = 0; i < timeline.stretches.size(); ++i) {
    const Stretch& s = timeline.stretches[i];
    const double begin = in_a ? s.begin_a : s.begin_b;
    const double end = in_a ? s.end_a : s.end_b;
    const std::size_t first = column(begin);
    // A stretch that ends at the edge of a column is not in the next one.
    const std::size_t last = std::max(first, column(std::nextafter(end, begin)));
    std::fill_n(drawn.begin() + static_cast<std::ptrdiff_t>(first), last - first + 1, label(i));
  }
  return drawn;
}

std::string rows(const Timeline& timeline) {
  std::string out;
  for (std::size_t i = 0; i < std::min(timeline.stretches.size(), kMostRows); ++i) {
    const Stretch& s = timeline.stretches[i];
    out += fmt::format("  {:<{}}A {:<17}B {:<17}lasts {}  offset {:+.1f} s\n", label(i),
                       kIndent - 2, clock_span(s.begin_a, s.end_a), clock_span(s.begin_b, s.end_b),
                       clock_time(s.end_a - s.begin_a), s.begin_a - s.begin_b);
  }
  if (timeline.stretches.size() > kMostRows) {
    out += fmt::format("{:{}}and {} more\n", "", kIndent, timeline.stretches.size() - kMostRows);
  }
  return out;
}

}  // namespace

std::string timeline_text(std::string_view what, const Timeline& timeline, std::size_t width) {
  const std::size_t count = timeline.stretches.size();
  std::string out =
      fmt::format("{:<{}}{} {}, {} of A, agreement {}\n", what, kIndent, human_count(count),
                  count == 1 ? "stretch" : "stretches", clock_time(shared_time(timeline).seconds_a),
                  whole_percent(timeline.agreement));
  out += rows(timeline);
  const std::string length_a = clock_time(timeline.seconds_a);
  const std::string length_b = clock_time(timeline.seconds_b);
  const std::size_t beside = kIndent + 1 + std::max(length_a.size(), length_b.size());
  const std::size_t room =
      std::clamp(width > beside ? width - beside : 0, kLeastColumns, kMostColumns);
  // Both by the clock of a, so that equal stretches have equal lengths.
  const double by_a = timeline.seconds_b * timeline.speed;
  const double longest = std::max(timeline.seconds_a, by_a);
  const auto columns = [&](double seconds) {
    if (!(longest > 0)) return room;
    const double share = seconds / longest * static_cast<double>(room);
    return std::clamp<std::size_t>(static_cast<std::size_t>(std::lround(share)), 1, room);
  };
  const std::string a = lane(timeline, true, columns(timeline.seconds_a));
  const std::string b = lane(timeline, false, columns(by_a));
  out += fmt::format("{:<{}}{:<{}} {}\n", "A", kIndent, a, room, length_a);
  return out + fmt::format("{:<{}}{:<{}} {}\n", "B", kIndent, b, room, length_b);
}

}  // namespace twinsift
