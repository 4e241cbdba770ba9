// SPDX-License-Identifier: Apache-2.0
#include "report/coverage.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "report/facts.h"
#include "report/recording_words.h"

namespace twinsift {
namespace {

constexpr double kSlack = 1;  // seconds; cuts are not known better than that
constexpr std::size_t kMostNamed = 6;

// The stretches of one part, by the clock of the one to keep.
void add_parts(const MemberPair& pair, std::vector<Coverage::Part>& parts) {
  const Timeline* timeline = main_timeline(pair.evidence);
  for (const Stretch& s : timeline->stretches) {
    parts.push_back(pair.a == 0 ? Coverage::Part{pair.b, s.begin_a, s.end_a}
                                : Coverage::Part{pair.a, s.begin_b, s.end_b});
  }
}

// Requires: sorted by their beginnings.  The pieces of one member that follow each other are one.
void join_neighbours(std::vector<Coverage::Part>& parts) {
  std::vector<Coverage::Part> joined;
  for (const Coverage::Part& part : parts) {
    const bool follows = !joined.empty() && joined.back().member == part.member &&
                         part.begin - joined.back().end <= kSlack;
    if (follows) {
      joined.back().end = std::max(joined.back().end, part.end);
    } else {
      joined.push_back(part);
    }
  }
  parts = std::move(joined);
}

// Goes along the parts and notes where none or several of them are.
void measure(Coverage& coverage) {
  double end = 0;
  double covered = 0;
  const auto skip_to = [&](double begin) {
    if (begin - end >= kSlack) {
      coverage.gaps.emplace_back(end, begin);
    } else {
      covered += std::max(0.0, begin - end);  // below what a detector can tell
    }
  };
  for (const Coverage::Part& part : coverage.parts) {
    const double begin = std::min(part.begin, coverage.seconds);
    const double last = std::min(part.end, coverage.seconds);
    skip_to(begin);
    if (std::min(end, last) - begin >= kSlack) {
      coverage.overlaps.emplace_back(begin, std::min(end, last));
    }
    covered += std::max(0.0, last - std::max(begin, end));
    end = std::max(end, last);
  }
  skip_to(coverage.seconds);
  coverage.share = std::min(1.0, covered / coverage.seconds);
}

std::string spans(const std::vector<Coverage::Interval>& intervals) {
  std::string text;
  for (std::size_t i = 0; i < std::min(intervals.size(), kMostNamed); ++i) {
    if (i > 0) text += i + 1 == intervals.size() ? " and " : ", ";
    text += clock_span(intervals[i].first, intervals[i].second);
  }
  if (intervals.size() > kMostNamed) {
    text += fmt::format(" and {} more", intervals.size() - kMostNamed);
  }
  return text;
}

}  // namespace

std::optional<Coverage> coverage_of(const Group& group) {
  Coverage coverage;
  for (const MemberPair& pair : group.pairs) {
    const bool contains = pair.a == 0 ? pair.relation == Relation::kContains
                                      : pair.b == 0 && pair.relation == Relation::kContained;
    const Timeline* timeline = main_timeline(pair.evidence);
    if (!contains || timeline == nullptr || timeline->stretches.empty()) continue;
    const double seconds = pair.a == 0 ? timeline->seconds_a : timeline->seconds_b;
    coverage.seconds = std::max(coverage.seconds, seconds);
    ++coverage.members;
    add_parts(pair, coverage.parts);
  }
  if (coverage.members < 2 || !(coverage.seconds > 0)) return std::nullopt;
  std::ranges::sort(coverage.parts, [](const auto& x, const auto& y) {
    return std::tie(x.begin, x.end, x.member) < std::tie(y.begin, y.end, y.member);
  });
  join_neighbours(coverage.parts);
  measure(coverage);
  return coverage;
}

std::string coverage_words(const Coverage& coverage, std::string_view medium) {
  std::vector<Coverage::Interval> places;
  for (const Coverage::Part& part : coverage.parts) places.emplace_back(part.begin, part.end);
  const std::string whole = medium == "video" ? "the film" : "the recording";
  const std::string what =
      coverage.gaps.empty() ? whole : fmt::format("{} of {}", whole_percent(coverage.share), whole);
  std::string words =
      fmt::format("these {} parts together are {}: {}", coverage.members, what, spans(places));
  if (coverage.gaps.empty()) words += ", 100 % covered";
  if (!coverage.gaps.empty()) words += fmt::format("; none has {}", spans(coverage.gaps));
  if (!coverage.overlaps.empty()) {
    words += fmt::format("; more than one has {}", spans(coverage.overlaps));
  }
  return words;
}

}  // namespace twinsift
