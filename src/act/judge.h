// SPDX-License-Identifier: Apache-2.0
// How alike two files of a group are: by what the report says of their very contents, or by
// comparing them now.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "act/live_file.h"
#include "report/must_stay.h"
#include "twinsift/pipeline.h"
#include "twinsift/report.h"

namespace twinsift {

struct Judgement {
  double score = 0;
  std::string detector;            // which computed the score
  MustStay stays = MustStay::kNo;  // whatever the score is
  double loser_in_keeper = 1;      // share of the loser's features, or time, that the keeper has
  bool recordings = false;         // the share is one of time
  bool other_sound = false;        // the films agree, and nothing shows that the sound does
  std::vector<Fact> keeper_facts;  // as of the moment of the judgement
  std::vector<Fact> loser_facts;
};

// True if the file still is what the report says: by its digest, or, in a report that has none,
// by size and date as far as it gives them.
bool is_unchanged(const Member& member, const FileProof& file);

// Judges the members of one group.  Contents are compared once, whatever number of files has them.
// Not thread-safe.
class Judge {
 public:
  using Compare = std::function<Result<Comparison>(const std::string&, const std::string&)>;
  Judge(const Report& report, Compare compare);

  // Forgets the group before.
  void begin(const Group& group) { group_ = &group, known_.clear(); }
  // Takes over what the report says of two members, if both are still what they were.
  void learn(const MemberPair& pair, const FileProof& a, const FileProof& b);
  // Requires: the contents differ.
  Result<Judgement> judge(const FileProof& keeper, const FileProof& loser);

 private:
  [[nodiscard]] std::string detector_of(const std::string& medium) const;

  const Report& report_;
  Compare compare_;
  const Group* group_ = nullptr;
  std::map<std::pair<std::string, std::string>, Judgement> known_;  // by digests
};

}  // namespace twinsift
