// SPDX-License-Identifier: Apache-2.0
// What would be gone with a file although a copy of it stays: older dates, extended attributes,
// facts and words that the copy does not have.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "act/plan.h"
#include "twinsift/types.h"

namespace twinsift {

// One side of a comparison.
struct LacksSide {
  const FileProof& file;
  const std::vector<Fact>& facts;
  double containment = 1;             // share of its features, or time, that the other side has
  std::string_view measure = "text";  // what that is a share of
  bool other_sound = false;           // its film is the other's, and its sound is not
};

// Sentences for people, in a fixed order.  Facts and texts of files with the same bytes are the
// same, so for those only what lies beside the bytes is looked at.
std::vector<std::string> what_is_lacking(const LacksSide& loser, const LacksSide& keeper,
                                         bool exact);

}  // namespace twinsift
