// SPDX-License-Identifier: Apache-2.0
#include "run/new_since.h"

#include <vector>

#include <gtest/gtest.h>

namespace twinsift {
namespace {

Group group_of(std::uint64_t id, std::vector<std::int64_t> times) {
  Group group;
  group.id = id;
  for (const std::int64_t time : times) {
    group.members.push_back({.path = "x", .mtime_ns = time, .digest = ""});
  }
  return group;
}

TEST(NewSince, OneNewMemberKeepsAGroupWithAllItsOldOnes) {
  Report report;
  report.groups = {group_of(1, {10, 20}), group_of(2, {10, 100}), group_of(3, {99, 99, 99})};
  keep_new_groups(report, 100);
  ASSERT_EQ(report.groups.size(), 1U);
  EXPECT_EQ(report.groups[0].members.size(), 2U);
  EXPECT_EQ(report.groups[0].members[1].mtime_ns, 100);
  EXPECT_EQ(report.groups[0].id, 1U);  // numbers have no gaps
}

std::vector<std::string> kept(const std::vector<std::string_view>& fresh) {
  Report report;
  report.folders = {{.a = "d", .b = "d2"}, {.a = "d/x", .b = "/e"}, {.a = ".", .b = "/f/"}};
  keep_new_folders(report, fresh);
  std::vector<std::string> names;
  for (const FolderPair& pair : report.folders) names.push_back(pair.a);
  return names;
}

TEST(NewSince, FoldersAreKeptForANewFileBelowAnyOfTheTwo) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(kept({}), Names{});
  EXPECT_EQ(kept({"d/y"}), (Names{"d", "."}));
  EXPECT_EQ(kept({"d/x/deep/file"}), (Names{"d", "d/x", "."}));
  EXPECT_EQ(kept({"d2/z"}), (Names{"d", "."}));
  EXPECT_EQ(kept({"/e/file"}), (Names{"d/x"}));
  EXPECT_EQ(kept({"/f/file"}), (Names{"."}));
}

TEST(NewSince, FoldersWithALongerNameAreOthers) {
  EXPECT_EQ(kept({"/e.txt", "/else/file", "/f2/file"}), std::vector<std::string>{});
}

TEST(NewSince, LinksAreKeptForANewFileAtEitherEnd) {
  Report report;
  for (const char* b : {"b.mkv", "c.mkv", "d.mkv"}) {
    RecordingLink& link = report.links.emplace_back();
    link.a = b == std::string_view("d.mkv") ? "new.mkv" : "a.mkv";
    link.b = b;
  }
  const std::vector<std::string_view> fresh = {"c.mkv", "new.mkv"};
  keep_new_links(report, fresh);
  ASSERT_EQ(report.links.size(), 2U);
  EXPECT_EQ(report.links[0].b, "c.mkv");
  EXPECT_EQ(report.links[1].a, "new.mkv");
}

}  // namespace
}  // namespace twinsift
