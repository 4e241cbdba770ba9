// SPDX-License-Identifier: Apache-2.0
#include "report/coverage.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "feature/test_film.h"
#include "verify/film_match.h"

namespace twinsift {
namespace {

using Intervals = std::vector<Coverage::Interval>;

// A film of this length and its parts, each of one stretch or more.
Group film(double seconds, const std::vector<Intervals>& parts) {
  Group group{.id = 1, .medium = "video", .members = {}, .pairs = {}};
  group.members.resize(parts.size() + 1);
  for (std::uint32_t i = 0; i < parts.size(); ++i) {
    MemberPair& pair = group.pairs.emplace_back();
    pair.b = i + 1;
    pair.relation = Relation::kContains;
    Timeline& timeline = pair.evidence.film.emplace();
    timeline.seconds_a = seconds;
    double at = 0;
    for (const auto& [begin, end] : parts[i]) {
      timeline.stretches.push_back({begin, end, at, at + end - begin});
      at += end - begin;
    }
    timeline.seconds_b = at;
  }
  return group;
}

std::string words(const Group& group) {
  const auto coverage = coverage_of(group);
  return coverage ? coverage_words(*coverage, group.medium) : "";
}

TEST(Coverage, TwoHalvesAreTheFilm) {
  const Group group = film(90, {{{0, 45}}, {{45, 90}}});
  EXPECT_EQ(words(group),
            "these 2 parts together are the film: 0:00-0:45 and 0:45-1:30, 100 % covered");
  const auto coverage = coverage_of(group);
  ASSERT_TRUE(coverage);
  EXPECT_EQ(coverage->members, 2U);
  ASSERT_EQ(coverage->parts.size(), 2U);
  EXPECT_EQ(coverage->parts[1].member, 2U);
  EXPECT_EQ(coverage->share, 1);
}

TEST(Coverage, CutsAreNotKnownToTheFrame) {
  EXPECT_EQ(words(film(90.4, {{{0.3, 44.6}}, {{45.2, 90}}})),
            "these 2 parts together are the film: 0:00-0:45 and 0:45-1:30, 100 % covered");
}

TEST(Coverage, GapsAndOverlapsAreTold) {
  EXPECT_EQ(words(film(100, {{{0, 40}}, {{50, 100}}})),
            "these 2 parts together are 90 % of the film: 0:00-0:40 and 0:50-1:40; none has "
            "0:40-0:50");
  EXPECT_EQ(words(film(100, {{{0, 60}}, {{50, 100}}})),
            "these 2 parts together are the film: 0:00-1:00 and 0:50-1:40, 100 % covered; more "
            "than one has 0:50-1:00");
  EXPECT_EQ(words(film(100, {{{10, 60}}, {{50, 80}}, {{60, 80}}})),
            "these 3 parts together are 70 % of the film: 0:10-1:00, 0:50-1:20 and 1:00-1:20; "
            "none has 0:00-0:10 and 1:20-1:40; more than one has 0:50-1:00 and 1:00-1:20");
}

TEST(Coverage, PiecesOfOnePartAreOne) {
  EXPECT_EQ(words(film(90, {{{0, 20}, {20.5, 45}}, {{45, 90}}})),
            "these 2 parts together are the film: 0:00-0:45 and 0:45-1:30, 100 % covered");
}

TEST(Coverage, MorePartsThanOneReadsAreCounted) {
  std::vector<Intervals> parts;
  for (int i = 0; i < 9; ++i) parts.push_back({{10.0 * i, 10.0 * i + 10}});
  EXPECT_EQ(words(film(90, parts)),
            "these 9 parts together are the film: 0:00-0:10, 0:10-0:20, 0:20-0:30, 0:30-0:40, "
            "0:40-0:50, 0:50-1:00 and 3 more, 100 % covered");
}

TEST(Coverage, OnePartAloneOrCopiesAreNoSum) {
  EXPECT_EQ(words(film(90, {{{0, 45}}})), "");
  Group group = film(90, {{{0, 45}}, {{45, 90}}});
  group.pairs[0].relation = Relation::kSame;
  EXPECT_EQ(words(group), "");
  group.pairs[0].relation = Relation::kLinked;
  EXPECT_EQ(words(group), "") << "what is linked has other things besides";
  group.pairs[0].relation = Relation::kContains;
  group.pairs[0].evidence.film.reset();
  EXPECT_EQ(words(group), "");
}

TEST(Coverage, PairsMayStandTheOtherWayRound) {
  Group group = film(90, {{{0, 45}}, {{45, 90}}});
  MemberPair& pair = group.pairs[0];
  std::swap(pair.a, pair.b);
  pair.relation = Relation::kContained;
  Timeline& timeline = *pair.evidence.film;
  std::swap(timeline.seconds_a, timeline.seconds_b);
  for (Stretch& s : timeline.stretches) s = {s.begin_b, s.end_b, s.begin_a, s.end_a};
  EXPECT_EQ(words(group),
            "these 2 parts together are the film: 0:00-0:45 and 0:45-1:30, 100 % covered");
  group.medium = "audio";
  EXPECT_TRUE(words(group).starts_with("these 2 parts together are the recording: "));
}

TEST(Coverage, PutsAFilmTogetherAgain) {
  const TestFilm film(1, 25);
  const FilmPrint whole = film_print(film);
  Group group{.id = 1, .medium = "video", .members = {}, .pairs = {}};
  group.members.resize(5);
  for (const double from : {12.0, 0.0, 18.0, 6.0}) {
    const double to = from == 18 ? 25 : from + 6;
    MemberPair& pair = group.pairs.emplace_back();
    pair.b = static_cast<std::uint32_t>(group.pairs.size());
    pair.relation = Relation::kContains;
    pair.evidence.film = match_film(whole, film_print(film, {.from = from, .to = to, .noise = 6}));
    ASSERT_TRUE(pair.evidence.film);
  }
  const auto coverage = coverage_of(group);
  ASSERT_TRUE(coverage);
  EXPECT_GT(coverage->share, 0.95);
  ASSERT_EQ(coverage->parts.size(), 4U);
  for (const auto& [place, member] : {std::pair(0, 2U), {1, 4U}, {2, 1U}, {3, 3U}}) {
    EXPECT_EQ(coverage->parts[static_cast<std::size_t>(place)].member, member);
  }
}

RecordingLink link(std::string a, std::string b, const Stretch& stretch) {
  return {.a = std::move(a),
          .b = std::move(b),
          .medium = "video",
          .score = 0.7,
          .sound = {},
          .film = Timeline{.seconds_a = 90, .seconds_b = 90, .stretches = {stretch}}};
}

TEST(LinkedCoverage, OneRecordingMayBeAPartOfSeveral) {
  Report report;
  report.links = {link("a", "c", {0, 50, 40, 90}), link("b", "c", {45, 90, 0, 45}),
                  link("a", "d", {50, 90, 0, 40}), link("b", "e", {0, 45, 45, 90})};
  const auto told = linked_coverage(report);
  ASSERT_EQ(told.size(), 3U);
  EXPECT_EQ(told[0].path, "a");
  EXPECT_EQ(told[0].others, (std::vector<std::string>{"c", "d"}));
  EXPECT_EQ(told[1].path, "b");
  EXPECT_EQ(coverage_words(told[1]),
            "these 2 recordings together have the film: 0:00-0:45 and 0:45-1:30, 100 % covered");
  EXPECT_EQ(told[2].path, "c");
  EXPECT_EQ(told[2].coverage.overlaps, (Intervals{{40, 45}}));
}

TEST(LinkedCoverage, CountsWhatTheGroupHasAndTellsNothingOfLess) {
  Report report;
  report.groups = {film(90, {{{0, 40}}})};
  report.groups[0].members[0].path = "a";
  report.groups[0].members[1].path = "part";
  EXPECT_TRUE(linked_coverage(report).empty()) << "nothing is linked";
  report.links = {link("a", "c", {40, 90, 0, 50})};
  ASSERT_EQ(linked_coverage(report).size(), 1U);
  EXPECT_EQ(linked_coverage(report)[0].others, (std::vector<std::string>{"c", "part"}));
  report.links = {link("a", "c", {40, 60, 0, 20})};
  EXPECT_TRUE(linked_coverage(report).empty());
}

// ORACLE: the share is that of the seconds that some part has, counted one by one.
RC_GTEST_PROP(Coverage, TheShareIsThatOfTheSeconds, ()) {
  const auto numbers = *rc::gen::container<std::vector<std::pair<int, int>>>(
      4, rc::gen::pair(rc::gen::inRange(0, 100), rc::gen::inRange(0, 60)));
  std::vector<Intervals> parts;
  std::vector<int> has(100, 0);
  for (const auto& [begin, length] : numbers) {
    const int end = begin + length + 1;  // some end after the film: lengths are only claimed
    parts.push_back({{begin, end}});
    for (int s = begin; s < std::min(end, 100); ++s) ++has[static_cast<std::size_t>(s)];
  }
  const auto coverage = coverage_of(film(100, parts));
  RC_ASSERT(coverage.has_value());
  int covered = 0;
  for (const int n : has) covered += n > 0 ? 1 : 0;
  RC_ASSERT(std::abs(coverage->share - covered / 100.0) < 1e-9);
  double gaps = 0;
  for (const auto& [begin, end] : coverage->gaps) gaps += end - begin;
  RC_ASSERT(std::abs(gaps - (100 - covered)) < 1e-9);
}

}  // namespace
}  // namespace twinsift
