// SPDX-License-Identifier: Apache-2.0
// Configuration files and files that could be lost: what is protected there is, and no file acts.
#include "act/plan.h"
#include "act/test_tree.h"
#include "command.h"

namespace twinsift::cli {
namespace {

const std::string kUser = "home/.config/twinsift/config.toml";

class ConfigActing : public CommandTest {
 protected:
  ConfigActing() {
    write("tree/a", "content");
    write("tree/master/b", "content");
  }
  Outcome expect_home(const Words& words, int status, const Words& parts = {}) const {
    return expect(words, status, parts, {{"HOME", folder / "home"}});
  }
  void make_plan() const {
    expect_home({"find", "tree", "--json", "-o", "report.json"}, 0);
    expect_home({"plan", "report.json", "--keep", "not-in:" + folder / "tree/master", "-o", "plan"},
                0);
  }
  [[nodiscard]] std::vector<PlannedAction> actions() const {
    const auto plan = read_plan(folder / "plan");
    EXPECT_TRUE(plan);
    return plan ? plan->actions : std::vector<PlannedAction>{};
  }
  [[nodiscard]] Snapshot tree() const { return snapshot(folder / "tree", true); }
};

TEST_F(ConfigActing, R5WhatAFileProtectsIsNotPlannedToGo) {
  make_plan();
  ASSERT_EQ(actions().size(), 1U);
  EXPECT_EQ(actions()[0].loser.path, folder / "tree/master/b");  // as long as nobody protects it
  for (const auto& [file, line] :
       {std::pair(kUser, "protect = [\"" + folder / "tree/master" + "\"]\n"),
        std::pair(kUser, std::string("protect = [\"~/../tree/master\"]\n")),
        std::pair(std::string(".twinsift.toml"), std::string("protect = [\"tree/master\"]\n")),
        std::pair(std::string(".twinsift.toml"),
                  std::string("[plan]\nprotect = \"tree/master\"\n"))}) {
    write(file, line);
    make_plan();
    EXPECT_EQ(actions().size(), 0U) << line;
    std::filesystem::remove(folder.path() / file);
  }
}

// A plan that was made before, or by hand, or without the file.
TEST_F(ConfigActing, R5WhatAFileProtectsIsNotTouchedWhateverThePlanSays) {
  make_plan();
  const Snapshot before = tree();
  const std::string line = "protect = [\"" + folder / "tree/master" + "\"]\n";
  for (const std::string& file : {kUser, std::string(".twinsift.toml")}) {
    write(file, line);
    expect_home({"apply", "plan", "--yes"}, 4, {"is protected", "nothing was changed"});
    // What is typed adds to it and takes nothing back.
    expect_home({"apply", "plan", "--yes", "--protect", "home"}, 4, {"is protected"});
    EXPECT_EQ(tree(), before);
    std::filesystem::remove(folder.path() / file);
  }
  expect_home({"apply", "plan", "--yes"}, 0, {"1 action done"});
  EXPECT_FALSE(exists("tree/master/b"));
}

TEST_F(ConfigActing, R5AProtectedFolderThatIsNotThereStopsEverything) {
  make_plan();
  write(kUser, "protect = [\"/no/such/folder\"]\n");
  const Snapshot before = tree();
  EXPECT_NE(run({"plan", "report.json"}, {{"HOME", folder / "home"}}).status, 0);
  EXPECT_NE(run({"apply", "plan", "--yes"}, {{"HOME", folder / "home"}}).status, 0);
  EXPECT_EQ(tree(), before);
}

TEST_F(ConfigActing, AHostileProjectCannotAct) {
  make_plan();
  const Snapshot before = tree();
  for (const std::string line :
       {"yes = true\n", "[apply]\nyes = true\n", "[apply]\n\"yes\" = true\n",
        "[apply]\nyes = \"1\"\n", "[purge]\nyes = true\n"}) {
    write(".twinsift.toml", line);
    expect_home({"apply", "plan"}, 2, {"--yes must be typed each time"});
    EXPECT_EQ(tree(), before) << line;
  }
  write(".twinsift.toml", "output = \"tree/a\"\n");
  expect_home({"find", "tree/master"}, 2, {"output: a project's file cannot set it"});
  EXPECT_EQ(tree(), before);
}

TEST_F(ConfigActing, TheEnvironmentCannotActEither) {
  make_plan();
  const Snapshot before = tree();
  for (const std::string name : {"YES", "UNREVIEWED", "ALLOW_WIPEOUT", "CONTINUE"}) {
    expect({"apply", "plan"}, 2, {"TWINSIFT_" + name + ": --", "must be typed each time"},
           {{"HOME", folder / "home"}, {"TWINSIFT_" + name, "1"}});
  }
  expect({"plan", "report.json"}, 2, {"TWINSIFT_REVIEWED: --reviewed must be typed each time"},
         {{"HOME", folder / "home"}, {"TWINSIFT_REVIEWED", "1"}});
  expect({"purge", "--older-than", "0s"}, 2, {"TWINSIFT_YES: --yes must be typed each time"},
         {{"HOME", folder / "home"}, {"TWINSIFT_YES", "true"}});
  EXPECT_EQ(tree(), before);
}

}  // namespace
}  // namespace twinsift::cli
