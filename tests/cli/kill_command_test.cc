// SPDX-License-Identifier: Apache-2.0
// The program is killed (kill -9) at random moments of everything that writes: find, index build,
// add, remove and compact; apply and undo.  Whatever is left must be a good collection, which gives
// the same answers as none, and a tree that undo makes what it was.
//
// TWINSIFT_KILLS=300 asks for so many kills that came in time, instead of a few.
#include <algorithm>
#include <cstdlib>
#include <thread>

#include "act/test_tree.h"
#include "command.h"

namespace twinsift::cli {
namespace {

using std::chrono::microseconds;

int wanted_kills() {
  const char* wanted = std::getenv("TWINSIFT_KILLS");
  return wanted != nullptr ? std::atoi(wanted) : 12;
}

class KillCommand : public CommandTest {
 protected:
  [[nodiscard]] Variables home() const {
    return {{"XDG_STATE_HOME", folder / "state"}, {"XDG_DATA_HOME", folder / "data"}};
  }

  // True if the program was killed before it came to its end.
  bool kill_after(const Words& words, microseconds time) {
    const Program program(folder, words, {.variables = home()});
    std::this_thread::sleep_for(time);
    ::kill(program.id(), SIGKILL);
    const Outcome outcome = program.wait();
    const int status = outcome.status;
    EXPECT_TRUE(status == -SIGKILL || status == 0 || status == 3 || status == 5)
        << testing::PrintToString(words) << status << outcome.err;
    return status == -SIGKILL;
  }

  // How long the program takes if nobody kills it.
  microseconds usual_time(const Words& words, int status = 0) {
    const auto start = std::chrono::steady_clock::now();
    expect(words, status, {}, home());
    return std::chrono::duration_cast<microseconds>(std::chrono::steady_clock::now() - start);
  }

  // Kills land between the beginning and the end, wherever that is on this machine.
  microseconds moment(microseconds usual) {
    return microseconds(rng.below(static_cast<std::uint32_t>(usual.count()) + 1));
  }

  Rng rng{static_cast<std::uint64_t>(wanted_kills())};
};

// What differs, for people: whole trees are too long to read.
std::string difference(const Snapshot& now, const Snapshot& before) {
  std::string text;
  for (const auto& [path, was] : before) {
    const auto is = now.find(path);
    if (is == now.end()) {
      text += path + " is gone\n";
    } else if (is->second != was) {
      text += path + ": " + is->second + "\n  was " + was + "\n";
    }
  }
  for (const auto& [path, is] : now) {
    if (!before.contains(path)) text += path + " is new\n";
  }
  return text;
}

std::string groups_of(const std::string& report) {
  const std::size_t begin = report.find("\"groups\"");
  return report.substr(begin, report.find("\"skipped\"") - begin);
}

TEST_F(KillCommand, ACollectionIsGoodWhateverWasKilled) {
  for (std::uint32_t i = 0; i < 300; ++i) {
    const std::string text = random_text(i / 3, 100 + i);
    write("d/" + std::to_string(i % 7) + "/" + std::to_string(i) + ".txt",
          i % 3 == 0 ? text : with_change(text, 10 * (i % 3)));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // files must have come to rest
  const auto with_index = [](Words words) {
    words.insert(words.end(), {"--index", "c"});
    return words;
  };
  const Words find = with_index({"find", "d", "--json"});
  const std::string truth = groups_of(expect({"find", "d", "--json", "--no-index"}, 0).out);
  const std::vector<Words> commands = {
      with_index({"index", "build", "d"}),  find,
      with_index({"index", "add", "d"}),    with_index({"index", "remove", "d/3"}),
      with_index({"index", "remove", "d"}), with_index({"index", "compact"})};
  std::vector<microseconds> usual;
  for (const Words& words : commands) usual.push_back(usual_time(words));
  int in_time = 0;
  std::size_t tries = 0;
  for (; in_time < wanted_kills() && !HasFailure(); ++tries) {
    ASSERT_LT(tries, 40U * static_cast<std::size_t>(wanted_kills())) << "the kills come too late";
    // Now and then a collection is begun anew; before it is there, nothing else can be done to it.
    if (tries % 16 == 0) std::filesystem::remove_all(folder.path() / "c");
    const std::size_t i = exists("c/MANIFEST") ? 1 + tries % (commands.size() - 1) : tries % 3;
    if (kill_after(commands[i], moment(usual[i]))) ++in_time;
    if (!exists("c/MANIFEST")) continue;
    expect(with_index({"index", "verify"}), 0);
    if (tries % 3 != 0) continue;
    EXPECT_EQ(groups_of(expect(find, 0).out), truth);
    EXPECT_EQ(groups_of(expect(find, 0).out), truth);  // as it remembers it
  }
}

TEST_F(KillCommand, AKilledApplyOrUndoLosesNothing) {
  for (std::uint32_t i = 0; i < 60; ++i) {
    const std::string text = random_text(i / 3, 8);
    write("d/" + std::to_string(i % 3) + "/" + std::to_string(i) + ".txt", text);
    write("d/" + std::to_string(i % 3) + "/" + std::to_string(i) + "-own.txt",
          random_text(1000 + i, 8));
  }
  // Without the times of folders: those of a run that was killed may have been somebody else's.
  const auto tree = [&] { return snapshot(folder / "d"); };
  const Snapshot before = tree();
  expect({"find", "d", "--json", "-o", "report"}, 0, {}, home());
  const std::vector<std::string> actions = {"quarantine", "hardlink", "symlink"};
  for (const std::string& action : actions) {
    expect({"plan", "report", "--action", action, "-o", "plan-" + action}, 0, {}, home());
  }
  const microseconds apply_time = usual_time({"apply", "plan-quarantine", "--yes"});
  const microseconds undo_time = usual_time({"undo"});
  ASSERT_EQ(difference(tree(), before), "");
  int in_time = 0;
  for (int tries = 0; in_time < wanted_kills() && !HasFailure(); ++tries) {
    ASSERT_LT(tries, 40 * wanted_kills()) << "the kills come too late";
    const Words apply = {"apply", "plan-" + actions[rng.below(3)], "--yes"};
    const bool during_undo = rng.below(2) == 0;
    if (during_undo) {
      expect(apply, 0, {}, home());
      if (kill_after({"undo"}, moment(undo_time))) ++in_time;
    } else {
      if (kill_after(apply, moment(apply_time))) ++in_time;
      // The same command goes on where it was killed.
      if (rng.below(2) == 0) expect(apply, 0, {}, home());
    }
    if (exists("state")) expect({"undo"}, 0, {}, home());
    EXPECT_EQ(difference(tree(), before), "") << testing::PrintToString(apply) << during_undo;
  }
}

}  // namespace
}  // namespace twinsift::cli
