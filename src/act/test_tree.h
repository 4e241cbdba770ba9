// SPDX-License-Identifier: Apache-2.0
// What the tests of acting share: a home of their own, plans about real files, and a snapshot of a
// tree with everything that undo promises to bring back.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "act/apply.h"
#include "act/content.h"
#include "act/plan.h"
#include "act/runs.h"
#include "base/fd.h"
#include "base/test_dir.h"
#include "ingest/file_system.h"

namespace twinsift {

// Journals and quarantine go below a folder of the test.
inline void use_home(const std::string& folder) {
  ::setenv("XDG_STATE_HOME", (folder + "/state").c_str(), 1);
  ::setenv("XDG_DATA_HOME", (folder + "/data").c_str(), 1);
}

inline FileProof proof_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(stat_path(path, false, status), 0) << path;
  const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  return {.path = path,
          .size = static_cast<std::uint64_t>(status.st_size),
          .mtime_ns = mtime_ns_of(status),
          .device = status.st_dev,
          .inode = status.st_ino,
          .digest = *digest_of({file.get(), path}, {})};
}

inline PlannedAction action_for(const std::string& loser, const std::string& keeper,
                                Action action = Action::kQuarantine) {
  PlannedAction planned{.action = action,
                        .loser = proof_of(loser),
                        .keeper = proof_of(keeper),
                        .detector = "bytes",
                        .rule = "first"};
  planned.exact = planned.loser.digest == planned.keeper.digest;
  planned.score = planned.exact ? 1 : 0.9;
  if (!planned.exact) planned.detector = "text1:words:5";
  return planned;
}

inline Plan plan_of(std::vector<PlannedAction> actions) {
  return {.header = {.version = "0.1.0",
                     .created = "2026-01-31T12:00:00Z",
                     .command = "twinsift plan",
                     .threshold = 0.8,
                     .keep = "first"},
          .actions = std::move(actions)};
}

inline ApplySummary applied(const Plan& plan, CheckOptions check = {}) {
  ApplyOptions options;
  options.act = true;
  options.check = std::move(check);
  const auto summary = apply_plan(plan, options);
  EXPECT_TRUE(summary) << (summary ? "" : summary.error().message);
  return summary ? *summary : ApplySummary{};
}

// Why apply refuses a plan, in one string; the tree must not be touched by that.
inline std::string refusal(const Plan& plan, CheckOptions check = {}) {
  const ApplySummary summary = applied(plan, std::move(check));
  EXPECT_EQ(summary.done + summary.skipped + summary.failed, 0U);
  std::string all;
  for (const std::string& reason : summary.refusals) all += reason + "\n";
  return all;
}

inline std::string xattrs_text(const std::string& path) {
  std::string names(4096, '\0');
  const ssize_t length = ::llistxattr(path.c_str(), names.data(), names.size());
  std::map<std::string, std::string> values;
  for (std::size_t at = 0; length > 0 && at < static_cast<std::size_t>(length);) {
    const std::string name = names.c_str() + at;
    at += name.size() + 1;
    std::string value(4096, '\0');
    const ssize_t size = ::lgetxattr(path.c_str(), name.c_str(), value.data(), value.size());
    values[name] = value.substr(0, size < 0 ? 0 : static_cast<std::size_t>(size));
  }
  std::string text;
  for (const auto& [name, value] : values) text += name + "=" + value + ";";
  return text;
}

// Every path below a folder with inode, mode, owner, size, mtime, link count, attributes and
// content.  The mtimes of folders are left out unless asked for: an action that was killed halfway
// leaves them changed.
using Snapshot = std::map<std::string, std::string>;
inline Snapshot snapshot(const std::string& root, bool folder_times = false) {
  Snapshot all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    const std::string path = entry.path().string();
    struct stat status {};
    EXPECT_EQ(::lstat(path.c_str(), &status), 0);
    std::string text =
        fmt::format("mode {:o} owner {}:{}", status.st_mode, status.st_uid, status.st_gid);
    if (S_ISDIR(status.st_mode)) {
      if (folder_times) text += fmt::format(" mtime {}", mtime_ns_of(status));
    } else {
      text += fmt::format(" inode {} size {} mtime {} links {} [{}] ", status.st_ino,
                          status.st_size, mtime_ns_of(status), status.st_nlink, xattrs_text(path));
      text +=
          S_ISLNK(status.st_mode) ? std::filesystem::read_symlink(path).string() : read_file(path);
    }
    all[path] = text;
  }
  return all;
}

// Gives a file an odd mode, an old date and an attribute, so that their loss would show.
inline void make_peculiar(const std::string& path, int salt) {
  ::chmod(path.c_str(), static_cast<mode_t>(salt % 2 == 0 ? 0640 : 0604));
  if (::geteuid() == 0) {
    static_cast<void>(!::lchown(path.c_str(), static_cast<uid_t>(1000 + salt), 100));
  }
  const timespec times[2] = {{.tv_sec = 0, .tv_nsec = UTIME_OMIT},
                             {.tv_sec = 1'000'000'000 + salt, .tv_nsec = 123'456'789}};
  ::utimensat(AT_FDCWD, path.c_str(), times, 0);
  const std::string value = fmt::format("tag {}", salt);
  ::lsetxattr(path.c_str(), "user.twinsift-test", value.data(), value.size(), 0);
}

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// A text long enough to be compared; `salt` changes a few of its words.
inline std::string prose(int salt) {
  std::string text;
  for (int i = 0; i < 200; ++i) {
    const bool changed = salt > 0 && i >= 100 && i < 100 + salt;
    text += fmt::format("{}{} ", changed ? "other" : "word", i * 37 % 101 + i);
  }
  return text;
}

// A tree, and what must or must not happen to it.
class ActTest : public testing::Test {
 protected:
  ActTest() { use_home(dir.path().string()); }

  std::string make(const std::string& name, std::string_view content = "the same bytes") {
    return dir.write("tree/" + name, content);
  }
  [[nodiscard]] Snapshot tree() const { return snapshot(dir / "tree", true); }

  // The plan must be refused for this reason, and nothing touched.
  void expect_refused(const Plan& plan, std::string_view part, const CheckOptions& check = {}) {
    const Snapshot before = tree();
    const std::string reasons = refusal(plan, check);
    EXPECT_TRUE(contains(reasons, part)) << part << " is not in: " << reasons;
    EXPECT_EQ(tree(), before);
    EXPECT_TRUE(run_names()->empty());
  }

  // The only action must be skipped for this reason.
  void expect_skipped(const Plan& plan, std::string_view part) {
    const Snapshot before = tree();
    std::string reason;
    ApplyOptions options;
    options.act = true;
    options.item = [&](const ItemReport& item) { reason = item.reason; };
    const auto summary = apply_plan(plan, options);
    ASSERT_TRUE(summary) << summary.error().message;
    EXPECT_EQ(summary->skipped, 1U);
    EXPECT_TRUE(contains(reason, part)) << reason;
    EXPECT_EQ(tree(), before);
  }

  TestDir dir;
};

}  // namespace twinsift
