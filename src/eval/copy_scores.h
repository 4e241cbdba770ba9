// SPDX-License-Identifier: Apache-2.0
// What a report of find() says about copies of photos or recordings, as numbers.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "twinsift/eval.h"
#include "twinsift/report.h"

namespace twinsift {

struct Copy {
  std::string path;
  std::uint32_t original = 0;  // in CopySet::originals
  std::uint32_t version = 0;   // in the list of its kind: kCopyVersions, kSoundAttacks, ...
};

struct CopySet {
  std::vector<std::string> originals;  // paths
  std::vector<Copy> copies;
  // Every file that a copy may be found with, by all of its paths; those with equal numbers are
  // known to show or sound the same.
  std::map<std::string, std::uint32_t, std::less<>> files;
  std::size_t versions = 0;  // how many there are
};

struct LevelOutcome {
  std::vector<CopyScore> versions;
  std::vector<WrongMatch> wrong;  // most copies first, then by their paths
};

// A copy is found if it forms a pair with its original or with a file known to be the same.  Any
// other pair of it with something else than a copy is wrong; pairs of two copies or of two
// originals count nowhere.
LevelOutcome score_copies(const CopySet& set, const Report& report, std::string_view level);

}  // namespace twinsift
