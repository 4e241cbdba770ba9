// SPDX-License-Identifier: Apache-2.0
#include "report/coverage.h"

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "report/facts.h"
#include "report/recording_words.h"

namespace twinsift {
namespace {

constexpr double kSlack = 1;  // seconds; cuts are not known better than that
constexpr std::size_t kMostNamed = 6;

constexpr double kNearlyAll = 0.8;

// The stretches of one part, by the clock of the whole, which is the a or the b of the timeline.
void add_part(const Timeline& timeline, bool whole_is_a, std::uint32_t member, Coverage& coverage) {
  coverage.seconds =
      std::max(coverage.seconds, whole_is_a ? timeline.seconds_a : timeline.seconds_b);
  ++coverage.members;
  for (const Stretch& s : timeline.stretches) {
    coverage.parts.push_back(whole_is_a ? Coverage::Part{member, s.begin_a, s.end_a}
                                        : Coverage::Part{member, s.begin_b, s.end_b});
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

// Puts the parts together; nothing if there are not two at least.
std::optional<Coverage> finished(Coverage coverage) {
  if (coverage.members < 2 || !(coverage.seconds > 0)) return std::nullopt;
  std::ranges::sort(coverage.parts, [](const auto& x, const auto& y) {
    return std::tie(x.begin, x.end, x.member) < std::tie(y.begin, y.end, y.member);
  });
  join_neighbours(coverage.parts);
  measure(coverage);
  return coverage;
}

// The timeline of a pair of which the first member of the group contains the other one.
const Timeline* part_of_first(const MemberPair& pair) {
  const bool contains = pair.a == 0 ? pair.relation == Relation::kContains
                                    : pair.b == 0 && pair.relation == Relation::kContained;
  const Timeline* timeline = main_timeline(pair.evidence);
  return contains && timeline != nullptr && !timeline->stretches.empty() ? timeline : nullptr;
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

// What comes behind the name of the whole.
std::string places_words(const Coverage& coverage) {
  std::vector<Coverage::Interval> places;
  for (const Coverage::Part& part : coverage.parts) places.emplace_back(part.begin, part.end);
  std::string words = spans(places);
  if (coverage.gaps.empty()) words += ", 100 % covered";
  if (!coverage.gaps.empty()) words += fmt::format("; none has {}", spans(coverage.gaps));
  if (!coverage.overlaps.empty()) {
    words += fmt::format("; more than one has {}", spans(coverage.overlaps));
  }
  return words;
}

std::string whole_words(const Coverage& coverage, std::string_view medium) {
  const std::string whole = medium == "video" ? "the film" : "the recording";
  return coverage.gaps.empty() ? whole
                               : fmt::format("{} of {}", whole_percent(coverage.share), whole);
}

// One recording, while what others have of it is gathered.
struct Gathered {
  std::string_view medium;
  std::vector<std::string> others;
  Coverage coverage;
  double told = 0;  // share of it that the parts in its group have, which is told there

  void add(const Timeline& timeline, bool whole_is_a, const std::string& other) {
    add_part(timeline, whole_is_a, static_cast<std::uint32_t>(others.size()), coverage);
    others.push_back(other);
  }
};

}  // namespace

std::optional<Coverage> coverage_of(const Group& group) {
  Coverage coverage;
  for (const MemberPair& pair : group.pairs) {
    const Timeline* timeline = part_of_first(pair);
    if (timeline == nullptr) continue;
    add_part(*timeline, pair.a == 0, pair.a == 0 ? pair.b : pair.a, coverage);
  }
  return finished(std::move(coverage));
}

std::string coverage_words(const Coverage& coverage, std::string_view medium) {
  return fmt::format("these {} parts together are {}: {}", coverage.members,
                     whole_words(coverage, medium), places_words(coverage));
}

std::vector<LinkedCoverage> linked_coverage(const Report& report) {
  std::map<std::string_view, Gathered> wholes;
  for (const RecordingLink& link : report.links) {
    const auto& timeline = link.film ? link.film : link.sound;
    if (!timeline || timeline->stretches.empty()) continue;
    for (const bool a : {true, false}) {
      Gathered& whole = wholes[a ? link.a : link.b];
      whole.medium = link.medium;
      whole.add(*timeline, a, a ? link.b : link.a);
    }
  }
  for (const Group& group : report.groups) {
    const auto whole = group.members.empty() ? wholes.end() : wholes.find(group.members[0].path);
    if (whole == wholes.end()) continue;
    if (const auto parts = coverage_of(group)) whole->second.told = parts->share;
    for (const MemberPair& pair : group.pairs) {
      const std::uint32_t member = pair.a == 0 ? pair.b : pair.a;
      const Timeline* timeline = part_of_first(pair);
      if (timeline == nullptr || member >= group.members.size()) continue;
      whole->second.add(*timeline, pair.a == 0, group.members[member].path);
    }
  }
  std::vector<LinkedCoverage> told;
  for (auto& [path, whole] : wholes) {
    auto coverage = finished(std::move(whole.coverage));
    if (!coverage || coverage->share < kNearlyAll) continue;
    if (coverage->seconds * (coverage->share - whole.told) < kSlack) continue;
    told.push_back({std::string(path), std::string(whole.medium), std::move(whole.others),
                    *std::move(coverage)});
  }
  return told;
}

std::string coverage_words(const LinkedCoverage& linked) {
  return fmt::format("these {} recordings together have {}: {}", linked.coverage.members,
                     whole_words(linked.coverage, linked.medium), places_words(linked.coverage));
}

}  // namespace twinsift
