// SPDX-License-Identifier: Apache-2.0
// What the tables of commands and of options are made of.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace twinsift::cli {

// One bit per command, so that an option can belong to several.
enum CommandBit : unsigned {
  kFind = 1,
  kCompare = 2,
  kDedup = 4,
  kDoctor = 8,
  kCompletions = 16,
  kHelp = 32,
  kManual = 64,
  kTune = 128,
  kEval = 256,
  kPlan = 512,
  kApply = 1024,
  kUndo = 2048,
  kPurge = 4096,
  kIndex = 8192,
  kQuery = 16384,
  kConfig = 32768,
  kTrain = 65536,
  kPeer = 131072,
  kEvery = 262143,
};

enum class Kind : std::uint8_t {
  kFlag,    // no value
  kText,    // any value
  kFile,    // a path; completions offer files
  kFolder,  // a path; completions offer folders
  kShare,   // a number above 0, at most 1
  kCount,   // a whole number, 0 to 4096
  kNumber,  // any number from 0 to 1e15
  kSize,    // bytes, with k, M, G or T after the number
  kAge,     // a whole number with s, m, h, d or w after it
  kTime,    // a date, or an age
  kChoice,  // one of the words in `value`, which are parted by '|'
};

enum class Group : std::uint8_t {
  kMatching,
  kNetwork,
  kFiles,
  kCorpus,
  kActing,
  kOutput,
  kResources,
  kGeneral
};
inline constexpr std::array<std::string_view, 8> kGroupNames = {
    "What counts as a duplicate", "The network", "Which files", "The corpus",
    "What stays and what goes",   "Output",      "Resources",   "General"};

// Who may set an option besides the person at the keyboard.  A project's file may have come with
// somebody else's folder: it must not act, write, weaken a check, decide which files go, lead the
// run elsewhere or take the machine.
enum class Trust : std::uint8_t {
  kProject,  // any file, also .twinsift.toml of a folder, and the environment
  kUser,     // the user's own file and the environment; what is not decided yet is here
  kTyped,    // nobody: it must be typed each time
};

struct Option {
  unsigned commands;  // bits of the commands that understand it
  Group group;
  char letter;  // 0: long form only
  std::string_view name;
  Kind kind;
  std::string_view value;  // what the help calls the value
  std::string_view help;
  Trust trust = Trust::kUser;
  bool repeats = false;  // every occurrence counts; otherwise the last one wins
  bool adds_up = false;  // over all files, too: what is typed cannot take it back
};

struct Example {
  std::string_view command;
  std::string_view what;
};

struct Command {
  CommandBit bit;
  std::string_view name;
  std::string_view operands;  // as the usage line shows them
  std::size_t least;          // operands
  std::size_t most;
  std::string_view summary;  // one line
  std::string_view about;    // one paragraph
  std::array<Example, 3> examples;
  bool exits_by_result = false;  // has the exit statuses of a run that finds things
  bool hidden = false;           // not in the list of commands
};

}  // namespace twinsift::cli
