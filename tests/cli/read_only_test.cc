// SPDX-License-Identifier: Apache-2.0
// R16: whatever is not told to act with --yes changes nothing of what it looks at.  The fixture is
// a tree in which every command finds something to do.
#include <fmt/format.h>
#include <sys/stat.h>

#include "act/test_tree.h"
#include "command.h"

namespace twinsift::cli {
namespace {

namespace fs = std::filesystem;

class ReadOnly : public CommandTest {
 protected:
  ReadOnly() {
    const std::string text = random_text(1, 200);
    write("tree/a.txt", text);
    write("tree/copy.txt", text);
    write("tree/sub/near.txt", with_change(text, 100));
    write("tree/sub/page.html", "<p>" + text + "</p>");
    write("tree/sub/caf\xE9\n.txt", text);
    write("tree/docs.jsonl", "{\"text\":\"" + text + "\"}\n{\"text\":\"" + text + "\"}\n");
    write("tree/empty", "");
    write("tree/IMG_1.JPG", "picture");
    write("tree/sub/IMG_1.JPG", "picture");
    write("tree/IMG_1.xmp", "rating 1");
    write("tree/sub/IMG_1.xmp", "rating 2");
    fs::create_hard_link(folder / "tree/a.txt", folder / "tree/hard.txt");
    fs::create_symlink("a.txt", folder / "tree/soft.txt");
    fs::create_symlink("nowhere", folder / "tree/broken");
    int salt = 0;
    for (const std::string name : {"a.txt", "copy.txt", "sub/near.txt", "sub/IMG_1.JPG"}) {
      make_peculiar(folder / "tree/" + name, ++salt);
    }
    // Something in the quarantine, for undo and purge to look at.
    write("tree/gone", "went before");
    write("tree/stayed", "went before");
    expect_home({"find", "tree", "--json", "-o", "first.json"}, 0);
    expect_home({"plan", "first.json", "--keep", "name:stayed", "-o", "first.plan"}, 0);
    Words lines = lines_of(folder.read("first.plan"));
    std::string one = lines.front() + "\n";
    for (const std::string& line : lines) {
      if (contains(line, "/gone\"")) one += line + "\n";
    }
    write("first.plan", one);
    expect_home({"apply", "first.plan", "--yes"}, 0, {"1 action done"});
    EXPECT_FALSE(exists("tree/gone"));
  }

  [[nodiscard]] Variables home() const {
    return {{"XDG_STATE_HOME", folder / "state"},
            {"XDG_DATA_HOME", folder / "data"},
            {"HOME", folder / "home"}};
  }
  Outcome expect_home(const Words& words, int status, const Words& parts = {}) const {
    return expect(words, status, parts, home());
  }

  // Also the ctime, which nobody can set back.
  [[nodiscard]] static Snapshot everything(const std::string& root) {
    Snapshot all = snapshot(root, true);
    all[root] = "";
    for (auto& [path, text] : all) {
      struct stat status {};
      EXPECT_EQ(::lstat(path.c_str(), &status), 0) << path;
      text += fmt::format(" ctime {}.{:09} mtime {}", status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
                          mtime_ns_of(status));
    }
    return all;
  }

  void expect_untouched(const std::vector<Words>& commands) const {
    const Snapshot tree = everything(folder / "tree");
    const Snapshot quarantine = everything(folder / "data/twinsift/quarantine");
    const Snapshot runs = everything(folder / "state");
    for (const Words& words : commands) {
      const Outcome outcome = run(words, home());
      const bool skipped_link = outcome.status == 3 && contains(outcome.err, "broken link");
      EXPECT_TRUE(outcome.status == 0 || skipped_link) << words[0] << ": " << outcome.err;
      ASSERT_EQ(everything(folder / "tree"), tree) << words[0];
      ASSERT_EQ(everything(folder / "data/twinsift/quarantine"), quarantine) << words[0];
      ASSERT_EQ(everything(folder / "state"), runs) << words[0];
    }
  }
};

TEST_F(ReadOnly, R16LookingChangesNothing) {
  expect_untouched({{"find", "tree", "--json", "-o", "report.json"},
                    {"find", "tree", "--hidden", "--follow-links", "--no-index"},
                    {"find", "tree", "--format", "html", "-o", "report.html"},
                    {"find", "tree", "--format", "fdupes", "-o", "list"},
                    {"find", "--import", "report.json", "--json", "-o", "again.json"},
                    {"compare", "tree/a.txt", "tree/sub/near.txt", "--explain"},
                    {"compare", "tree/a.txt", "tree/sub/page.html"},
                    {"index", "build", "tree", "--index", "other"},
                    {"index", "add", "tree"},
                    {"index", "mark", "tree/a.txt", "tree/sub/near.txt", "--as", "not-duplicate"},
                    {"index", "stat"},
                    {"index", "verify"},
                    {"index", "compact"},
                    {"index", "repair"},
                    {"query", "tree/sub/near.txt"},
                    {"index", "remove", "tree/sub"},
                    {"dedup", "tree/docs.jsonl", "-o", "clean.jsonl"},
                    {"tune", "--threshold", "0.7"},
                    {"doctor"}});
}

TEST_F(ReadOnly, R16PlanningAndDryRunsChangeNothing) {
  std::vector<Words> commands = {{"find", "tree", "--json", "-o", "report.json"},
                                 {"undo", "--list"},
                                 {"purge", "--older-than", "0s"}};
  for (const std::string action : {"quarantine", "hardlink", "symlink", "delete-list"}) {
    commands.push_back({"plan", "report.json", "--reviewed", "--action", action, "-o", action});
    commands.push_back({"apply", action});
    commands.push_back({"apply", action, "--json", "--unreviewed"});
  }
  expect_untouched(commands);
  EXPECT_TRUE(contains(folder.read("quarantine"), "IMG_1.xmp"));
  EXPECT_TRUE(contains(expect_home({"apply", "hardlink"}, 0).out, "would hardlink"));
}

}  // namespace
}  // namespace twinsift::cli
