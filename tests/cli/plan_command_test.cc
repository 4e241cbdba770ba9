// SPDX-License-Identifier: Apache-2.0
// twinsift plan, and twinsift find --import, on small trees of files.
#include <algorithm>

#include <simdjson.h>
#include <sys/stat.h>

#include "act/plan.h"
#include "command.h"

namespace twinsift::cli {
namespace {

class PlanCommand : public CommandTest {
 protected:
  void write_at(const std::string& name, std::string_view content, std::time_t when) const {
    write(name, content);
    const timespec times[2] = {{when, 0}, {when, 0}};
    utimensat(AT_FDCWD, (folder / name).c_str(), times, 0);
  }

  // Two equal files, and one that is nearly the same as two others.
  void write_usual() const {
    write_at("d/old.txt", text, 1000);
    write_at("d/new.txt", text, 2000);
    write_at("d/edited.txt", with_change(text, 100), 3000);
    write_at("d/other.txt", random_text(2, 200), 4000);
    expect({"find", "d", "--json", "-o", "r.json"}, 0);
  }

  // "loser -> keeper (rule)" of each line of a plan.
  [[nodiscard]] Words lines(const std::string& name) const {
    const auto plan = read_plan(folder / name);
    EXPECT_TRUE(plan) << plan.error().message;
    Words lines;
    if (!plan) return lines;
    for (const PlannedAction& action : plan->actions) {
      lines.push_back(shown(action.loser.path) + " -> " + shown(action.keeper.path) + " (" +
                      action.rule + ")");
    }
    std::ranges::sort(lines);
    return lines;
  }
  [[nodiscard]] std::string shown(const std::string& path) const {
    return path.substr(folder.path().string().size() + 1);
  }

  // The groups of an imported report, as paths; the keeper first.
  std::vector<Words> imported(const std::string& report, int status, const Words& parts = {}) {
    const Outcome outcome = expect({"find", "--import", report, "--json"}, status, parts);
    std::vector<Words> groups;
    simdjson::dom::parser parser;
    const simdjson::dom::element root = parser.parse(simdjson::padded_string(outcome.out));
    for (const auto group : root["groups"]) {
      groups.emplace_back();
      for (const auto member : group["members"]) {
        groups.back().emplace_back(std::string_view(member["path"]));
      }
    }
    return groups;
  }

  const std::string text = random_text(1, 200);
};

TEST_F(PlanCommand, WritesAPlanAndTouchesNothing) {
  write_usual();
  const auto before = things();
  expect({"plan", "r.json", "--keep", "oldest", "-o", "p.ndjson"}, 0,
         {"2 files, ", "to be moved to quarantine",
          "1 equal to the file that stays, 1 nearly so; those need a review before they can go",
          "decided by oldest (2)"});
  EXPECT_EQ(things(), before + 1);
  EXPECT_EQ(lines("p.ndjson"),
            (Words{"d/edited.txt -> d/old.txt (oldest)", "d/new.txt -> d/old.txt (oldest)"}));
  const auto plan = read_plan(folder / "p.ndjson");
  EXPECT_EQ(plan->header.items, 4U);
  EXPECT_EQ(plan->header.keep, "oldest");
  EXPECT_TRUE(contains(plan->header.command, "twinsift plan r.json --keep oldest"));
  for (const PlannedAction& action : plan->actions) {
    EXPECT_EQ(action.exact, shown(action.loser.path) == "d/new.txt");
    EXPECT_FALSE(action.reviewed);
    EXPECT_EQ(action.detector, action.exact ? "bytes" : "text1:words:5");
  }
}

TEST_F(PlanCommand, ReadsItsReportFromAPipeOfAnyFormat) {
  write_usual();
  const Outcome expected = expect({"plan", "r.json", "--keep", "newest"}, 0);
  for (const std::string format : {"json", "ndjson"}) {
    expect({"find", "d", "--format", format, "-o", "again"}, 0);
    const int input = open((folder / "again").c_str(), O_RDONLY);
    const Outcome outcome = Program(folder, {"plan", "--keep", "newest"}, {.input = input}).wait();
    close(input);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    // All but the first line, which has the command and the time.
    EXPECT_EQ(outcome.out.substr(outcome.out.find('\n')),
              expected.out.substr(expected.out.find('\n')));
  }
}

TEST_F(PlanCommand, TellsWhatWasLeftOutAndWhy) {
  write_usual();
  std::filesystem::remove(folder / "d/new.txt");
  const Outcome outcome = expect(
      {"plan", "r.json", "--keep", "newest", "--protect", "d", "-o", "p.ndjson"}, 3,
      {"skipped ", "new.txt: vanished", "left out: protected", "nothing to do: no file can go"});
  EXPECT_EQ(lines("p.ndjson"), Words{});
}

TEST_F(PlanCommand, AReportOfAnotherFolderIsUnderstood) {
  write_usual();
  std::filesystem::create_directory(folder / "elsewhere");
  std::filesystem::rename(folder / "r.json", folder / "elsewhere/r.json");
  const TempFolder other;
  const Outcome outcome =
      Program(other, {"plan", folder / "elsewhere/r.json", "--keep", "oldest", "-o", folder / "p"})
          .wait();
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(lines("p").size(), 2U);
}

TEST_F(PlanCommand, ReferencesNeverGo) {
  write_at("ref/a.txt", text, 9000);
  write_at("d/b.txt", text, 1000);
  write_at("d/c.txt", text, 2000);
  expect({"find", "d", "--ref", "ref", "--json", "-o", "r.json"}, 0);
  expect({"plan", "r.json", "--keep", "oldest", "-o", "p"}, 0, {"1 file left out: protected"});
  EXPECT_EQ(lines("p"), (Words{"d/c.txt -> d/b.txt (oldest)"}));
  expect({"plan", "r.json", "-o", "p"}, 0);  // what the report would keep
  EXPECT_EQ(lines("p"),
            (Words{"d/b.txt -> ref/a.txt (protected)", "d/c.txt -> ref/a.txt (protected)"}));
}

TEST_F(PlanCommand, NamesOfAnyBytesArePlanned) {
  write("d/caf\xE9\n.txt", text);
  write("d/normal.txt", text);
  expect({"find", "d", "--json", "-o", "r.json"}, 0);
  expect({"plan", "r.json", "--keep", "name:normal", "-o", "p"}, 0);
  EXPECT_EQ(lines("p"), (Words{"d/caf\xE9\n.txt -> d/normal.txt (name:normal)"}));
}

TEST_F(PlanCommand, WrongUseIsSaid) {
  write_usual();
  expect({"plan", "r.json", "--keep", "biggest"}, 2, {"keep rule 'biggest': unknown; choose from"});
  expect({"plan", "r.json", "--keep", "in:[x"}, 2, {"keep rule 'in:[x': not a glob"});
  expect({"plan", "r.json", "--keep", "name:(x"}, 2,
         {"keep rule 'name:(x': not a regular expression"});
  expect({"plan", "r.json", "--action", "delete"}, 2, {"--action"});
  expect({"plan", "r.json", "--protect", "nowhere"}, 2,
         {"nowhere: no such file or directory; what is to be protected must be there"});
  expect({"plan", "nowhere.json"}, 2, {"nowhere.json"});
  expect({"plan", "r.json", "-o", "r.json"}, 4, {"is also an input"});
  write("broken.json", "{\"v\":1,\"run\":");
  expect({"plan", "broken.json"}, 2, {"broken.json: "});
  expect({"plan", "r.json", "--keep", "oldest", "-o", "p.ndjson"}, 0);
  expect({"plan", "p.ndjson"}, 2, {"p.ndjson: is a plan, not a report"});
  expect({"find", "d", "--import", "r.json"}, 2, {"--import looks at the files of a report"});
}

TEST_F(PlanCommand, ReportsOfOthersAreShownInAnyFormat) {
  write_usual();
  const std::string d = folder / "d/";
  write("fdupes.txt", "d/old.txt\nd/new.txt\n\n");
  write("czkawka.json", R"({"9":[[{"path":")" + d + R"(old.txt","size":9},{"path":")" + d +
                            R"(new.txt","size":9}]]})");
  write("fclones.json", R"({"header":{"version":"0.34.0","base_dir":")" + folder.path().string() +
                            R"("},"groups":[{"file_len":9,"file_hash":"x","files":["d/old.txt",")" +
                            d + R"(new.txt"]}]})");
  write("rmlint.json",
        R"([{"description":"rmlint json-dump of lint files","cwd":"/"},{"type":"duplicate_file",)"
        R"("checksum":"ab","size":9,"path":")" +
            d +
            R"(old.txt","is_original":true},)"
            R"({"type":"duplicate_file","checksum":"ab","size":9,"path":")" +
            d + R"(new.txt","is_original":false},{"aborted":false}])");
  EXPECT_EQ(imported("fdupes.txt", 0), (std::vector<Words>{{"d/old.txt", "d/new.txt"}}));
  const std::vector<Words> absolute = {{d + "old.txt", d + "new.txt"}};
  for (const std::string report : {"czkawka.json", "fclones.json", "rmlint.json"}) {
    EXPECT_EQ(imported(report, 0), absolute) << report;
    expect({"plan", report, "--keep", "newest", "-o", "p"}, 0);
    EXPECT_EQ(lines("p"), (Words{"d/old.txt -> d/new.txt (newest)"})) << report;
  }
  for (const std::string format : {"text", "json", "ndjson", "csv", "fdupes", "html"}) {
    const Outcome shown = expect({"find", "--import", "rmlint.json", "--format", format}, 0);
    EXPECT_TRUE(contains(shown.out, "new.txt")) << format;
  }
  EXPECT_EQ(expect({"find", "--import", "fdupes.txt", "--format", "fdupes"}, 0).out,
            "d/old.txt\nd/new.txt\n");
}

TEST_F(PlanCommand, WhatOthersClaimIsNotBelieved) {
  write_usual();
  write("d/empty", "");
  write("d/empty2", "");
  std::filesystem::create_hard_link(folder / "d/old.txt", folder / "d/link.txt");
  write("copy1", "the same thing");
  write("copy2", "the same thing");
  write("claims",
        "d/old.txt\nd/new.txt\nd/link.txt\nd/edited.txt\nd/other.txt\nd/gone.txt\ncopy1\ncopy2\n\n"
        "d/empty\nd/empty2\n");
  EXPECT_EQ(imported("claims", 3,
                     {"d/gone.txt: vanished", "d/other.txt left its group: it is only ",
                      "copy1 left its group"}),
            (std::vector<Words>{{"d/old.txt", "d/new.txt", "d/edited.txt"}, {"copy1", "copy2"}}));
  expect({"plan", "claims", "--keep", "first", "-o", "p"}, 3,
         {"left out: not like the keeper", "left out: empty", "left out: already one file"});
  EXPECT_EQ(lines("p"),
            (Words{"d/edited.txt -> d/old.txt (first)", "d/new.txt -> d/old.txt (first)"}));
}

TEST_F(PlanCommand, AVerifiedImportCanBePlanned) {
  write_usual();
  write("claims", "d/old.txt\nd/new.txt\nd/edited.txt\n");
  expect({"find", "--import", "claims", "--json", "-o", "r2.json"}, 0);
  expect({"plan", "r2.json", "--keep", "oldest", "--reviewed", "-o", "p"}, 0);
  EXPECT_EQ(lines("p").size(), 2U);
  const auto plan = read_plan(folder / "p");
  for (const PlannedAction& action : plan->actions) EXPECT_TRUE(action.reviewed);
}

}  // namespace
}  // namespace twinsift::cli
