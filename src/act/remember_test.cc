// SPDX-License-Identifier: Apache-2.0
// What a collection knows after files have gone, come back, and gone for good.
#include "act/remember.h"

#include <algorithm>
#include <fstream>
#include <memory>
#include <optional>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "act/apply.h"
#include "act/purge.h"
#include "act/steps.h"
#include "act/test_tree.h"
#include "act/undo.h"
#include "ingest/reader.h"
#include "store/collection.h"
#include "store/volume.h"

namespace twinsift {
namespace {

namespace fs = std::filesystem;
using Mode = CollectionOptions::Mode;

Digest content_of(std::string_view text) { return digest_of(std::as_bytes(std::span(text))); }

class RememberTest : public ActTest {
 protected:
  // A file that the collection knows, as find would have left it there.
  std::string known(const std::string& name, const std::string& content) {
    const std::string path = make(name, content);
    struct stat status {};
    EXPECT_EQ(stat_path(path, false, status), 0);
    const auto opened = collection(Mode::kCreate);
    EXPECT_TRUE(opened->put(FileRecord{.key = {.path = path, .volume = *volume_of(path)},
                                       .inode = status.st_ino,
                                       .size = content.size(),
                                       .mtime_ns = mtime_ns_of(status),
                                       .ctime_ns = ctime_ns_of(status),
                                       .seen_ns = ctime_ns_of(status),
                                       .digest = content_of(content)}));
    return path;
  }

  [[nodiscard]] std::unique_ptr<Collection> collection(Mode mode = Mode::kRead) const {
    auto opened = Collection::open(place(), {.mode = mode});
    EXPECT_TRUE(opened) << opened.error().message;
    return opened ? *std::move(opened) : nullptr;
  }
  [[nodiscard]] std::string place() const { return dir / "collection"; }

  // What the collection names, and what it remembers as removed: "a", "b", "(c)".
  [[nodiscard]] std::vector<std::string> names(
      const std::vector<std::string>& contents = {}) const {
    const auto opened = collection();
    std::vector<std::string> all;
    const auto take = [&](const FileView& file) -> Status {
      all.emplace_back(file.path.substr((dir / "tree/").size()));
      EXPECT_TRUE(file.digest.has_value()) << file.path;
      return ok();
    };
    EXPECT_TRUE(opened->files_below(dir / "tree", take));
    for (const std::string& content : contents) {
      const auto removed = opened->removed(content_of(content));
      if (removed) all.push_back("(" + removed->path.substr((dir / "tree/").size()) + ")");
    }
    return all;
  }

  ApplySummary apply(const Plan& plan) const {
    ApplyOptions options;
    options.act = true;
    options.collection = place();
    const auto summary = apply_plan(plan, options);
    EXPECT_TRUE(summary) << summary.error().message;
    return summary ? *summary : ApplySummary{};
  }
  UndoSummary undo(const std::string& run = "") const {
    const auto summary = undo_run({.run = run, .collection = place()});
    EXPECT_TRUE(summary) << summary.error().message;
    return summary ? *summary : UndoSummary{};
  }
  static PlannedAction reviewed(const std::string& loser, const std::string& keeper) {
    PlannedAction action = action_for(loser, keeper);
    action.reviewed = true;
    return action;
  }

  const std::string kept = prose(0);
  const std::string near = prose(5);
};

using Names = std::vector<std::string>;

TEST_F(RememberTest, AContentThatIsGoneIsRememberedAndItsPathIsNot) {
  known("a", kept);
  known("b.jpg", near);
  known("b.xmp", "about b");
  Plan plan = plan_of({reviewed(dir / "tree/b.jpg", dir / "tree/a")});
  plan.actions[0].companions = {proof_of(dir / "tree/b.xmp")};
  const ApplySummary summary = apply(plan);
  EXPECT_EQ(summary.done, 1U);
  EXPECT_EQ(summary.trouble, "");
  EXPECT_EQ(names({kept, near, "about b"}), (Names{"a", "(b.jpg)"}));
  const auto removed = collection()->removed(content_of(near));
  const auto run = read_run(summary.journal);
  EXPECT_EQ(removed->when_ns, run->items.at(0).time_ns);
}

// If it were remembered, the next search would say of the last copy that it was removed before.
TEST_F(RememberTest, AContentThatTheKeeperHasIsNotRemembered) {
  known("a", kept);
  known("b", kept);
  apply(plan_of({action_for(dir / "tree/b", dir / "tree/a")}));
  EXPECT_EQ(names({kept}), (Names{"a"}));
}

TEST_F(RememberTest, AContentThatAnotherFileHasIsNotRemembered) {
  known("a", kept);
  known("b", near);
  known("elsewhere", near);
  known("gone", near);
  fs::remove(dir / "tree/gone");
  const Plan plan = plan_of({reviewed(dir / "tree/b", dir / "tree/a")});
  apply(plan);
  EXPECT_EQ(names({near}), (Names{"a", "elsewhere", "gone"}));
  // Once the other file is gone, too, telling it again completes it.
  fs::remove(dir / "tree/elsewhere");
  apply(plan);
  EXPECT_EQ(names({near}), (Names{"a", "elsewhere", "gone", "(b)"}));
}

TEST_F(RememberTest, LinksKeepTheContent) {
  known("a", kept);
  known("hard", kept);
  known("soft", kept);
  apply(plan_of({action_for(dir / "tree/hard", dir / "tree/a", Action::kHardlink),
                 action_for(dir / "tree/soft", dir / "tree/a", Action::kSymlink)}));
  EXPECT_EQ(names({kept}), (Names{"a", "hard"}));
  undo();
  EXPECT_EQ(names({kept}), (Names{"a", "hard", "soft"}));
}

TEST_F(RememberTest, UndoTakesBothBack) {
  known("a", kept);
  known("b.jpg", near);
  known("b.xmp", "about b");
  known("c", kept);
  Plan plan = plan_of(
      {reviewed(dir / "tree/b.jpg", dir / "tree/a"), action_for(dir / "tree/c", dir / "tree/a")});
  plan.actions[0].companions = {proof_of(dir / "tree/b.xmp")};
  apply(plan);
  ASSERT_EQ(names({near}), (Names{"a", "(b.jpg)"}));
  EXPECT_EQ(undo().trouble, "");
  EXPECT_EQ(names({near}), (Names{"a", "b.jpg", "b.xmp", "c"}));
  undo();
  EXPECT_EQ(names({near}), (Names{"a", "b.jpg", "b.xmp", "c"}));
  // Nobody has looked at it since, so the next search will.
  const std::string b = dir / "tree/b.jpg";
  const auto record = collection()->file({.path = b, .volume = *volume_of(b)});
  EXPECT_EQ((*record)->digest, content_of(near));
  EXPECT_EQ((*record)->seen_ns, 0);
  apply(plan);
  EXPECT_EQ(names({near}), (Names{"a", "(b.jpg)"}));
}

// A person deletes by hand what undo has brought back: another undo must not name it.
TEST_F(RememberTest, UndoNamesOnlyWhatIsThere) {
  known("a", kept);
  known("b", near);
  apply(plan_of({reviewed(dir / "tree/b", dir / "tree/a")}));
  ASSERT_TRUE(undo_run({}));  // the collection is not told
  fs::remove(dir / "tree/b");
  undo();
  EXPECT_EQ(names({near}), (Names{"a"}));
}

TEST_F(RememberTest, PathsThatWereNeverKnownStayUnknown) {
  known("other", "something else");
  make("a", kept);
  make("b", kept);
  apply(plan_of({action_for(dir / "tree/b", dir / "tree/a")}));
  undo();
  EXPECT_EQ(names({kept}), (Names{"other"}));
}

TEST_F(RememberTest, PurgeKeepsWhatWasDecided) {
  known("a", kept);
  known("b", near);
  apply(plan_of({reviewed(dir / "tree/b", dir / "tree/a")}));
  PurgeOptions options;
  options.act = true;
  EXPECT_EQ(purge_runs(options)->purged, 1U);
  EXPECT_EQ(undo().purged, 1U);
  EXPECT_EQ(names({near}), (Names{"a", "(b)"}));
}

// Two runs have removed the same content; taking one back leaves the other's decision.
TEST_F(RememberTest, WhatAnotherRunRemovedIsRemembered) {
  known("a", kept);
  known("b", near);
  const std::string first = apply(plan_of({reviewed(dir / "tree/b", dir / "tree/a")})).run;
  known("again", near);
  const std::string second = apply(plan_of({reviewed(dir / "tree/again", dir / "tree/a")})).run;
  EXPECT_EQ(names({near}), (Names{"a", "(again)"}));
  undo(second);
  EXPECT_EQ(names({near}), (Names{"a", "again", "(b)"}));
  undo(first);
  EXPECT_EQ(names({near}), (Names{"a", "again", "b"}));
}

TEST_F(RememberTest, WhatFailedIsNotRemembered) {
  known("a", kept);
  known("b", near);
  set_step_hook([](std::string_view step) { return step == "rename" ? ENOSPC : 0; });
  EXPECT_EQ(apply(plan_of({reviewed(dir / "tree/b", dir / "tree/a")})).failed, 1U);
  set_step_hook({});
  EXPECT_EQ(names({near}), (Names{"a", "b"}));
}

// The action never depends on the collection.
TEST_F(RememberTest, ACollectionThatCannotBeToldIsNoReasonNotToAct) {
  known("a", kept);
  known("b", near);
  const Plan plan = plan_of({reviewed(dir / "tree/b", dir / "tree/a")});
  const auto expect_trouble = [&](std::string_view part) {
    const ApplySummary summary = apply(plan);
    EXPECT_EQ(summary.done, 1U);
    EXPECT_TRUE(contains(summary.trouble, part)) << summary.trouble;
    EXPECT_FALSE(fs::exists(dir / "tree/b"));
    const UndoSummary undone = undo();
    EXPECT_EQ(undone.undone, 1U);
    EXPECT_TRUE(fs::exists(dir / "tree/b"));
  };
  {
    const auto writer = collection(Mode::kWrite);
    expect_trouble("this process is writing it already");
  }
  for (const int error : {ENOSPC, EIO}) {
    set_step_hook([&](std::string_view step) { return step == "remember" ? error : 0; });
    expect_trouble("the collection: ");
    set_step_hook({});
  }
  EXPECT_EQ(names({near}), (Names{"a", "b"}));
  const std::string manifest = read_file(place() + "/MANIFEST");
  std::ofstream(place() + "/MANIFEST") << "nonsense";
  expect_trouble("index repair");
  fs::remove_all(place());
  expect_trouble("there is no collection");
  EXPECT_FALSE(fs::exists(place()));
}

// Killed at every step there is and continued, it ends with the same collection.
TEST_F(RememberTest, KilledAnywhereItEndsTheSame) {
  constexpr int kKilled = 77;
  int n = 0;
  bool killed = true;
  for (; killed; ++n) {
    fs::remove_all(dir / "tree");
    fs::remove_all(dir / "state");
    fs::remove_all(dir / "data");
    fs::remove_all(place());
    known("a", kept);
    known("b", near);
    known("c", kept);
    const Plan plan = plan_of(
        {reviewed(dir / "tree/b", dir / "tree/a"), action_for(dir / "tree/c", dir / "tree/a")});
    const pid_t child = ::fork();
    if (child == 0) {
      int left = n;
      set_step_hook([&](std::string_view) -> int {
        if (left-- == 0) ::_exit(kKilled);
        return 0;
      });
      apply(plan);
      ::_exit(0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    killed = WIFEXITED(status) && WEXITSTATUS(status) == kKilled;
    EXPECT_TRUE(killed || status == 0) << n;
    // Every second one is taken back instead.
    if (n % 2 == 0) {
      EXPECT_EQ(apply(plan).trouble, "") << n;
      ASSERT_EQ(names({near, kept}), (Names{"a", "(b)"})) << n;
    } else if (const auto undone = undo_run({.run = "", .collection = place()})) {
      EXPECT_EQ(undone->trouble, "") << n;
      ASSERT_EQ(names({near, kept}), (Names{"a", "b", "c"})) << n;
    }
  }
  EXPECT_GT(n, 40);  // it was killed in the midst of things
}

}  // namespace
}  // namespace twinsift
