// SPDX-License-Identifier: Apache-2.0
// Groups of recordings, and links between them, in every format.
#include <gtest/gtest.h>
#include <simdjson.h>

#include "base/escape.h"
#include "report/test_reports.h"

namespace twinsift {
namespace {

using std::string_literals::operator""s;

// A film, its first half, its second half mirrored, another with which it shares the middle, and
// one that only sounds like it.
Group film_group() {
  Group group{.id = 3, .medium = "video", .score = 0.62, .members = {}, .pairs = {}};
  for (const char* name : {"film.mkv", "first.mp4", "second.mp4", "other.mkv", "song.mkv"}) {
    Member& member = group.members.emplace_back();
    member.path = name;
    member.size = 1'000'000;
    member.facts = {{"width", "640"}, {"channels", "2"}};
  }
  const auto add = [&](Relation relation, double seconds, const Stretch& stretch) -> MemberPair& {
    MemberPair& pair = group.pairs.emplace_back();
    pair.b = static_cast<std::uint32_t>(group.pairs.size());
    pair.score = 0.7;
    pair.relation = relation;
    pair.evidence.film = {.seconds_a = 90, .seconds_b = seconds, .stretches = {stretch}};
    return pair;
  };
  add(Relation::kContains, 45, {0, 45, 0, 45});
  add(Relation::kContains, 45, {45, 90, 0, 45}).evidence.film->mirrored = true;
  add(Relation::kLinked, 100, {30, 60, 10, 40});
  Evidence& song = add(Relation::kSame, 90, {0, 90, 0, 90}).evidence;
  song.sound = std::move(song.film);
  song.film.reset();
  return group;
}

Report films() {
  Report report;
  report.groups = {film_group()};
  report.links = {
      {.a = "film.mkv",
       .b = "caf\xE9\n.mkv",
       .medium = "video",
       .score = 0.63,
       .sound = {},
       .film = Timeline{.seconds_a = 90, .seconds_b = 200, .stretches = {{10, 40, 150, 180}}}}};
  return report;
}

TEST(RecordingReport, TextSaysWhatIsSharedAndWhatStays) {
  EXPECT_EQ(written("text", films()),
            R"(video, 62.0 % alike, 5 files, 2.0 MB could go
  keep         1.0 MB  film.mkv
  70.0 %       1.0 MB  first.mp4
                       is 0:00-0:45 of it, 50 % of it, another soundtrack
  70.0 %       1.0 MB  second.mp4
                       is 0:45-1:30 of it, 50 % of it, mirrored, another soundtrack
  linked       1.0 MB  other.mkv
                       shares 0:30 with it: 0:30-1:00, 33 % of it and 30 % of this one, another soundtrack; it stays
  70.0 %       1.0 MB  song.mkv
                       the same, 1:30, only the sound agrees; it stays
  these 2 parts together are the film: 0:00-0:45 and 0:45-1:30, 100 % covered

Linked recordings
  film.mkv
  caf\xe9\n.mkv
    the second shares 0:30 with the first: 0:10-0:40, 33 % of the first and 15 % of the second

1 group, 5 files, 2.0 MB could go.
1 linked pair of recordings, of which nothing could go.
)");
}

TEST(RecordingReport, JsonHasTimelinesRolesAndLinks) {
  simdjson::dom::parser parser;
  const std::string json = written("json", films());
  const simdjson::dom::element root = parser.parse(json);
  const auto text = [&](const char* pointer) {
    return std::string(root.at_pointer(pointer).get_string().value());
  };
  EXPECT_EQ(text("/groups/0/members/0/role"), "keeper");
  EXPECT_EQ(text("/groups/0/members/1/role"), "duplicate");
  EXPECT_EQ(text("/groups/0/members/3/role"), "related");
  EXPECT_EQ(text("/groups/0/members/4/role"), "related");
  EXPECT_EQ(text("/groups/0/pairs/2/relation"), "linked");
  EXPECT_NE(json.find(R"("film":{"seconds_a":90.000000,"seconds_b":45.000000,"speed":1.000000,)"
                      R"("pitch":1.000000,"agreement":0.000000,"mirrored":true,)"
                      R"("stretches":[[45.000000,90.000000,0.000000,45.000000]]})"),
            std::string::npos);
  EXPECT_EQ(text("/links/0/b"), "caf\\xe9\\n.mkv");
  EXPECT_EQ(text("/links/0/b_b64"), "Y2Fm6QoubWt2");
  EXPECT_EQ(root.at_pointer("/links/0/film/stretches/0/2").get_double().value(), 150);
}

// A film of which two others have a half each, and either has more of its own.
Report linked_halves() {
  Report report;
  const auto link = [](std::string b, const Stretch& stretch) {
    return RecordingLink{
        .a = "film.mkv",
        .b = std::move(b),
        .medium = "video",
        .score = 0.7,
        .sound = {},
        .film = Timeline{.seconds_a = 90, .seconds_b = 200, .stretches = {stretch}}};
  };
  report.links = {link("one.mkv", {0, 45, 100, 145}), link("two\xE9.mkv", {45, 90, 0, 45})};
  return report;
}

TEST(RecordingReport, EveryFormatTellsWhatOthersMakeUp) {
  const Report report = linked_halves();
  EXPECT_NE(written("text", report)
                .find("Recordings that others make up\n  film.mkv\n    these 2 recordings together "
                      "have the film: 0:00-0:45 and 0:45-1:30, 100 % covered\n"),
            std::string::npos);
  constexpr std::string_view kTogether =
      R"("path":"film.mkv","medium":"video","seconds":90.000000,"share":1.000000,"parts":[)"
      R"({"path":"one.mkv","begin":0.000000,"end":45.000000},)"
      R"({"path":"two\\xe9.mkv","path_b64":"dHdv6S5ta3Y=","begin":45.000000,"end":90.000000}],)"
      R"("gaps":[],"overlaps":[]})";
  const std::string json = written("json", report);
  EXPECT_NE(json.find("\"together\":[\n{" + std::string(kTogether)), std::string::npos) << json;
  simdjson::dom::parser parser;
  EXPECT_EQ(parser.parse(json).error(), simdjson::SUCCESS);
  EXPECT_NE(written("ndjson", report).find(R"({"v":1,"type":"together",)" + std::string(kTogether)),
            std::string::npos);
  EXPECT_NE(written("html", report).find(R"("words":"these 2 recordings together have the film: )"),
            std::string::npos);
  EXPECT_EQ(written("json", films()).find("\"together\""), std::string::npos);
}

TEST(RecordingReport, JsonTellsWhatPartsOfAGroupAre) {
  EXPECT_NE(
      written("json", films())
          .find(R"("coverage":{"seconds":90.000000,"share":1.000000,"parts":[)"
                R"({"member":1,"begin":0.000000,"end":45.000000},)"
                R"({"member":2,"begin":45.000000,"end":90.000000}],"gaps":[],"overlaps":[]})"),
      std::string::npos);
}

TEST(RecordingReport, NdjsonHasALineForEachLink) {
  const std::string lines = written("ndjson", films());
  const std::size_t link = lines.find(R"({"v":1,"type":"link","a":"film.mkv",)");
  ASSERT_NE(link, std::string::npos);
  EXPECT_LT(lines.find("\"type\":\"group\""), link);
  EXPECT_GT(lines.find("\"type\":\"end\""), link);
}

TEST(RecordingReport, CsvTellsWhereMembersLie) {
  const std::string csv = written("csv", films());
  EXPECT_NE(csv.find(",false,contains,0.500000,1.000000,45.000000,0.000000,1.000000\n"),
            std::string::npos);
  EXPECT_NE(csv.find(",false,linked,0.333333,0.300000,30.000000,10.000000,1.000000\n"),
            std::string::npos);
  EXPECT_NE(csv.find("\"video\",related,"), std::string::npos);
  Report turned = films();
  MemberPair& pair = turned.groups[0].pairs[1];
  std::swap(pair.a, pair.b);
  pair.relation = Relation::kContained;
  pair.evidence.film = {
      .seconds_a = 45, .seconds_b = 90, .stretches = {{0, 45, 45, 90}}, .speed = 1};
  EXPECT_EQ(written("csv", turned), csv) << "columns are about the keeper and the member";
}

// Scripts that read fdupes delete all but the first path of a group.
TEST(RecordingReport, FdupesNamesOnlyWhatMayGo) {
  EXPECT_EQ(written("fdupes", films()), "film.mkv\nfirst.mp4\nsecond.mp4\n");
  Report report = films();
  report.groups[0].pairs.erase(report.groups[0].pairs.begin(), report.groups[0].pairs.begin() + 2);
  report.groups[0].members.resize(3);
  report.groups[0].pairs[0].b = 1;
  report.groups[0].pairs[1].b = 2;
  EXPECT_EQ(written("fdupes", report), "");
}

TEST(RecordingReport, EqualBytesAreNeverCalledLinked) {
  Report report = films();
  report.groups[0].pairs[2].identical = true;
  EXPECT_NE(written("text", report).find("  identical    1.0 MB  other.mkv\n  70.0 %"),
            std::string::npos);
}

// The head and the tail of a small PNG; nobody decodes it here.
const std::string kPng =
    "\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\0\0\0\x10\0\0\0\x09xxxxxxxxx\0\0\0\0IEND\xAE\x42\x60\x82"s;

std::size_t count_of(std::string_view needle, std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = text.find(needle); at != text.npos; at = text.find(needle, at + 1)) ++count;
  return count;
}

Report films_with_strips() {
  Report report = films();
  for (MemberPair& pair : report.groups[0].pairs) {
    pair.strip_a = {.seconds = 90, .peaks = {0, 128, 255}, .frames = {{0, kPng}, {45.5, kPng}}};
  }
  report.groups[0].pairs[0].strip_b = {
      .seconds = 45, .peaks = {}, .frames = {{0, "<svg onload=alert(1)>"}, {10, kPng}}};
  return report;
}

TEST(RecordingReport, HtmlHoldsEachStripOnceAndOnlyPictures) {
  const std::string page = written("html", films_with_strips());
  EXPECT_EQ(count_of("<template id=\"frames-", page), 2U);
  EXPECT_NE(page.find("<template id=\"frames-3-0\"><img alt=\"\" data-seconds=\"0.000\" "
                      "decoding=\"async\" src=\"data:image/png;base64," +
                      base64(kPng) + "\"><img alt=\"\" data-seconds=\"45.500\""),
            std::string::npos);
  EXPECT_NE(page.find("<template id=\"frames-3-1\"><img alt=\"\" data-seconds=\"10.000\""),
            std::string::npos)
      << "what is no picture by its head is left out";
  EXPECT_EQ(page.find("<svg onload"), std::string::npos);
  EXPECT_NE(page.find(R"("strips":[{"peaks":"AID/"},null,null,null,null])"), std::string::npos);
}

TEST(RecordingReport, HtmlTellsWordsChangesAndWhatStays) {
  const std::string page = written("html", films());
  EXPECT_NE(page.find(R"("changes":[[],["mirrored"],[],[]])"), std::string::npos);
  EXPECT_NE(page.find(R"("stays":["","","only linked","only the sound agrees"])"),
            std::string::npos);
  EXPECT_NE(page.find(R"("coverage_words":"these 2 parts together are the film: )"),
            std::string::npos);
  EXPECT_NE(page.find(R"("gain":2000000)"), std::string::npos);
  EXPECT_NE(page.find(R"("words":"shares 0:30 with the first: )"), std::string::npos);
  EXPECT_NE(page.find("media-src file:;"), std::string::npos);
  EXPECT_EQ(page.find("http://"), std::string::npos);
}

// The page draws its sections while it loads, before constants that follow have a value.
TEST(RecordingReport, HtmlDrawsLinksWithFunctionsThatAreThereFromTheBeginning) {
  const std::string page = written("html", films());
  for (const char* item : {"linkItem", "togetherItem"}) {
    EXPECT_NE(page.find("map(" + std::string(item) + ")"), std::string::npos) << item;
    EXPECT_NE(page.find("function " + std::string(item) + "("), std::string::npos) << item;
  }
}

TEST(RecordingReport, HtmlLimitsGroupsWithStrips) {
  Report report = films_with_strips();
  report.groups.assign(302, report.groups[0]);
  for (std::size_t i = 0; i < report.groups.size(); ++i) report.groups[i].id = i + 1;
  const std::string page = written("html", report);
  EXPECT_EQ(count_of("<template id=\"frames-", page), 600U);
  EXPECT_EQ(count_of("\"strips\":[", page), 300U);
  EXPECT_EQ(count_of("\"coverage_words\":\"", page), 302U) << "what costs little is always told";
}

TEST(RecordingReport, HtmlTakesPairsOfNobodyForNothing) {
  Report report = films_with_strips();
  report.groups[0].pairs[0].b = 9;
  EXPECT_NE(written("html", report).find(R"("words":["",)"), std::string::npos);
}

}  // namespace
}  // namespace twinsift
