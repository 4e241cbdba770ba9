// SPDX-License-Identifier: Apache-2.0
#include "twinsift/report.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <simdjson.h>

#include "base/escape.h"
#include "report/facts.h"

namespace twinsift {
namespace {

using namespace std::string_literals;
using simdjson::dom::element;

const std::string kHostile = "</script><script>alert(1)</script>\"'\n\x1b[2J\u202Etxt.exe";
const std::string kNotUnicode = "caf\xE9/\xFF.txt";

// Three texts, two of them identical, one hard link, one with a hostile name and shared passages.
Group text_group() {
  Group group;
  group.id = 1;
  group.medium = "text";
  group.score = 0.9715;
  group.members = {
      {"docs/report.txt",
       8123,
       1769860800123456789,
       std::string(32, 'a'),
       {{"charset", "UTF-8"}},
       {}},
      {"backup/report.txt", 8123, 0, std::string(32, 'a'), {}, {"backup/hard link.txt"}},
      {"old/report.txt", 7990, -1, std::string(32, 'b'), {}, {}},
  };
  group.pairs.push_back({0, 1, 1, true, Relation::kSame, {}, "", ""});
  MemberPair pair{
      0, 2, 0.9715, false, Relation::kContains, {}, "One shared line.", "A shared line."};
  pair.evidence = {
      0.9715, 0.98, 0.99, 700, 714, 707, {{4, 12}, {2, 12}, 2}, {{{4, 12}, {2, 12}, 2}}};
  group.pairs.push_back(pair);
  return group;
}

Group hostile_group() {
  Group group;
  group.id = 2;
  group.medium = "file";
  group.members = {{kHostile, 5, 0, std::string(32, 'c'), {}, {}},
                   {kNotUnicode, 5, 0, std::string(32, 'c'), {}, {kNotUnicode}}};
  group.pairs.push_back({0, 1, 1, true, Relation::kSame, {}, "", ""});
  return group;
}

Report sample() {
  Report report;
  report.run = {"0.1.0", "twinsift find .", "2026-01-31T12:00:00Z",     0.8, 0.99,
                "same",  {"text.1"},        "P(found at 0.80) >= 0.99", 2};
  report.groups = {text_group(), hostile_group()};
  report.folders.push_back(
      {"holiday", "backup/", Relation::kContained, 0.5, 1, 0.5, 12, 0, 5, 3400000, 0, 999999});
  report.skipped.push_back({"secret\n.txt", "permission denied", "The file could not be opened."});
  report.notes = {"One disk was read only."};
  report.stages = {{"walk", 1204, 9000000, 0.25, {}},
                   {"index", 1204, 0, 1.5, {{"candidates", 17}}}};
  report.peak_rss = 123456;
  return report;
}

std::string written(std::string_view format, const Report& report, ReportOptions options = {}) {
  std::string out;
  auto reporter = make_reporter(format, options, [&](std::string_view bytes) {
    out += bytes;
    return true;
  });
  EXPECT_TRUE(reporter.has_value());
  (*reporter)->begin(report.run);
  write_report(report, **reporter);
  return out;
}

class Json {
 public:
  explicit Json(const std::string& text) : text_(text) {
    EXPECT_EQ(parser_.parse(text_).get(root_), simdjson::SUCCESS) << text;
  }
  [[nodiscard]] element at(std::string_view pointer) const {
    element found;
    EXPECT_EQ(root_.at_pointer(pointer).get(found), simdjson::SUCCESS) << pointer;
    return found;
  }
  [[nodiscard]] std::string string(std::string_view pointer) const {
    return std::string(at(pointer).get_string().value());
  }
  [[nodiscard]] bool has(std::string_view pointer) const {
    return !root_.at_pointer(pointer).error();
  }

 private:
  simdjson::dom::parser parser_;
  simdjson::padded_string text_;
  element root_;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += c;
    }
  }
  lines.pop_back();
  return lines;
}

TEST(Report, AnUnknownFormatIsAnErrorThatNamesTheKnownOnes) {
  const auto reporter = make_reporter("xml\n", {}, [](std::string_view) { return true; });
  ASSERT_FALSE(reporter.has_value());
  EXPECT_EQ(reporter.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(reporter.error().message,
            "unknown format \"xml\\n\"; choose one of text, json, ndjson, csv, fdupes, html");
}

TEST(Report, NothingComesAfterTheSinkFailed) {
  for (const char* format : {"text", "json", "ndjson", "csv", "fdupes", "html"}) {
    int calls = 0;
    auto reporter = make_reporter(format, {}, [&](std::string_view) { return ++calls < 2; });
    const Report report = sample();
    (*reporter)->begin(report.run);
    write_report(report, **reporter);
    EXPECT_EQ(calls, 2) << format;
  }
}

TEST(Report, JsonCarriesAllFacts) {
  const Json json(written("json", sample()));
  EXPECT_EQ(json.at("/v").get_int64().value(), 1);
  EXPECT_EQ(json.string("/run/command"), "twinsift find .");
  EXPECT_EQ(json.string("/run/detectors/0"), "text.1");
  EXPECT_EQ(json.string("/groups/0/members/0/role"), "keeper");
  EXPECT_EQ(json.string("/groups/0/members/0/mtime"), "2026-01-31T12:00:00.123456789Z");
  EXPECT_EQ(json.string("/groups/0/members/2/mtime"), "1969-12-31T23:59:59.999999999Z");
  EXPECT_EQ(json.string("/groups/0/members/0/facts/charset"), "UTF-8");
  EXPECT_EQ(json.string("/groups/0/members/1/role"), "duplicate");
  EXPECT_EQ(json.string("/groups/0/members/1/links/0/path"), "backup/hard link.txt");
  EXPECT_TRUE(json.at("/groups/0/pairs/0/identical").get_bool().value());
  EXPECT_TRUE(json.at("/groups/0/pairs/1/exact").get_bool().value());
  EXPECT_EQ(json.string("/groups/0/pairs/1/relation"), "contains");
  EXPECT_DOUBLE_EQ(json.at("/groups/0/pairs/1/evidence/containment_b").get_double().value(), 0.99);
  EXPECT_EQ(json.at("/groups/0/pairs/1/evidence/passages/0/a/1").get_int64().value(), 12);
  EXPECT_FALSE(json.has("/groups/0/pairs/0/evidence/longest"));
  EXPECT_EQ(json.string("/folders/0/relation"), "contained");
  EXPECT_EQ(json.string("/skipped/0/reason"), "permission denied");
  EXPECT_EQ(json.string("/notes/0"), "One disk was read only.");
  EXPECT_EQ(json.at("/stats/stages/1/candidates").get_int64().value(), 17);
  EXPECT_EQ(json.at("/stats/peak_rss").get_int64().value(), 123456);
}

TEST(Report, JsonKeepsHostileNamesAndBytesThatAreNoUtf8) {
  const Json json(written("json", sample()));
  EXPECT_EQ(json.string("/groups/1/members/0/path"), kHostile);
  EXPECT_FALSE(json.has("/groups/1/members/0/path_b64"));
  EXPECT_EQ(json.string("/groups/1/members/1/path"), "caf\\xe9/\\xff.txt");
  EXPECT_EQ(json.string("/groups/1/members/1/path_b64"), base64(kNotUnicode));
  EXPECT_EQ(json.string("/groups/1/members/1/links/0/path_b64"), base64(kNotUnicode));
}

TEST(Report, JsonWritesEachGroupAtOnce) {
  std::string out;
  auto reporter = make_reporter("json", {}, [&](std::string_view bytes) {
    out = bytes;
    return true;
  });
  (*reporter)->begin({});
  (*reporter)->group(hostile_group());
  EXPECT_NE(out.find("\"role\":\"keeper\""), std::string::npos);
}

TEST(Report, JsonIsValidWhenPartsAreEmpty) {
  Report report;
  EXPECT_EQ(Json(written("json", report)).at("/groups").get_array().value().size(), 0U);
  report.folders = sample().folders;
  EXPECT_EQ(Json(written("json", report)).at("/folders").get_array().value().size(), 1U);
}

TEST(Report, JsonHasNoNumbersThatJsonDoesNotHave) {
  Report report = sample();
  report.groups[0].score = std::numeric_limits<double>::quiet_NaN();
  report.stages[0].seconds = std::numeric_limits<double>::infinity();
  EXPECT_DOUBLE_EQ(Json(written("json", report)).at("/groups/0/score").get_double().value(), 0);
}

TEST(Report, NdjsonIsOneTypedObjectPerLine) {
  std::string types;
  for (const std::string& line : lines_of(written("ndjson", sample()))) {
    const Json json(line);
    EXPECT_EQ(json.at("/v").get_int64().value(), 1);
    types += json.string("/type") + ' ';
  }
  EXPECT_EQ(types, "run group group folder skip end ");
  const Json end(lines_of(written("ndjson", sample())).back());
  EXPECT_EQ(end.at("/groups").get_int64().value(), 2);
  EXPECT_EQ(end.at("/skipped").get_int64().value(), 1);
}

TEST(Report, NdjsonTellsProgressAndSkipsWhenTheyHappen) {
  std::string out;
  const Report report = sample();
  auto reporter = make_reporter("ndjson", {}, [&](std::string_view bytes) {
    out += bytes;
    return true;
  });
  (*reporter)->begin(report.run);
  (*reporter)->progress({"walk", 3, 0, 900, 0, kNotUnicode});
  (*reporter)->skip(report.skipped[0]);
  write_report(report, **reporter);
  const auto lines = lines_of(out);
  EXPECT_EQ(Json(lines[1]).string("/current_b64"), base64(kNotUnicode));
  EXPECT_EQ(Json(lines[2]).string("/path"), "secret\n.txt");
  EXPECT_EQ(lines.size(), 7U);  // the skip is not told again at the end
}

TEST(Report, CsvHasOneRowPerMemberWithRealBytes) {
  EXPECT_EQ(written("csv", sample()),
            "group,medium,role,score,path,path_b64,size,mtime,digest,identical,relation,"
            "share_of_keeper,share_of_own,begin_keeper,begin_own,speed\n"
            "1,\"text\",keeper,1.000000,\"docs/report.txt\",,8123,2026-01-31T12:00:00.123456789Z," +
                std::string(32, 'a') +
                ",true,,,,,,\n"
                "1,\"text\",duplicate,1.000000,\"backup/report.txt\",,8123,"
                "1970-01-01T00:00:00.000000000Z," +
                std::string(32, 'a') +
                ",true,same,,,,,\n"
                "1,\"text\",duplicate,0.971500,\"old/report.txt\",,7990,"
                "1969-12-31T23:59:59.999999999Z," +
                std::string(32, 'b') + ",false,contains,,,,,\n2,\"file\",keeper,1.000000," +
                csv_field(kHostile) + ",,5,1970-01-01T00:00:00.000000000Z," + std::string(32, 'c') +
                ",true,,,,,,\n2,\"file\",duplicate,1.000000,\"" + kNotUnicode + "\"," +
                base64(kNotUnicode) + ",5,1970-01-01T00:00:00.000000000Z," + std::string(32, 'c') +
                ",true,same,,,,,\n");
}

TEST(Report, FdupesIsBarePathsWithBlankLinesBetween) {
  EXPECT_EQ(written("fdupes", sample()), "docs/report.txt\nbackup/report.txt\nold/report.txt\n\n" +
                                             kHostile + '\n' + kNotUnicode + '\n');
  EXPECT_EQ(written("fdupes", sample(), {.null_separated = true}),
            "docs/report.txt\0backup/report.txt\0old/report.txt\0\0"s + kHostile + '\0' +
                kNotUnicode + "\0\0"s);
}

TEST(Report, TextIsForPeople) {
  EXPECT_EQ(written("text", sample()),
            R"(text, 97.2 % alike, 3 files, 16.1 kB could go
  keep         8.1 kB  docs/report.txt
  identical    8.1 kB  backup/report.txt
                       already one file: backup/hard link.txt
  97.2 %       8.0 kB  old/report.txt

file, identical, 2 files, 5 B could go
  keep            5 B  </script><script>alert(1)</script>"'\n\x1b[2J\u202etxt.exe
  identical       5 B  caf\xe9/\xff.txt
                       already one file: caf\xe9/\xff.txt

Folders
  holiday/ is inside backup/
    in both: 12 files, 3.4 MB
    only in holiday/: nothing
    only in backup/: 5 files, 1.0 MB

2 groups, 5 files, 16.1 kB could go.
1 file skipped.
Guarantee: P(found at 0.80) >= 0.99
Note: One disk was read only.
)");
}

TEST(Report, TextHasColoursOnlyIfAsked) {
  EXPECT_EQ(written("text", sample()).find('\x1b'), std::string::npos);
  const std::string coloured = written("text", sample(), {.colour = true});
  EXPECT_NE(coloured.find("\x1b[32mkeep     \x1b[0m"), std::string::npos);
}

TEST(Report, TextSaysSoWhenThereIsNothing) {
  Report report;
  report.stages = {{"walk", 1204, 0, 0, {}}};
  EXPECT_EQ(written("text", report), "No duplicates among 1,204 files.\n");
}

TEST(Report, HtmlShowsHostileNamesAsTextOnly) {
  const std::string page = written("html", sample());
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  EXPECT_NE(page.find("\\u003c/script>\\u003cscript>alert(1)"), std::string::npos);
  EXPECT_TRUE(is_utf8(page));
  EXPECT_EQ(page.find("http://"), std::string::npos);
  EXPECT_EQ(page.find("https://"), std::string::npos);
}

TEST(Report, HtmlIslandsAreTheJsonOfTheReport) {
  const std::string page = written("html", sample());
  const std::string opening = "data-part=\"groups\">";
  const std::size_t begin = page.find(opening) + opening.size();
  const Json json(page.substr(begin, page.find("</script>", begin) - begin));
  EXPECT_EQ(json.string("/0/members/0/path"), "docs/report.txt");
}

TEST(Report, HtmlCutsTextsAtPassages) {
  const std::string page = written("html", sample());
  EXPECT_NE(
      page.find(
          "<span class=\"only\">One </span><mark class=\"c0\" data-n=\"1\">shared line.</mark>"),
      std::string::npos);
}

TEST(Report, HtmlLimitsTextsAndTheirNumber) {
  Report report;
  Group group = text_group();
  group.pairs.erase(group.pairs.begin());
  group.pairs[0].text_a = std::string(199'999, 'x') + "\u65E5" + std::string(999, 'y');
  group.pairs[0].evidence.passages = {{{0, 201'001}, {0, 3}, 1}};
  report.groups.assign(201, group);
  for (std::size_t i = 0; i < 201; ++i) report.groups[i].id = i + 1;
  const std::string page = written("html", report);
  EXPECT_NE(page.find("xxx</mark><span class=\"cut\">The other 1,002 bytes are not shown."),
            std::string::npos);
  EXPECT_NE(page.find("view-200-0"), std::string::npos);
  EXPECT_EQ(page.find("view-201-0"), std::string::npos);
}

TEST(Report, OutputIsTheSameEachTime) {
  for (const char* format : {"text", "json", "ndjson", "csv", "fdupes", "html"}) {
    EXPECT_EQ(written(format, sample()), written(format, sample())) << format;
  }
}

TEST(Report, NumbersAreReadable) {
  EXPECT_EQ(human_bytes(0), "0 B");
  EXPECT_EQ(human_bytes(999), "999 B");
  EXPECT_EQ(human_bytes(1000), "1.0 kB");
  EXPECT_EQ(human_bytes(999'949), "999.9 kB");
  EXPECT_EQ(human_bytes(999'950), "1.0 MB");
  EXPECT_EQ(human_bytes(UINT64_MAX), "18.4 EB");
  EXPECT_EQ(human_count(1'234'567), "1,234,567");
  EXPECT_EQ(human_percent(0.99999), "99.9 %");
  EXPECT_EQ(human_percent(1), "100.0 %");
  EXPECT_EQ(counted(1, "file"), "1 file");
}

}  // namespace
}  // namespace twinsift
