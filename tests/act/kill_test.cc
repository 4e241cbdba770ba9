// SPDX-License-Identifier: Apache-2.0
// The program is killed everywhere, and every disk is full once: nobody ever loses a byte.
//
// A child process applies a plan and ends, without any goodbye, at step n, for every n there is;
// another one is killed by the kernel at a random moment.  Undo must then bring back the tree as it
// was, byte for byte and with all metadata, and continuing must do all of the plan.
// TWINSIFT_KILLS=1000 asks for that many random kills instead of a few dozen.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <set>
#include <thread>

#include <gtest/gtest.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "act/runs.h"
#include "act/steps.h"
#include "act/test_tree.h"
#include "act/undo.h"
#include "base/random.h"

namespace twinsift {
namespace {

namespace fs = std::filesystem;

constexpr int kKilled = 77;

// A small library with everything an action can meet: a hard link elsewhere, companions, odd names,
// one folder that loses everything.
class Library {
 public:
  Library() {
    use_home(dir.path().string());
    root = dir / "tree";
    const std::string text(3000, 'x');
    for (const std::string name : {"a/1", "b/1.jpg", "b/1 copy", "c/only/1"})
      make(name, "one" + text);
    for (const std::string name : {"a/2", "b/2\xff\n", "c/2"}) make(name, "two" + text);
    for (const std::string name : {"a/3", "b/3"}) make(name, "three" + text);
    for (const std::string name : {"a/4", "b/4"}) make(name, "four" + text);
    make("b/1.xmp", "about one");
    fs::create_hard_link(root + "/b/3", root + "/elsewhere");
    plan = plan_of({action(Action::kQuarantine, "b/1.jpg", "a/1"),
                    action(Action::kHardlink, "b/1 copy", "a/1"),
                    action(Action::kQuarantine, "c/only/1", "a/1"),
                    action(Action::kSymlink, "b/2\xff\n", "a/2"),
                    action(Action::kHardlink, "c/2", "a/2"),
                    action(Action::kQuarantine, "b/3", "a/3")});
    if (has_reflinks()) plan.actions.push_back(action(Action::kReflink, "b/4", "a/4"));
    plan.actions[0].companions.push_back(proof_of(root + "/b/1.xmp"));
    before = snapshot(root);
  }

  void make(const std::string& name, const std::string& content) {
    dir.write("tree/" + name, content);
    make_peculiar(root + "/" + name, salt_++);
  }
  [[nodiscard]] PlannedAction action(Action what, const std::string& loser,
                                     const std::string& keeper) const {
    return action_for(root + "/" + loser, root + "/" + keeper, what);
  }

  [[nodiscard]] bool has_reflinks() const {
    const Fd from(::open((root + "/a/4").c_str(), O_RDONLY | O_CLOEXEC));
    const Fd to(::open((dir / "clone").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    return ::ioctl(to.get(), FICLONE, from.get()) == 0;
  }

  // Every content that there was is still somewhere below, in the tree or in the quarantine.
  [[nodiscard]] bool has_every_byte() const {
    std::multiset<std::string> wanted;
    for (const auto& [path, text] : before) {
      if (fs::is_directory(path) || !text.ends_with('x')) continue;
      wanted.insert(text.substr(text.rfind("] ")));
    }
    std::multiset<std::string> found;
    for (const auto& [path, text] : snapshot(dir.path().string())) {
      if (path != dir / "clone" && text.ends_with('x')) found.insert(text.substr(text.rfind("] ")));
    }
    return std::ranges::includes(found, wanted);
  }

  TestDir dir;
  std::string root;
  Plan plan;
  Snapshot before;

 private:
  int salt_ = 0;
};

void expect_undone(const Library& library, const std::string& what) {
  const auto undone = undo_run({});
  if (!undone) {
    // Killed before anything was begun.
    EXPECT_EQ(undone.error().code, ErrorCode::kNotFound) << what << ": " << undone.error().message;
  } else {
    EXPECT_EQ(undone->failed, 0U) << what;
  }
  EXPECT_EQ(snapshot(library.root), library.before) << what;
}

void expect_all_done(const Library& library, const std::string& what) {
  const ApplySummary summary = applied(library.plan);
  EXPECT_EQ(summary.done + summary.before, library.plan.actions.size()) << what;
  EXPECT_EQ(summary.skipped + summary.failed, 0U) << what;
  const std::string& root = library.root;
  EXPECT_FALSE(fs::exists(root + "/b/1.jpg")) << what;
  EXPECT_FALSE(fs::exists(root + "/b/1.xmp")) << what;
  EXPECT_FALSE(fs::exists(root + "/c/only/1")) << what;
  EXPECT_TRUE(fs::equivalent(root + "/b/1 copy", root + "/a/1")) << what;
  EXPECT_TRUE(fs::is_symlink(root + "/b/2\xff\n")) << what;
  EXPECT_TRUE(fs::equivalent(root + "/b/2\xff\n", root + "/a/2")) << what;
  EXPECT_EQ(read_file(root + "/b/4"), read_file(root + "/a/4")) << what;
  for (const auto& [path, text] : snapshot(root)) {
    EXPECT_EQ(path.find(".twinsift"), std::string::npos) << what << ": left behind: " << path;
  }
}

// Runs `work` in a child that ends at step number `at`; whether it came that far.
template <class Work>
bool killed_at(int at, Work work) {
  return in_child([&] {
           int count = 0;
           set_step_hook([&](std::string_view) {
             if (count++ == at) ::_exit(kKilled);
             return 0;
           });
           work();
           return 0;
         }) == kKilled;
}

void apply_all(const Plan& plan) {
  ApplyOptions options;
  options.act = true;
  static_cast<void>(apply_plan(plan, options));
}

TEST(Kill, UndoAfterAKillAtAnyStepOfApplyBringsEverythingBack) {
  int steps = 0;
  for (bool killed = true; killed; ++steps) {
    const Library library;
    killed = killed_at(steps, [&] { apply_all(library.plan); });
    expect_undone(library, fmt::format("killed at step {}", steps));
    if (HasFailure()) break;
  }
  EXPECT_GT(steps, 60);
}

TEST(Kill, ApplyAgainAfterAKillAtAnyStepDoesTheRest) {
  for (int step = 0;; ++step) {
    const Library library;
    const bool killed = killed_at(step, [&] { apply_all(library.plan); });
    expect_all_done(library, fmt::format("killed at step {}", step));
    expect_undone(library, fmt::format("continued after step {}, then undone", step));
    if (!killed || HasFailure()) break;
  }
}

TEST(Kill, UndoAfterAKillAtAnyStepOfUndoFinishesIt) {
  for (int step = 0;; ++step) {
    const Library library;
    apply_all(library.plan);
    const bool killed = killed_at(step, [] { static_cast<void>(undo_run({})); });
    expect_undone(library, fmt::format("undo killed at step {}", step));
    if (!killed || HasFailure()) break;
  }
}

// The kill may come while another kill is being mended.
TEST(Kill, TwoKillsInARowAreNoWorseThanOne) {
  Rng random(11);
  for (int i = 0; i < 60 && !HasFailure(); ++i) {
    const Library library;
    const int first = static_cast<int>(random.below(120));
    const int second = static_cast<int>(random.below(60));
    const bool go_on = random.below(2) == 0;
    killed_at(first, [&] { apply_all(library.plan); });
    killed_at(second, [&] {
      if (go_on) return apply_all(library.plan);
      static_cast<void>(undo_run({}));
    });
    expect_undone(library, fmt::format("killed at {}, then at {}", first, second));
  }
}

// Every step fails once, for want of room or by a broken disk.
TEST(Kill, AFailureAtAnyStepLosesNothing) {
  for (const int error : {ENOSPC, EIO}) {
    for (int step = 0;; ++step) {
      const Library library;
      int count = 0;
      bool failed = false;
      set_step_hook([&](std::string_view name) {
        if (count++ != step || name.ends_with("done")) return 0;
        failed = true;
        return error;
      });
      apply_all(library.plan);
      const bool last = count <= step;
      set_step_hook({});
      EXPECT_TRUE(library.has_every_byte()) << "step " << step;
      if (failed || last) expect_undone(library, fmt::format("failed at step {}", step));
      if (last || HasFailure()) break;
    }
  }
}

// From some step on nothing can be changed any more, not even back.
TEST(Kill, AFullDiskFromAnyStepOnLosesNothing) {
  for (int step = 0;; ++step) {
    const Library library;
    int count = 0;
    set_step_hook([&](std::string_view name) {
      return count++ >= step && !name.ends_with("done") ? ENOSPC : 0;
    });
    apply_all(library.plan);
    set_step_hook({});
    EXPECT_TRUE(library.has_every_byte()) << "step " << step;
    expect_undone(library, fmt::format("full from step {} on", step));
    if (count <= step || HasFailure()) break;
  }
}

// A real full disk: the journal and the quarantine's manifests cannot grow.
TEST(Kill, ARealFullDiskLosesNothing) {
  const int result = in_child([] {
    const Library library;
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{6000, 6000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    ApplyOptions options;
    options.act = true;
    const auto summary = apply_plan(library.plan, options);
    if (summary || !is_disk_full(summary.error().message)) return 1;
    if (!library.has_every_byte()) return 2;
    const rlimit none{RLIM_INFINITY, RLIM_INFINITY};
    if (::setrlimit(RLIMIT_FSIZE, &none) != 0) return 0;  // only root may raise it again
    if (!undo_run({})) return 3;
    return snapshot(library.root) == library.before ? 0 : 4;
  });
  EXPECT_EQ(result, 0);
}

// Starts apply or undo in a process of its own.
pid_t start(bool undo, const Plan& plan) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  if (undo) {
    static_cast<void>(undo_run({}));
  } else {
    apply_all(plan);
  }
  ::_exit(0);
}

// How long both take if they are left alone, in microseconds.
std::uint32_t usual_time() {
  const Library library;
  const auto begin = std::chrono::steady_clock::now();
  for (const bool undo : {false, true}) ::waitpid(start(undo, library.plan), nullptr, 0);
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
  return static_cast<std::uint32_t>(took.count()) + 1;
}

// kill -9 at a random moment of apply, or of undo, then the other way.
TEST(Kill, RandomKillsLoseNothing) {
  const char* wanted = std::getenv("TWINSIFT_KILLS");
  const int kills = wanted == nullptr ? 40 : std::atoi(wanted);
  Rng random(static_cast<std::uint64_t>(kills) + 1);
  const std::uint32_t longest = usual_time() / 2;
  int in_time = 0;
  int tries = 0;
  for (; in_time < kills && tries < 20 * kills && !HasFailure(); ++tries) {
    const Library library;
    const bool during_undo = random.below(3) == 0;
    if (during_undo) apply_all(library.plan);
    const pid_t child = start(during_undo, library.plan);
    std::this_thread::sleep_for(std::chrono::microseconds(random.below(longest)));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) ++in_time;
    const std::string what = fmt::format("try {}", tries);
    EXPECT_TRUE(library.has_every_byte()) << what;
    if (!during_undo && random.below(2) == 0) expect_all_done(library, what);
    expect_undone(library, what);
  }
  if (wanted != nullptr) fmt::print("{} kills came in time, in {} runs\n", in_time, tries);
}

}  // namespace
}  // namespace twinsift
