// SPDX-License-Identifier: Apache-2.0
// Files, a report on them, and the plan that is made of it: for the tests of the planner.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "act/live_file.h"
#include "act/planner.h"
#include "base/test_dir.h"

namespace twinsift {

// Words, the same for the same seed; the texts of different seeds share nothing.
inline std::string words(std::uint64_t seed, std::size_t from, std::size_t to) {
  std::string text;
  for (std::size_t i = from; i < to; ++i) {
    text += "w" + std::to_string(seed) + "x" + std::to_string(i) + " ";
  }
  return text;
}

class PlannedFiles : public testing::Test {
 protected:
  std::string file(const std::string& name, std::string_view bytes, std::time_t when = 1000) {
    const std::string path = folder.write(name, bytes);
    const timespec times[2] = {{when, 0}, {when, 0}};
    ::utimensat(AT_FDCWD, path.c_str(), times, 0);
    return path;
  }

  // What a report says of a file as it is now.
  static Member member(const std::string& path) {
    const FileLook look = look_at(path);
    Member member{.path = path, .digest = ""};
    if (!look.file) return member;
    member.size = look.file->proof.size;
    member.mtime_ns = look.file->proof.mtime_ns;
    member.digest = look.file->proof.digest;
    return member;
  }

  // A group as find() would report it: every member compared with the first.
  void group(const std::vector<std::string>& paths, const std::vector<double>& scores = {}) {
    Group group{.id = report.groups.size() + 1, .medium = "text", .members = {}, .pairs = {}};
    for (const std::string& path : paths) group.members.push_back(member(path));
    for (std::uint32_t i = 0; i < scores.size(); ++i) {
      MemberPair pair;
      pair.b = i + 1;
      pair.score = scores[i];
      pair.identical = group.members[0].digest == group.members[i + 1].digest;
      group.pairs.push_back(pair);
    }
    report.groups.push_back(std::move(group));
  }

  PlanResult plan() {
    auto result = make_plan(report, options);
    EXPECT_TRUE(result) << result.error().message;
    return result ? *result : PlanResult{};
  }

  // "loser -> keeper" of each line, by their names in the folder.
  std::vector<std::string> lines(const PlanResult& result) const {
    std::vector<std::string> lines;
    for (const PlannedAction& action : result.plan.actions) {
      lines.push_back(short_name(action.loser.path) + " -> " + short_name(action.keeper.path));
    }
    return lines;
  }
  std::vector<std::string> lines() { return lines(plan()); }

  std::string short_name(const std::string& path) const {
    return path.substr(folder.path().string().size() + 1);
  }

  std::string reason(const PlanResult& result, const std::string& name) const {
    for (const Skipped& one : result.left_out) {
      if (one.path == folder / name) return one.reason;
    }
    return "";
  }

  using Lines = std::vector<std::string>;
  TestDir folder;
  Report report;
  PlanOptions options;
};

}  // namespace twinsift
