// SPDX-License-Identifier: Apache-2.0
// Which member of a group stays: an ordered list of rules, of which the first that decides wins.
//
// A rule looks at the members that are still in the running and may send some of them out.  What
// it needs to know comes from the file itself or from the facts of the report; if one member lacks
// the fact, the rule does not decide, because "unknown" is neither better nor worse.  Members that
// no rule can tell apart are told apart by the bytes of their paths, so that the choice never
// depends on the order in which a folder was read.
//
//   protected           protected files and files of reference folders
//   in:GLOB not-in:GLOB files whose path, or a folder above, matches (or does not)
//   name:REGEX          files whose name holds a match
//   original            files that have the name a camera gave them
//   lossless            fact lossless = yes
//   resolution          most pixels: facts width, height, without the fact border
//   bitrate             the highest bit rate, if all have the same codecs
//   duration quality subtitles    the highest value of that fact
//   metadata, tags      most facts that describe: title, artist, date, camera, gps, ...
//   size-max size-min   by bytes
//   oldest newest       by the time of the last change
//   shortest-path longest-path depth-min  by the path
//   links-max           most hard links
//   longest-text        most words: facts tokens or words
//   first               the one that the report lists first
//
// Profiles stand for lists: photos, music, video, corpus; auto chooses one by the medium.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

// What the rules know of one member.
struct KeepCandidate {
  std::string path;  // absolute
  std::uint64_t size = 0;
  std::int64_t mtime_ns = 0;
  std::uint64_t links = 1;
  bool is_protected = false;
  std::vector<Fact> facts{};
};

// Who stays, and for each of the others which rule sent it out.
struct KeepChoice {
  std::size_t keeper = 0;
  std::vector<std::string> rule;  // by candidate; empty for the keeper
};

// The value of a fact; null if there is none of that name.
const std::string* find_fact(const std::vector<Fact>& facts, std::string_view name);

// Immutable; may be used from many threads.
class TWINSIFT_EXPORT KeepRules {
 public:
  // "protected, in:~/Photos/Master, resolution, oldest".  A comma that belongs to a glob or a
  // regular expression is written as `\,`.  An error says which word is wrong and why.
  static Result<KeepRules> parse(std::string_view text);

  // Fails if a regular expression takes too long on one of the names.
  // Requires: !candidates.empty().
  [[nodiscard]] Result<KeepChoice> choose(std::string_view medium,
                                          std::span<const KeepCandidate> candidates) const;

 private:
  // For each candidate in the running a number; those with the highest stay.  Empty: no decision.
  using Scores = std::vector<double>;
  using Running = std::vector<const KeepCandidate*>;
  struct Rule {
    std::string text;
    std::function<Result<Scores>(const Running&)> judge;
  };
  struct Step {
    std::string profile;      // "auto", or empty if `rules` are meant
    std::vector<Rule> rules;  // of a word or a profile
  };

  static Result<Rule> make_rule(const std::string& word);
  static Result<Rule> make_rule_with_value(const std::string& word);
  static Result<std::vector<Rule>> expand(const std::string& word);

  std::vector<Step> steps_;
  std::vector<std::vector<Rule>> by_medium_;  // what "auto" means: photos, music, video, others
};

}  // namespace twinsift
