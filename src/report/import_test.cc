// SPDX-License-Identifier: Apache-2.0
// Reports of other programs.
#include "report/import.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "report/test_reports.h"

namespace twinsift {
namespace {

using namespace std::string_literals;
using Paths = std::vector<std::string>;
using Groups = std::vector<Paths>;

Groups groups(const Report& report) {
  Groups groups;
  for (const Group& group : report.groups) {
    EXPECT_EQ(group.id, groups.size() + 1);
    groups.emplace_back();
    for (const Member& member : group.members) groups.back().push_back(member.path);
  }
  return groups;
}
Groups groups(std::string_view bytes) { return groups(imported(bytes)); }

// Formats of czkawka 8 to 10.
TEST(ImportCzkawka, DuplicatesBySize) {
  const Report report = imported(R"({"2048":[[
    {"path":"/a/1.bin","modified_date":1700000000,"size":2048,"hash":"ab"},
    {"path":"/b/1.bin","modified_date":1700000001,"size":2048,"hash":"ab"}],
   [{"path":"/a/2.bin","modified_date":1700000000,"size":2048,"hash":"cd"},
    {"path":"/b/2.bin","modified_date":1700000001,"size":2048,"hash":"cd"}]],
   "99":[]})");
  EXPECT_EQ(groups(report), (Groups{{"/a/1.bin", "/b/1.bin"}, {"/a/2.bin", "/b/2.bin"}}));
  const Member& member = report.groups[0].members[1];
  EXPECT_EQ(member.size, 2048U);
  EXPECT_EQ(member.mtime_ns, 1'700'000'001'000'000'000);
  EXPECT_EQ(member.digest, "");  // theirs is another hash
  EXPECT_TRUE(report.groups[0].pairs.empty());
}

TEST(ImportCzkawka, DuplicatesByNameAndWithReferences) {
  EXPECT_EQ(groups(R"({"1.bin":[{"path":"/a/1.bin","size":1},{"path":"/b/1.bin","size":2}]})"),
            (Groups{{"/a/1.bin", "/b/1.bin"}}));
  const Report report = imported(R"({"5":[[{"path":"/ref/1","size":5},
    [{"path":"/b/1","size":5},{"path":"/c/1","size":5}]]]})");
  EXPECT_EQ(groups(report), (Groups{{"/ref/1", "/b/1", "/c/1"}}));
  EXPECT_TRUE(report.groups[0].members[0].reference);
  EXPECT_FALSE(report.groups[0].members[1].reference);
}

TEST(ImportCzkawka, SimilarPicturesAndMusic) {
  const Report report = imported(R"([[
    {"path":"/a.jpg","size":10,"width":4032,"height":3024,"modified_date":5,"hash":[1,2],"similarity":0},
    {"path":"/b.jpg","size":9,"width":1600,"height":1200,"modified_date":6,"hash":[1,3],"similarity":1}],
   [{"path":"/a.mp3","size":10,"modified_date":5,"track_title":"","track_artist":"X","bitrate":320}]])");
  EXPECT_EQ(groups(report), (Groups{{"/a.jpg", "/b.jpg"}}));  // one song alone is no group
  EXPECT_EQ(report.groups[0].members[0].facts,
            (std::vector<Fact>{{"width", "4032"}, {"height", "3024"}, {"similarity", "0"}}));
  const Report referenced = imported(
      R"([[{"path":"/ref.jpg","size":1},[{"path":"/b.jpg","size":1},{"path":"/c.jpg","size":1}]]])");
  EXPECT_EQ(groups(referenced), (Groups{{"/ref.jpg", "/b.jpg", "/c.jpg"}}));
  EXPECT_TRUE(referenced.groups[0].members[0].reference);
}

// As `czkawka_cli big` and `empty-files` write them: no file of the list is like another.
TEST(ImportCzkawka, ListsOfSingleFilesAreNoGroup) {
  EXPECT_EQ(error_of(R"([{"path":"/a","size":0,"modified_date":5},{"path":"/b","size":0}])"),
            "r: lists single files, not groups; save a search for duplicates or for similar files");
}

TEST(ImportCzkawka, OtherJsonIsRefused) {
  const std::string unknown = "r: is JSON, but no report that twinsift knows; see docs/REPORTS.md";
  EXPECT_EQ(error_of(R"({"a":1})"), unknown);
  EXPECT_EQ(error_of(R"([1,2])"), unknown);
  EXPECT_EQ(error_of(R"([["a","b"]])"), unknown);
  EXPECT_EQ(error_of(R"([[{"path":7},{"path":"/a"}]])"),
            "r group 1: field \"path\" is not a string");
  EXPECT_EQ(error_of(std::string(2000, '[') + std::string(2000, ']')), "r: nested too deeply");
  EXPECT_EQ(groups("[]"), Groups{});
  EXPECT_EQ(groups("{}"), Groups{});
}

constexpr std::string_view kFclones = R"({
  "header": {"version": "0.34.0", "timestamp": "2022-03-18T08:24:28.793228077+01:00",
    "command": ["fclones", "group", "."], "base_dir": "/home/u",
    "stats": {"group_count": 1, "total_file_count": 2}},
  "groups": [
    {"file_len": 6274, "file_hash": "49165422e775f631cca3b09124f8ee89",
     "files": ["/home/u/a", "b\\nc", "caf\\xE9", "back\\\\slash", "\\u00000E"]}]})";

TEST(ImportFclones, Json) {
  const Report report = imported(kFclones);
  EXPECT_EQ(groups(report), (Groups{{"/home/u/a", "/home/u/b\nc", "/home/u/caf\xE9",
                                     "/home/u/back\\slash", "/home/u/\x0E"}}));
  EXPECT_EQ(report.groups[0].members[0].size, 6274U);
  EXPECT_EQ(error_of(R"({"header":{"version":"1","base_dir":"/"},"groups":[
      {"file_len":1,"file_hash":"","files":["a\\q"]}]})"),
            "r: has a path that fclones would not write");
  EXPECT_EQ(error_of(R"({"header":{"version":"1","base_dir":"/"},"groups":[
      {"file_len":1,"file_hash":"","files":["a\\x00"]}]})"),
            "r: has a path that fclones would not write");
  EXPECT_EQ(groups(R"({"header":{"version":"1","base_dir":"/"},"groups":[
      {"file_len":1,"file_hash":"","files":[]}]})"),
            Groups{});
}

constexpr std::string_view kFclonesText = R"(# Report by fclones 0.18.0
# Timestamp: 2022-03-18 08:22:00.844 +0100
# Command: fclones group .
# Base dir: /home/u
# Total: 13589 B (13.6 KB) in 31 files in 14 groups
49165422e775f631cca3b09124f8ee89, 6274 B (6.3 KB) * 2:
    /home/u/src/semaphore.rs
    rel/post\nimage
dcf2e11190ccc260f2388d9a5a2ed20e, 41 B (41 B) * 2:
    /x
    /y
)";

TEST(ImportFclones, Text) {
  const Report report = imported(kFclonesText);
  EXPECT_EQ(groups(report),
            (Groups{{"/home/u/src/semaphore.rs", "/home/u/rel/post\nimage"}, {"/x", "/y"}}));
  EXPECT_EQ(report.groups[0].members[1].size, 6274U);
  std::string cut(kFclonesText);
  cut.resize(cut.size() - 7);
  EXPECT_EQ(error_of(cut), "r: ends within a group");
  EXPECT_EQ(error_of("# Report by fclones 1\nzz, 1 B (1 B) * 2:\n"),
            "r line 2: is no header of a group");
  EXPECT_EQ(error_of("# Report by fclones 1\nab, 1 B (1 B) * 2:\n/x\n"),
            "r line 3: a path with four blanks before it is missing");
}

TEST(ImportFclones, Csv) {
  const Report report = imported(
      "size,hash,count,files\n"
      "17,49165422e775f631cca3b09124f8ee89,2,/a,\"/b, \"\"c\"\"\"\n"
      "4,,3,/x\\ny,caf\\xE9,/back\\\\slash\r\n");
  EXPECT_EQ(groups(report), (Groups{{"/a", "/b, \"c\""}, {"/x\ny", "caf\xE9", "/back\\slash"}}));
  EXPECT_EQ(report.groups[0].members[1].size, 17U);
  for (const std::string row :
       {"17,ab,3,/a,/b", "x,ab,2,/a,/b", "17,ab,2,/a,\"/b", "17", "17,ab"}) {
    EXPECT_EQ(error_of("size,hash,count,files\n" + row + "\n"),
              "r line 2: is no row of size, hash, count and paths")
        << row;
  }
}

const std::string kRmlint = R"([
{"description": "rmlint json-dump of lint files", "cwd": "/home/u/", "args": "rmlint",
 "version": "2.10.1", "rev": "x", "progress": 0, "checksum_type": "blake2b"},
{"id": 1, "type": "duplicate_file", "progress": 3, "checksum": "aa", "path": "/home/u/copy",
 "size": 7, "depth": 1, "inode": 4, "disk_id": 5, "is_original": false, "mtime": 14.5},
{"id": 2, "type": "emptyfile", "progress": 3, "path": "/home/u/empty", "size": 0, "is_original": false},
{"id": 3, "type": "duplicate_file", "progress": 3, "checksum": "aa", "path": "/home/u/original",
 "size": 7, "is_original": true, "mtime": 14},
{"id": 4, "type": "duplicate_file", "progress": 3, "checksum": "bb", "path": "/home/u/alone",
 "size": 7, "is_original": true, "mtime": 14},
{"aborted": false, "progress": 100, "total_files": 3}])";

TEST(ImportRmlint, FilesWithOneChecksumAreAGroup) {
  const Report report = imported(kRmlint);
  EXPECT_EQ(groups(report), (Groups{{"/home/u/original", "/home/u/copy"}}));
  EXPECT_EQ(report.groups[0].members[0].size, 7U);
}

// rmlint#672: every file that had no checksum was replayed as a duplicate of every other.
TEST(ImportRmlint, FilesWithoutAChecksumAreNeverAGroup) {
  const Report report = imported(R"([
    {"type":"duplicate_file","path":"/a","size":7,"is_original":true},
    {"type":"duplicate_file","path":"/b","size":7,"is_original":false},
    {"type":"duplicate_file","path":"/c","size":7,"checksum":"","is_original":false},
    {"type":"duplicate_file","path":"/d","size":7,"checksum":"00000000","is_original":false},
    {"type":"duplicate_file","path":"/e","size":7,"checksum":"ab","is_original":false},
    {"type":"duplicate_file","path":"/f","size":8,"checksum":"ab","is_original":false}])");
  EXPECT_EQ(groups(report), Groups{});
  ASSERT_EQ(report.skipped.size(), 4U);
  EXPECT_EQ(report.skipped[0].path, "/a");
  EXPECT_EQ(report.skipped[0].reason, "no checksum");
}

TEST(ImportRmlint, NamesThatAreNoUtf8KeepTheirBytes) {
  std::string text = kRmlint;
  text.replace(text.find("/copy"), 5, "/caf\xE9\xC3\xA9");
  EXPECT_EQ(groups(text), (Groups{{"/home/u/original", "/home/u/caf\xE9\xC3\xA9"}}));
  EXPECT_EQ(error_of("{\"1\":[[{\"path\":\"/caf\xE9\"}]]}"), "r: not UTF-8");
}

TEST(ImportFdupes, GroupsArePartedByBlankLines) {
  EXPECT_EQ(groups("a\nb b\n\nc\nd\ne\n\n"), (Groups{{"a", "b b"}, {"c", "d", "e"}}));
  EXPECT_EQ(groups("a\nb"), (Groups{{"a", "b"}}));
  EXPECT_EQ(groups("12 bytes each:\na\nb\n\n1 byte each:\nc\nd\n"),
            (Groups{{"a", "b"}, {"c", "d"}}));
  EXPECT_EQ(groups("alone\n\n\n\na\nb\n"), (Groups{{"a", "b"}}));
  EXPECT_EQ(groups(""), Groups{});
  EXPECT_EQ(groups("caf\xE9\n./-x\n"), (Groups{{"caf\xE9", "./-x"}}));
}

// As jdupes 1.21.3 -j writes it.
constexpr std::string_view kJdupes = R"({
  "jdupesVersion": "1.21.3", "jdupesVersionDate": "2023-02-09", "commandLine": "jdupes -r -j tree",
  "extensionFlags": "fsdedup",
  "matchSets": [
    { "fileSize": 14, "fileList": [
        { "filePath": "tree/a/two-link" }, { "filePath": "tree/c/new\u000aline" } ] },
    { "fileSize": 4, "fileList": [
        { "filePath": "./\u00e9\"\\" }, { "filePath": "./\ud83d\ude00" }, { "filePath": "/x" } ] }
  ]})";

TEST(ImportJdupes, Json) {
  const Report report = imported(kJdupes);
  EXPECT_EQ(groups(report), (Groups{{"tree/a/two-link", "tree/c/new\nline"},
                                    {"./\xC3\xA9\"\\", "./\xF0\x9F\x98\x80", "/x"}}));
  EXPECT_EQ(report.groups[0].members[1].size, 14U);
  EXPECT_EQ(error_of(R"({"matchSets":[{"fileSize":1,"fileList":[{"filePath":"a\u0000b"}]}]})"),
            "r: field \"matchSets[0].fileList[0].filePath\" is no path");
}

TEST(ImportFdupes, NulsKeepNamesWithNewlines) {
  EXPECT_EQ(groups("a\nb\0c\0\0d\0e\0\0"s), (Groups{{"a\nb", "c"}, {"d", "e"}}));
}

TEST(ImportFdupes, OurOwnListIsReadBack) {
  const Report report = own_report();
  EXPECT_EQ(groups(written("fdupes", own_report())).size(), 1U);  // a newline in a name parts it
  std::string out;
  auto reporter = make_reporter("fdupes", {.null_separated = true}, [&](std::string_view bytes) {
    out += bytes;
    return true;
  });
  write_report(report, **reporter);
  EXPECT_EQ(groups(out), (Groups{{report.groups[0].members[0].path, "caf\xE9"}}));
}

RC_GTEST_PROP(ImportReport, NoBytesAreTooOdd, (const std::string& bytes)) {
  const auto report = import_report(bytes, "r");
  if (!report) RC_ASSERT(!report.error().message.empty());
}

// One changed byte of a real report is an error or another report, never a crash.
TEST(ImportReport, DamagedReportsAreErrorsOrReports) {
  for (const std::string& text :
       {written("json", own_report()), written("ndjson", own_report()), std::string(kFclones),
        std::string(kFclonesText), kRmlint, std::string(kJdupes)}) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      for (const char c : {'\0', '"', '{', ']', '9', '\xFF'}) {
        std::string damaged = text;
        damaged[at] = c;
        const auto report = import_report(damaged, "r");
        if (!report) {
          EXPECT_FALSE(report.error().message.empty());
          continue;
        }
        for (const Group& group : report->groups) EXPECT_FALSE(group.members.empty());
      }
    }
  }
}

}  // namespace
}  // namespace twinsift
