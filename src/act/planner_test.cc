// SPDX-License-Identifier: Apache-2.0
// Each test of a rule has the accident that taught it as its fixture.
#include "act/planner.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "act/test_plan.h"
#include "base/random.h"

namespace twinsift {
namespace {

TEST_F(PlannedFiles, OneStaysAndTheOthersGo) {
  group({file("a", "same"), file("b", "same"), file("c", "same")});
  const PlanResult result = plan();
  EXPECT_EQ(lines(result), (Lines{"b -> a", "c -> a"}));
  EXPECT_EQ(result.bytes, 8U);
  EXPECT_TRUE(result.left_out.empty());
}

// VDF#864: since a change in 2024 every matching member of a group was checked for deletion.
TEST_F(PlannedFiles, NeverTakesTheLastCopy) {
  const std::string a = file("a", "same");
  const std::string b = file("b", "same");
  const std::string c = file("c", "same");
  // The same files in three groups, each of which would keep another one.
  group({a, b});
  group({b, c});
  group({c, a});
  const PlanResult result = plan();
  EXPECT_EQ(lines(result), (Lines{"b -> a"}));
  EXPECT_EQ(reason(result, "b"), "goes already");
  // c could not go for b, which goes; it may go for a, but not a for c.
  EXPECT_EQ(reason(result, "a"), "kept in another group");
}

// Whatever groups a report claims, each file that goes leaves an equal one that stays.
RC_GTEST_FIXTURE_PROP(PlannedFiles, WhateverTheReportClaimsACopyOfEachContentStays, ()) {
  report = {};
  const auto contents = *rc::gen::container<std::vector<int>>(8, rc::gen::inRange(0, 3));
  std::vector<std::string> paths;
  std::map<std::string, int> content;
  for (std::size_t i = 0; i < contents.size(); ++i) {
    paths.push_back(file("f" + std::to_string(i), "content " + std::to_string(contents[i])));
    content[paths.back()] = contents[i];
  }
  const auto groups = *rc::gen::container<std::vector<std::vector<int>>>(
      4, rc::gen::container<std::vector<int>>(3, rc::gen::inRange(0, 8)));
  for (const auto& members : groups) {
    std::vector<std::string> chosen;
    for (const int i : members) chosen.push_back(paths[static_cast<std::size_t>(i)]);
    group(chosen);
  }
  options.keep = *rc::gen::element<std::string>("first", "shortest-path", "newest", "name:[357]");
  const PlanResult result = plan();
  std::set<std::string> gone;
  for (const PlannedAction& action : result.plan.actions) {
    RC_ASSERT(gone.insert(action.loser.path).second);
    RC_ASSERT(content[action.loser.path] == content[action.keeper.path]);
  }
  for (const PlannedAction& action : result.plan.actions) {
    RC_ASSERT(!gone.contains(action.keeper.path));
  }
}

// jdupes up to 1.14.1, fdupes -H dir dir, rdfind: a file reached by two ways was its own duplicate.
TEST_F(PlannedFiles, AFileIsNeverItsOwnDuplicate) {
  const std::string a = file("d/a", "same");
  std::filesystem::create_hard_link(a, folder / "d/hard");
  std::filesystem::create_directory_symlink(folder / "d", folder / "other-way");
  std::filesystem::create_symlink(a, folder / "link");
  group({a, folder / "d/hard", folder / "other-way/a", folder / "d/../d/./a", folder / "link"});
  const PlanResult result = plan();
  EXPECT_EQ(lines(result), Lines{});
  EXPECT_EQ(reason(result, "d/hard"), "already one file");
  ASSERT_EQ(result.skipped.size(), 1U);
  EXPECT_EQ(result.skipped[0].reason, "a symbolic link");
}

// dupeguru#1073: folders that the screen called protected were not.
TEST_F(PlannedFiles, ProtectedFilesAreNeverLosers) {
  const std::string keeper = file("z/new", "same", 1);
  group({keeper, file("Master/a", "same", 2), file("Master/deep/er/b", "same", 3),
         file("free", "same", 4)});
  std::filesystem::create_directory_symlink(folder / "Master", folder / "alias");
  options.keep = "oldest";
  options.protect = {folder / "alias/../alias"};
  const PlanResult result = plan();
  EXPECT_EQ(lines(result), (Lines{"free -> z/new"}));
  EXPECT_EQ(reason(result, "Master/a"), "protected");
  EXPECT_EQ(reason(result, "Master/deep/er/b"), "protected");
  EXPECT_EQ(result.plan.header.protect, (Lines{folder / "Master"}));
  options.keep = "protected, oldest";
  EXPECT_EQ(lines(), (Lines{"z/new -> Master/a", "free -> Master/a"}));
}

TEST_F(PlannedFiles, AMisspeltProtectedFolderIsAnError) {
  group({file("a", "same"), file("b", "same")});
  options.protect = {folder / "Mastre"};
  const auto result = make_plan(report, options);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(result.error().message, (folder / "Mastre") +
                                        ": no such file or directory; what is to "
                                        "be protected must be there");
}

TEST_F(PlannedFiles, FilesOfReferenceFoldersAreNeverLosers) {
  group({file("a", "same", 1), file("b", "same", 2), file("c", "same", 3)});
  report.groups[0].members[1].reference = true;
  options.keep = "oldest";
  const PlanResult result = plan();
  EXPECT_EQ(lines(result), (Lines{"c -> a"}));
  EXPECT_EQ(reason(result, "b"), "protected");
}

// rmlint#672: all files without a checksum became one group.  Here nobody's checksum is believed.
TEST_F(PlannedFiles, EveryLineCarriesItsProof) {
  const std::string a = file("a", "content", 5);
  const std::string b = file("b", "content", 6);
  group({a, b, file("unlike", "unlike!"), file("other", "another thing altogether")});
  for (Member& member : report.groups[0].members) member.digest = "";  // as an import has it
  const PlanResult result = plan();
  ASSERT_EQ(lines(result), (Lines{"b -> a"}));
  const PlannedAction& action = result.plan.actions[0];
  struct stat status {};
  ASSERT_EQ(::stat(b.c_str(), &status), 0);
  EXPECT_EQ(action.loser.size, 7U);
  EXPECT_EQ(action.loser.mtime_ns, 6'000'000'000);
  EXPECT_EQ(action.loser.inode, status.st_ino);
  EXPECT_EQ(action.loser.device, status.st_dev);
  EXPECT_EQ(action.loser.digest.size(), 32U);
  EXPECT_EQ(action.keeper.digest, action.loser.digest);
  EXPECT_EQ(action.keeper.mtime_ns, 5'000'000'000);
  EXPECT_EQ(action.detector, "bytes");
  EXPECT_TRUE(action.exact);
  // What was written can be read: no part of the proof is missing.
  const auto read =
      parse_plan(plan_header_line(result.plan.header) + plan_action_line(action), "p");
  ASSERT_TRUE(read) << read.error().message;
}

// marin#6854: one cluster of 859,091 members, chained by similarity, took 97 % of a library.
TEST_F(PlannedFiles, ChainedMembersAreComparedWithTheKeeper) {
  // Each shares most of its text with its neighbours; the ends share little.
  const std::string a = file("a", words(1, 0, 400), 1);
  const std::string b = file("b", words(1, 40, 440), 2);
  const std::string c = file("c", words(1, 80, 480), 3);
  report.run.threshold = 0.8;
  group({b, a, c}, {0.81, 0.81});  // a star around b: both ends match it
  EXPECT_EQ(lines(), (Lines{"a -> b", "c -> b"}));
  options.keep = "oldest";  // now a stays, and c must match a
  const PlanResult result = plan();
  EXPECT_EQ(lines(result), (Lines{"b -> a"}));
  EXPECT_EQ(reason(result, "c"), "not like the keeper");
  EXPECT_NEAR(result.plan.actions[0].score, 0.81, 1e-9);
}

TEST_F(PlannedFiles, AFileThatChangedSinceTheReportIsComparedAgain) {
  const std::string text = words(1, 0, 300);
  const std::string a = file("a", text);
  const std::string b = file("b", text + "and a little more");
  report.run.threshold = 0.8;
  group({a, b}, {0.95});
  EXPECT_NEAR(plan().plan.actions.at(0).score, 0.95, 1e-9);
  file("b", text + "and more than a little more than there was");
  const PlanResult changed = plan();
  ASSERT_EQ(lines(changed), (Lines{"b -> a"}));
  EXPECT_GT(changed.plan.actions[0].score, 0.9);
  EXPECT_NE(changed.plan.actions[0].score, 0.95);
  EXPECT_EQ(changed.plan.actions[0].detector, "text1:words:5");
  file("b", words(2, 0, 300));
  EXPECT_EQ(reason(plan(), "b"), "not like the keeper");
  std::filesystem::remove(b);
  const PlanResult vanished = plan();
  EXPECT_EQ(lines(vanished), Lines{});
  ASSERT_EQ(vanished.skipped.size(), 1U);
  EXPECT_EQ(vanished.skipped[0].reason, "vanished");
}

TEST_F(PlannedFiles, AScoreIsOnlyBelievedForTheTwoContentsItWasComputedOf) {
  const std::string a = file("a", words(1, 0, 300), 3);
  const std::string b = file("b", words(1, 0, 280), 2);
  const std::string c = file("c", words(1, 0, 280), 1);  // a copy of b
  report.run.threshold = 0.8;
  group({a, b, c}, {0.9, 0.9});
  int compared = 0;
  options.compare = [&](const std::string&, const std::string&) -> Result<Comparison> {
    ++compared;
    return Error{ErrorCode::kIo, "must not be asked"};
  };
  options.keep = "oldest";
  // c stays; b has its bytes, and for a against c the report's score of a and b will do.
  EXPECT_EQ(lines(), (Lines{"a -> c", "b -> c"}));
  EXPECT_EQ(compared, 0);
}

// Immich#12506, #17385: albums, favourites and dates were lost with the loser.
TEST_F(PlannedFiles, TellsWhatWouldBeLost) {
  const std::string a = file("a.txt", words(1, 0, 100), 2'000'000'000);
  const std::string b = file("b.txt", words(1, 0, 104), 1'000'000'000);
  report.run.threshold = 0.8;
  report.run.detectors = {"text1:words:5"};
  group({a, b}, {0.96});
  report.groups[0].members[0].facts = {{"tokens", "100"}, {"format", "plain"}};
  report.groups[0].members[1].facts = {{"tokens", "104"}, {"format", "plain"}, {"gps", "48.2"}};
  report.groups[0].pairs[0].evidence.containment_a = 1;
  report.groups[0].pairs[0].evidence.containment_b = 0.96;
  const bool attributes = ::setxattr(b.c_str(), "user.tags", "holiday", 7, 0) == 0;
  Lines expected = {
      "older date: 2001-09-09T01:46:40.000000000Z, the keeper has "
      "2033-05-18T03:33:20.000000000Z"};
  if (attributes) expected.emplace_back("attribute user.tags");
  expected.insert(expected.end(), {"fact gps: 48.2", "4.0 % of its text is not in the keeper",
                                   "longer text: 104 words, the keeper has 100"});
  EXPECT_EQ(plan().plan.actions.at(0).lacks, expected);
  if (!attributes) return;
  ASSERT_EQ(::setxattr(a.c_str(), "user.tags", "work", 4, 0), 0);
  EXPECT_EQ(plan().plan.actions.at(0).lacks.at(1), "attribute user.tags has another value");
}

TEST_F(PlannedFiles, NearDuplicatesAreMarkedUnreviewed) {
  const std::string text = words(1, 0, 300);
  report.run.threshold = 0.8;
  group({file("a", text), file("b", text), file("c", text + "more")}, {1, 0.98});
  PlanResult result = plan();
  ASSERT_EQ(lines(result), (Lines{"b -> a", "c -> a"}));
  EXPECT_TRUE(result.plan.actions[0].exact);
  EXPECT_FALSE(result.plan.actions[1].exact);
  EXPECT_FALSE(result.plan.actions[1].reviewed);
  EXPECT_FALSE(result.plan.actions[0].reviewed);  // it needs no review, and had none
  options.reviewed = true;
  EXPECT_TRUE(plan().plan.actions.at(1).reviewed);
}

TEST_F(PlannedFiles, NearDuplicatesNeverBecomeLinks) {
  const std::string text = words(1, 0, 300);
  report.run.threshold = 0.8;
  group({file("a", text), file("c", text + "more")}, {0.98});
  for (const Action action : {Action::kHardlink, Action::kSymlink, Action::kReflink}) {
    options.action = action;
    const PlanResult result = plan();
    EXPECT_EQ(lines(result), Lines{});
    EXPECT_EQ(reason(result, "c"), "not the same bytes");
  }
}

TEST_F(PlannedFiles, EmptyFilesAreNobodysDuplicates) {
  group({file("a", ""), file("b", ""), file("c", "")});
  const PlanResult result = plan();
  EXPECT_EQ(lines(result), Lines{});
  EXPECT_EQ(reason(result, "b"), "empty");
}

TEST_F(PlannedFiles, AGroupWhoseKeeperCannotBeReadIsLeftOut) {
  namespace fs = std::filesystem;
  const std::string a = file("a", "same", 1);
  group({a, file("b", "same", 2), file("c", "same", 3)});
  fs::permissions(a, fs::perms::none);
  fs::permissions(folder.path(),
                  fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec);
  const int failed = in_child([&] {
    if (::geteuid() == 0 && ::setuid(65534) != 0) return 1;  // root reads everything
    options.threads = 1;
    options.keep = "oldest";
    const PlanResult result = plan();
    if (!lines(result).empty() || reason(result, "a") != "cannot be read") return 2;
    options.keep = "newest";
    return lines() == Lines{"b -> c"} ? 0 : 3;
  });
  EXPECT_EQ(failed, 0);
}

TEST_F(PlannedFiles, FactsOfAFileThatChangedDecideNothing) {
  group({file("a", "same", 1), file("b", "same", 2)});
  report.groups[0].members[0].facts = {{"bitrate", "128"}};
  report.groups[0].members[1].facts = {{"bitrate", "320"}};
  options.keep = "bitrate, oldest";
  EXPECT_EQ(lines(), (Lines{"a -> b"}));
  report.groups[0].members[1].digest = std::string(32, '0');
  EXPECT_EQ(lines(), (Lines{"b -> a"}));
}

TEST_F(PlannedFiles, RelativePathsBeginInTheFolderOfTheReport) {
  file("d/a", "same");
  file("d/b", "same");
  report.run.folder = folder / "d";
  Group group{.id = 1, .medium = "file", .members = {}, .pairs = {}};
  group.members = {{.path = "a", .digest = ""}, {.path = "./b", .digest = ""}};
  report.groups = {group};
  EXPECT_EQ(lines(), (Lines{"d/b -> d/a"}));
}

TEST_F(PlannedFiles, IsTheSameForAnyOrderOfTheMembers) {
  const std::vector<std::string> paths = {file("x/a", "same"), file("b", "same"), file("c", "same"),
                                          file("y/d", "same")};
  std::vector<std::string> order = paths;
  std::ranges::sort(order);
  std::set<Lines> plans;
  options.keep = "shortest-path";
  do {
    report.groups.clear();
    group(order);
    Lines found = lines();
    std::ranges::sort(found);
    plans.insert(found);
  } while (std::ranges::next_permutation(order).found);
  EXPECT_EQ(plans, (std::set<Lines>{{"c -> b", "x/a -> b", "y/d -> b"}}));
}

}  // namespace
}  // namespace twinsift
