// SPDX-License-Identifier: Apache-2.0
// The program as its users meet it: standard output, standard error, exit status.
#include "cli.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include <gtest/gtest.h>
#include <link.h>
#include <sys/ioctl.h>

#include "program.h"

namespace twinsift::cli {
namespace {

using Variables = std::map<std::string, std::string>;

class Cli : public testing::Test {
 protected:
  Outcome run(const std::vector<std::string>& words, const Variables& variables = {}) const {
    return Program(folder, words, {.variables = variables}).wait();
  }

  // The run must fail with `status`, say `words` on standard error and nothing on standard output.
  void expect_failure(const std::vector<std::string>& command, int status,
                      const std::string& words) const {
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.status, status);
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
  }

  TempFolder folder;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// ---- help

TEST_F(Cli, NoArgumentsPrintTenLinesThatBeginWithThreeExamples) {
  const Outcome outcome = run({});
  EXPECT_EQ(outcome.status, 0);
  const auto lines = lines_of(outcome.out);
  ASSERT_EQ(lines.size(), 10U);
  for (std::size_t i = 1; i <= 3; ++i) EXPECT_EQ(lines[i].rfind("  twinsift ", 0), 0U);
}

TEST_F(Cli, HelpIsTheSameByBothNamesAndFitsEightyColumns) {
  EXPECT_EQ(run({"help"}).out, run({"--help"}).out);
  for (const Command& command : kCommands) {
    const std::string name(command.name);
    const Outcome outcome = run({"help", name});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.out, run({name, "--help"}).out);
    for (const std::string& line : lines_of(outcome.out + run({"help"}).out)) {
      EXPECT_LE(line.size(), 80U) << line;
    }
  }
}

TEST_F(Cli, EveryOptionIsInTheHelpTheManPageAndTheCompletions) {
  const std::string bash = run({"completions", "bash"}).out;
  const std::string zsh = run({"completions", "zsh"}).out;
  const std::string fish = run({"completions", "fish"}).out;
  for (const Command& command : kCommands) {
    const std::string name(command.name);
    const std::string help = run({"help", name}).out;
    const std::string page = run({"manual", name}).out;
    for (const Option& option : kOptions) {
      if ((option.commands & command.bit) == 0) continue;
      std::string escaped = "\\-\\-";
      for (const char c : option.name) escaped += c == '-' ? "\\-" : std::string(1, c);
      EXPECT_TRUE(contains(help, "--" + std::string(option.name))) << name << option.name;
      EXPECT_TRUE(contains(page, escaped)) << name << option.name;
      if (command.hidden) continue;
      EXPECT_TRUE(contains(bash, "--" + std::string(option.name))) << option.name;
      EXPECT_TRUE(contains(zsh, "--" + std::string(option.name))) << option.name;
      EXPECT_TRUE(contains(fish, "-l " + std::string(option.name))) << option.name;
    }
  }
}

TEST_F(Cli, DocumentedManualIsUpToDate) {
  EXPECT_EQ(run({"manual", "--markdown"}).out,
            read_file(std::filesystem::path(TWINSIFT_SOURCES) / "docs/CLI.md"))
      << "run: twinsift manual --markdown > docs/CLI.md";
}

// Somebody's folder may hold anything, also files that are called as our libraries are.
TEST_F(Cli, LibrariesAreNotTakenFromTheWorkingDirectory) {
  std::vector<std::string> names;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* list) {
        const std::filesystem::path path = info->dlpi_name;
        if (path.has_filename()) {
          static_cast<std::vector<std::string>*>(list)->push_back(path.filename().string());
        }
        return 0;
      },
      &names);
  ASSERT_GE(names.size(), 3U);
  for (const std::string& name : names) folder.write(name, "this is no library");
  const Outcome outcome = run({"--version"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
}

TEST_F(Cli, VersionIsOneShortLine) {
  const auto begin = std::chrono::steady_clock::now();
  const Outcome outcome = run({"--version"});
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  RecordProperty("milliseconds", std::to_string(took.count()));
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out.rfind("twinsift ", 0), 0U);
  EXPECT_EQ(lines_of(outcome.out).size(), 1U);
}

TEST_F(Cli, CompletionsAreValidBash) {
  folder.write("script", run({"completions", "bash"}).out);
  const std::string file = (folder.path() / "script").string();
  EXPECT_EQ(std::system(("bash -n " + file).c_str()), 0);
  folder.write("try", "source " + file +
                          "\nCOMP_WORDS=(twinsift find --format '') COMP_CWORD=3\n"
                          "_twinsift\necho ${COMPREPLY[@]}\nCOMP_WORDS=(twinsift find --thr)\n"
                          "COMP_CWORD=2\n_twinsift\necho ${COMPREPLY[@]}\n");
  const std::string out = (folder.path() / "out").string();
  ASSERT_EQ(std::system(("bash " + (folder.path() / "try").string() + " > " + out).c_str()), 0);
  EXPECT_EQ(folder.read("out"), "text json ndjson csv fdupes html\n--threshold --threads\n");
}

TEST_F(Cli, ManPagesRenderWithoutWarnings) {
  if (std::system("command -v groff > /dev/null") != 0) GTEST_SKIP() << "there is no groff";
  for (const std::string name : {"", "find", "compare", "dedup", "doctor", "config", "help"}) {
    const Outcome page = name.empty() ? run({"manual"}) : run({"manual", name});
    folder.write("page.1", page.out);
    const std::string base = (folder.path() / "page").string();
    EXPECT_EQ(
        std::system(("groff -man -Tutf8 -wall -z " + base + ".1 2> " + base + ".log").c_str()), 0);
    EXPECT_EQ(folder.read("page.log"), "") << name;
  }
}

// ---- wrong usage

TEST_F(Cli, TyposAreNamedWithASuggestionAndNeverGuessed) {
  expect_failure({"fnid", "."}, 2, "'fnid' is not a command; did you mean 'find'?");
  expect_failure({"find", "--treshold", "0.5", "."}, 2,
                 "unknown option '--treshold'; did you mean '--threshold'?");
  expect_failure({"find", "--thresh", "0.5", "."}, 2, "did you mean '--threshold'?");
  expect_failure({"find", "-level", "same", "."}, 2, "did you mean '--level'?");
  expect_failure(
      {"find", "--format=jsno", "."}, 2,
      "--format 'jsno': allowed are text, json, ndjson, csv, fdupes, html; did you mean");
  expect_failure({"frobnicate"}, 2, "'frobnicate' is not a command\n");
}

TEST_F(Cli, AForgottenVerbIsSuggested) {
  expect_failure({"."}, 2, "did you mean 'twinsift find .'?");
}

TEST_F(Cli, ValuesOutOfRangeNameOptionValueAndWhatIsAllowed) {
  expect_failure({"find", "--threshold", "1.5", "."}, 2, "--threshold '1.5': allowed are numbers");
  expect_failure({"find", "--threshold", "-1", "."}, 2, "--threshold '-1': allowed are numbers");
  expect_failure({"find", "--threshold=nan", "."}, 2, "--threshold 'nan'");
  expect_failure({"find", "--recall=0", "."}, 2, "--recall '0'");
  expect_failure({"find", "--threads", "many", "."}, 2,
                 "--threads 'many': allowed are whole numbers");
  expect_failure({"find", "--memory", "4X", "."}, 2,
                 "--memory '4X': allowed are bytes with k, M, G");
  expect_failure({"find", "--memory", "99999999T", "."}, 2, "--memory '99999999T'");
  expect_failure({"find", "--name=", "."}, 2, "--name '': a value");
}

TEST_F(Cli, MissingAndSuperfluousWordsAreNamed) {
  expect_failure({"find"}, 2, "find needs a PATH");
  expect_failure({"find", "--output"}, 2, "--output needs a value: --output FILE");
  expect_failure({"find", "-o", "--quiet", "."}, 2, "-o needs a value");
  expect_failure({"find", "--hidden=yes", "."}, 2, "--hidden takes no value");
  expect_failure({"find", "-z", "."}, 2, "unknown option '-z'");
  expect_failure({"compare", "a"}, 2, "another argument is missing");
  expect_failure({"compare", "a", "b", "c"}, 2, "'c' is one argument too many");
  expect_failure({"dedup", "a.jsonl"}, 2, "dedup needs a place for its result");
  expect_failure({"dedup", "a", "-o", "b", "--pairs", "b"}, 2, "need different files");
  expect_failure({"completions", "csh"}, 2, "there are bash, zsh and fish");
  expect_failure({"help", "fnid"}, 2, "did you mean 'find'?");
}

TEST_F(Cli, HostileNamesCannotSteerTheTerminal) {
  expect_failure({"\x1b[2J"}, 2, "'\\x1b[2J' is not a command");
}

// ---- environment

TEST_F(Cli, OptionsCanComeFromTheEnvironment) {
  const Outcome wrong = run({"find", "."}, {{"TWINSIFT_THREADS", "many"}});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_TRUE(contains(wrong.err, "TWINSIFT_THREADS 'many': allowed are whole numbers"));
  EXPECT_EQ(run({"find", "--threads", "2", "."}, {{"TWINSIFT_THREADS", "many"}}).status, 0);
  EXPECT_EQ(run({"find", "."}, {{"TWINSIFT_HIDDEN", "0"}}).status, 0);
  EXPECT_EQ(run({"find", "."}, {{"TWINSIFT_HIDDEN", "maybe"}}).status, 2);
  EXPECT_EQ(run({"find", "."}, {{"TWINSIFT_MAX_DEPTH", "x"}}).status, 2);
}

TEST_F(Cli, WhatIsTypedBeatsTheEnvironment) {
  folder.write("a", "one two three four five six seven\n");
  folder.write("b", "one two three four five six seven\n");
  const Outcome json = run({"compare", "a", "b", "--json"}, {{"TWINSIFT_FORMAT", "text"}});
  EXPECT_EQ(json.out.substr(0, 1), "{");
  const Outcome text = run({"compare", "a", "b", "--format", "text"}, {{"TWINSIFT_JSON", "1"}});
  EXPECT_NE(text.out.substr(0, 1), "{");
}

// ---- results

TEST_F(Cli, CompareSaysHowAlikeTwoFilesAre) {
  folder.write("a", "one two three four five six seven\n");
  folder.write("b", "one two three four five six seven\n");
  const Outcome outcome = run({"compare", "a", "b"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_TRUE(contains(outcome.out, "1.0000 (identical bytes)")) << outcome.out;
  EXPECT_EQ(run({"compare", "a", "b", "--exit-code"}).status, 1);
  expect_failure({"compare", "a", "missing"}, 2, "missing");
}

TEST_F(Cli, OutputAppearsInTheFileAndNowhereElse) {
  folder.write("a", "one two three four five six seven\n");
  folder.write("old", "old");
  const Outcome outcome = run({"compare", "a", "a", "-oold", "--json"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(folder.read("old").substr(0, 1), "{");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 2);
  expect_failure({"compare", "a", "a", "-o", "no/such/folder"}, 2, "no/such/folder: no such file");
}

TEST_F(Cli, AnInputIsNeverOverwritten) {
  folder.write("a", "text");
  folder.write("b", "text");
  std::filesystem::create_symlink("b", folder.path() / "link");
  expect_failure({"find", "a", "b", "-o", "link"}, 4, "refused, because 'link' is also an input");
  expect_failure({"dedup", "a", "-o", "./a"}, 4, "refused");
  expect_failure({"dedup", "a", "--against", "b", "-o", "c", "--pairs", "b"}, 4, "refused");
  EXPECT_EQ(folder.read("b"), "text");
}

TEST_F(Cli, ShortOptionsCanBeBundledAndOperandsProtected) {
  folder.write("--json", "one two three four five six seven\n");
  const Outcome outcome = run({"compare", "-qoout", "--", "--json", "--json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(contains(folder.read("out"), "1.0000"));
}

TEST_F(Cli, DoctorNamesTheBuildAndTheLibraries) {
  const Outcome outcome = run({"doctor"});
  EXPECT_TRUE(outcome.status == 0 || outcome.status == 3);
  EXPECT_EQ(outcome.status == 3, contains(outcome.out, "PROBLEM"));
  for (const char* word :
       {"twinsift", "ICU", "simdjson", "zstd", "zlib", "xxHash", "libstemmer", "pictures"}) {
    EXPECT_TRUE(contains(outcome.out, word)) << word;
  }
  EXPECT_EQ(run({"doctor"}, {{"TMPDIR", "/nonexistent"}}).status, 3);
}

// ---- pipes and signals

TEST_F(Cli, AReaderWhoHasSeenEnoughIsNoError) {
  int ends[2] = {-1, -1};
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  close(ends[0]);
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"help"}, {"--version"}, {"find", "."}, {"completions", "zsh"}}) {
    const Outcome outcome = Program(folder, words, {.output = ends[1]}).wait();
    EXPECT_EQ(outcome.status, 0) << words[0];
    EXPECT_EQ(outcome.err, "");
  }
  close(ends[1]);
}

TEST_F(Cli, AFullDiskIsAnError) {
  const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  if (full < 0) GTEST_SKIP() << "there is no /dev/full";
  EXPECT_EQ(Program(folder, {"help"}, {.output = full}).wait().status, 2);
  close(full);
}

// A program that waits for a list of names which never ends.  It has installed its handlers
// before it reads, so once the first name is gone from the pipe, signals can be sent.
class Waiting : public Cli {
 protected:
  Outcome send(const std::vector<int>& signals) {
    int ends[2] = {-1, -1};
    EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
    EXPECT_EQ(write(ends[1], "x\0", 2), 2);
    const Program program(folder, {"find", "--files0-from", "-"}, {.input = ends[0]});
    for (int left = 1; left > 0;) {
      std::this_thread::yield();
      ioctl(ends[0], FIONREAD, &left);
    }
    for (const int signal : signals) kill(program.id(), signal);
    Outcome outcome = program.wait();
    close(ends[0]);
    close(ends[1]);
    return outcome;
  }
};

TEST_F(Waiting, ControlCEndsARunWith130) {
  const Outcome outcome = send({SIGINT});
  EXPECT_EQ(outcome.status, 130);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "twinsift: interrupted; nothing was changed\n");
}

TEST_F(Waiting, TerminationEndsARunWith143) { EXPECT_EQ(send({SIGTERM}).status, 143); }

TEST_F(Waiting, AQuestionIsAnswered) {
  const Outcome outcome = send({SIGUSR1, SIGINT});
  EXPECT_EQ(outcome.status, 130);
  EXPECT_TRUE(contains(outcome.err, "twinsift: about to begin\n")) << outcome.err;
}

}  // namespace
}  // namespace twinsift::cli
