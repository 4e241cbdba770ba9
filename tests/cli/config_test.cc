// SPDX-License-Identifier: Apache-2.0
// Configuration files: which layer wins, what a file may say, and what is said of a bad one.
#include <sys/mount.h>
#include <sys/stat.h>

#include "command.h"

namespace twinsift::cli {
namespace {

const std::string kUser = "home/.config/twinsift/config.toml";
const std::string kProject = ".twinsift.toml";

class Config : public CommandTest {
 protected:
  Config() { write("home/x", "x"); }

  // The home is below the working directory, so that nothing of the developer's is found.
  [[nodiscard]] Variables with(Variables more = {}) const {
    more.try_emplace("HOME", folder / "home");
    return more;
  }
  // What the command prints that must succeed and be silent about everything else.
  [[nodiscard]] std::string out(const Words& words, const Variables& more = {}) const {
    const Outcome outcome = run(words, with(more));
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    return outcome.out;
  }
  void expect_error(const std::string& file, std::string_view text, const std::string& part) const {
    write(file, text);
    expect({"config"}, 2, {part}, with());
    std::filesystem::remove(folder.path() / file);
  }
  // Runs in another folder.
  [[nodiscard]] Outcome run_in(const std::string& place, const Words& words) const {
    return Program(folder, words,
                   {.variables = with(),
                    .before =
                        [&] {
                          if (chdir(place.c_str()) != 0) _exit(126);
                        }})
        .wait();
  }
};

TEST_F(Config, TypedBeatsEnvironmentBeatsProjectBeatsUser) {
  const auto tuned = [&](const Words& more, const Variables& variables = {}) {
    Words words = {"tune", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return out(words, variables);
  };
  EXPECT_TRUE(contains(tuned({}), "\"threshold\":0.8"));
  write(kUser, "threshold = 0.51\n");
  EXPECT_TRUE(contains(tuned({}), "\"threshold\":0.51"));
  write(kProject, "threshold = 0.52\n");
  EXPECT_TRUE(contains(tuned({}), "\"threshold\":0.52"));
  const Variables environment = {{"TWINSIFT_THRESHOLD", "0.53"}};
  EXPECT_TRUE(contains(tuned({}, environment), "\"threshold\":0.53"));
  EXPECT_TRUE(contains(tuned({"--threshold", "0.54"}, environment), "\"threshold\":0.54"));
  EXPECT_TRUE(contains(tuned({"--no-config"}, environment), "\"threshold\":0.53"));
  EXPECT_TRUE(contains(tuned({"--no-config"}), "\"threshold\":0.8"));
}

TEST_F(Config, ATableWinsOverTheTopOfItsFileButNotOverAStrongerFile) {
  write(kUser, "threshold = 0.5\nlevel = \"edited\"\n[find]\nthreshold = 0.6\nlevel = \"same\"\n");
  EXPECT_EQ(out({"config", "find"}), "[find]\nlevel = \"same\"\nthreshold = 0.6\n");
  EXPECT_EQ(out({"config", "query"}), "[query]\nlevel = \"edited\"\nthreshold = 0.5\n");
  write(kProject, "threshold = 0.7\n");
  EXPECT_EQ(out({"config", "find"}), "[find]\nlevel = \"same\"\nthreshold = 0.7\n");
}

TEST_F(Config, ListsReplaceAndProtectAddsUp) {
  write(kUser, "exclude = [\"a\", \"b\"]\nprotect = [\"/one\"]\n[plan]\nprotect = \"~/two\"\n");
  write(kProject, "exclude = [\"c\"]\nprotect = [\"three\"]\n");
  EXPECT_EQ(out({"config", "find"}), "[find]\nexclude = [\"c\"]\n");
  EXPECT_EQ(out({"config", "plan", "--no-config"}), "");
  EXPECT_TRUE(contains(out({"config", "plan", "--show-origin"}, {{"TWINSIFT_PROTECT", "four"}}),
                       "protect = [\"four\", \"./three\", \"/one\", \"" + folder / "home/two" +
                           "\"]  # environment TWINSIFT_PROTECT, ./.twinsift.toml:2, " +
                           folder / kUser + ":2, " + folder / kUser + ":4\n"));
  EXPECT_TRUE(contains(out({"config", "apply"}), "protect = [\"./three\", \"/one\"]\n"));
}

TEST_F(Config, AStrongerLayerCanTurnAFlagOff) {
  write(kUser, "hidden = true\nverbose = true\n");
  write(kProject, "verbose = false\n");
  write("d/.a", "one and the same text");
  write("d/.b", "one and the same text");
  EXPECT_TRUE(contains(out({"find", "d"}), "d/.a"));
  EXPECT_FALSE(contains(out({"find", "d"}, {{"TWINSIFT_HIDDEN", "0"}}), "d/.a"));
}

TEST_F(Config, AKeyAboveAllTablesHoldsForThoseThatTakeIt) {
  write("a", "text");
  write(kUser, "format = \"csv\"\n");
  EXPECT_EQ(out({"config"}), "[find]\nformat = \"csv\"\n");
  EXPECT_EQ(out({"compare", "a", "a"}).substr(0, 10), "similarity");
  EXPECT_NE(out({"compare", "a", "a"}, {{"TWINSIFT_FORMAT", "csv"}}), "");
  expect_error(kUser, "format = \"cvs\"\n", "config.toml:1: format: 'cvs': allowed are text, json");
  write(kUser, "json = true\n");
  EXPECT_EQ(out({"compare", "a", "a"}).substr(0, 1), "{");
}

TEST_F(Config, MistakesNameFileLineAndKey) {
  const std::string user = folder / kUser;
  for (const auto& [text, part] : std::vector<std::pair<std::string, std::string>>{
           {"\ntreshold = 0.5\n", ":2: unknown key 'treshold'; did you mean 'threshold'?"},
           {"[fnid]\n", ":1: [fnid] is not a command that can be configured; did you mean 'find'?"},
           {"[help]\n", ":1: [help] is not a command that can be configured"},
           {"[compare]\nthreads = 2\n", ":2: unknown key 'threads' for 'compare'"},
           {"threshold = 1.5\n", ":1: threshold: '1.5': allowed are numbers above 0"},
           {"threshold = \"0.5\"\n", ":1: threshold: a number is needed, without quotes"},
           {"threads = -1\n", ":1: threads: '-1': allowed are whole numbers"},
           {"hidden = \"yes\"\n", ":1: hidden: true or false is needed"},
           {"memory = true\n", ":1: memory: a number is needed, or one with a unit"},
           {"memory = \"4X\"\n", ":1: memory: '4X': allowed are bytes"},
           {"level = [\"same\"]\n", ":1: level: one value is needed, not a list"},
           {"level = 3\n", ":1: level: a text in quotes is needed"},
           {"new-since = \"soon\"\n", ":1: new-since: 'soon': allowed are a date"},
           {"older-than = \"soon\"\n", ":1: older-than: 'soon': allowed are whole numbers"},
           {"protect = [\"here\"]\n", ":1: protect: in a file for all folders a path begins with"},
           {"help = true\n", ":1: unknown key 'help'"},
           {"no-config = true\n", ":1: no-config: --no-config must be typed each time"},
           {"\n\nthreshold 0.5\n", ":3: a '=' and a value should follow the key"},
           {"\"\\u001b[2J\" = 1\n", ":1: unknown key '\\x1b[2J'"}}) {
    expect_error(kUser, text, user + part);
  }
  expect_error(kProject, "x = 1\n", "./.twinsift.toml:1: unknown key 'x'");
  expect_error(kProject, "x = 1\n", "; mend the file, or go without by --no-config");
  expect_error(kUser, std::string((1 << 20) + 1, '#'),
               user + ": a configuration file has at most 1");
  write(kUser, std::string(1 << 20, '#'));
  EXPECT_EQ(out({"config"}), "");
}

TEST_F(Config, AProjectMayNotActWriteSteerOrTakeTheMachine) {
  for (const std::string line :
       {"output = \"x\"",      "index = \"x\"",    "no-index = true",     "pairs = \"x\"",
        "clusters = \"x\"",    "plot = \"x\"",     "older-than = \"0s\"", "import = \"x\"",
        "files0-from = \"x\"", "temp-dir = \"x\"", "memory = 1",          "threads = 1",
        "follow-links = true", "ref = \"x\"",      "keep = \"first\"",    "action = \"hardlink\"",
        "quiet = true",        "null = true",      "retry-failed = true", "similarities = \"x\""}) {
    const std::string key = line.substr(0, line.find(' '));
    expect_error(kProject, line, "./.twinsift.toml:1: " + key + ": a project's file cannot set it");
    write(kUser, line.ends_with("\"x\"") ? key + " = \"/x\"" : line);
    EXPECT_EQ(run({"config"}, with()).status, 0) << line;
    std::filesystem::remove(folder.path() / kUser);
  }
  expect_error(kProject, "[plan]\nkeep = \"first\"\n", "cannot set it for 'plan'");
  write(kProject, "[dedup]\nkeep = \"longest\"\n");
  EXPECT_EQ(out({"config"}), "[dedup]\nkeep = \"longest\"\n");
}

TEST_F(Config, WhatChangesFilesMustBeTyped) {
  for (const auto& [command, line] :
       std::vector<std::pair<std::string, std::string>>{{"apply", "yes = true"},
                                                        {"purge", "yes = true"},
                                                        {"apply", "unreviewed = true"},
                                                        {"plan", "reviewed = true"},
                                                        {"apply", "allow-wipeout = [\"/\"]"},
                                                        {"apply", "continue = \"x\""},
                                                        {"index", "as = \"related\""}}) {
    const std::string name = line.substr(0, line.find(' '));
    const std::string part = ": --" + name + " must be typed each time";
    for (const std::string& file : {kUser, kProject}) {
      expect_error(file, line, ":1: " + name + part);
      expect_error(file, "[" + command + "]\n" + line, ":2: " + name + part);
    }
    std::string variable = "TWINSIFT_";
    for (const char c : name) variable += c == '-' ? '_' : static_cast<char>(c - 'a' + 'A');
    expect({"config", command}, 2, {variable + part},
           with({{variable, name == "as" ? "related" : "1"}}));
  }
  EXPECT_EQ(out({"config", "apply"}, {{"TWINSIFT_YES", "0"}}), "");
}

TEST_F(Config, AProjectFileThatOthersMayWriteIsIgnored) {
  write(kProject, "threshold = 0.5\n");
  const std::string file = folder / kProject;
  const auto expect_ignored = [&](const std::string& why) {
    const Outcome outcome = run({"config"}, with());
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err, "twinsift: ./.twinsift.toml is ignored, because " + why + "\n");
  };
  EXPECT_NE(out({"config"}), "");
  chmod(file.c_str(), 0666);
  expect_ignored("everybody may write it");
  chmod(file.c_str(), 0664);
  EXPECT_NE(out({"config"}), "");
  if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  ASSERT_EQ(chown(file.c_str(), 0, 12345), 0);
  expect_ignored("another group may write it");
  ASSERT_EQ(chown(file.c_str(), 12345, 0), 0);
  expect_ignored("it belongs to another user");
}

TEST_F(Config, TheNearestProjectFileHoldsUpToTheHomeFolder) {
  write(kProject, "threshold = 0.5\n");
  write("a/b/c/x", "x");
  write("home/d/x", "x");
  EXPECT_TRUE(contains(run_in("a/b/c", {"config", "--show-origin"}).out,
                       "threshold = 0.5  # ../../../.twinsift.toml:1\n"));
  write("a/" + kProject, "threshold = 0.6\nprotect = \"keep\"\n");
  EXPECT_TRUE(contains(run_in("a/b/c", {"config", "--show-origin"}).out,
                       "threshold = 0.6  # ../../.twinsift.toml:1\n"));
  EXPECT_TRUE(contains(run_in("a/b/c", {"config"}).out, "protect = [\"../../keep\"]\n"));
  EXPECT_EQ(run_in("home/d", {"config"}).out, "");
  write("home/" + kProject, "threshold = 0.7\n");
  EXPECT_EQ(run_in("home/d", {"config"}).out, "threshold = 0.7\n");
}

TEST_F(Config, TheSearchStaysInItsFileSystem) {
  write(kProject, "threshold = 0.5\n");
  write("disk/x", "x");
  const Outcome outcome =
      Program(folder, {"config"},
              {.variables = with(),
               .before =
                   [] {
                     const bool mounted =
                         unshare(CLONE_NEWNS) == 0 &&
                         mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                         mount("none", "disk", "tmpfs", 0, "size=64k") == 0;
                     if (!mounted || chdir("disk") != 0) _exit(126);
                   }})
          .wait();
  if (outcome.status == 126) GTEST_SKIP() << "mounting is not permitted";
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
}

TEST_F(Config, TheUsersFileIsWhereTheSystemSaysOrTheVariable) {
  write("xdg/twinsift/config.toml", "threshold = 0.5\n");
  write("other", "threshold = 0.6\n");
  EXPECT_EQ(out({"config"}, {{"XDG_CONFIG_HOME", folder / "xdg"}}), "threshold = 0.5\n");
  EXPECT_EQ(out({"config"}, {{"XDG_CONFIG_HOME", "xdg"}}), "");
  EXPECT_EQ(out({"config"}, {{"XDG_CONFIG_HOME", folder / "xdg"}, {"TWINSIFT_CONFIG", "other"}}),
            "threshold = 0.6\n");
  EXPECT_EQ(out({"config"}, {{"TWINSIFT_CONFIG", "/dev/null"}}), "");
  expect({"config"}, 2, {"missing: no such file"}, with({{"TWINSIFT_CONFIG", "missing"}}));
  std::filesystem::create_directories(folder.path() / kUser);
  expect({"config"}, 2, {"config.toml: ", "directory", "--no-config"}, with());
}

TEST_F(Config, ABrokenFileStopsNobodyWhoOnlyAsksForHelp) {
  write(kProject, "this is no TOML\n");
  write(kUser, "\xff");
  EXPECT_EQ(run({"find", "."}, with()).status, 2);
  for (const Words& words : std::vector<Words>{{"help", "find"},
                                               {"find", "--help"},
                                               {"completions", "bash"},
                                               {"--version"},
                                               {"manual", "find"}}) {
    EXPECT_NE(out(words), "");
  }
  EXPECT_EQ(run({"doctor"}, with()).err.find(kProject), std::string::npos);
  EXPECT_EQ(out({"config", "--no-config"}), "");
}

TEST_F(Config, ShowsWhereEverythingComesFrom) {
  write(kUser, "\nexclude = [\"*.tmp\"]\n[index]\nmin-size = \"10k\"\n");
  write(kProject, "hidden = true\n");
  EXPECT_EQ(out({"config", "--show-origin"}, {{"TWINSIFT_THREADS", "2"}}),
            "exclude = [\"*.tmp\"]  # " + folder / kUser +
                ":2\nhidden = true  # ./.twinsift.toml:1\nthreads = 2  # environment "
                "TWINSIFT_THREADS\n\n[index]\nmin-size = \"10k\"  # " +
                folder / kUser + ":4\n");
  const std::string find = out({"config", "find", "--show-origin"});
  EXPECT_TRUE(contains(find, "# recall  # default\n")) << find;
  EXPECT_FALSE(contains(find, "# hidden")) << find;
  EXPECT_TRUE(contains(out({"config", "find", "--json"}),
                       R"({"command":"find","options":[{"name":"exclude","values":["*.tmp"],)"));
  EXPECT_TRUE(contains(out({"config", "find", "--json"}),
                       R"({"name":"hidden","values":["true"],"origins":["./.twinsift.toml:1"]})"));
  expect({"config", "fnid"}, 2, {"'fnid' is not a command that can be configured; did you mean"},
         with());
}

TEST_F(Config, WhatIsPrintedIsAConfigurationFile) {
  write(kUser,
        "threshold = 0.123456789\nindex = \"/i\"\nmemory = 1000000\nexclude = ['a\"\\', \"\\t\"]\n"
        "[index]\nhidden = true\n[tune]\npeers = 1e15\n[find]\nformat = \"html\"\nname = []\n");
  EXPECT_EQ(run({"config"}, with()).status, 2);  // a key and a table of one name are no TOML
  std::string text = folder.read(kUser);
  text.replace(text.find("index = \"/i\""), 12, "");
  write(kUser, text + "index = \"/i\"\n");
  const std::string once = out({"config"});
  EXPECT_EQ(count(once, "\n"), 12U) << once;  // all of it is there
  write("again", once);
  EXPECT_EQ(out({"config"}, {{"TWINSIFT_CONFIG", "again"}}), once);
}

}  // namespace
}  // namespace twinsift::cli
