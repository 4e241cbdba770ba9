// SPDX-License-Identifier: Apache-2.0
// What a report of find() says about a copy set, as numbers.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "eval/copies/versions.h"
#include "twinsift/eval.h"
#include "twinsift/report.h"

namespace twinsift {

struct Copy {
  std::string path;
  std::uint32_t original = 0;  // in CopySet::originals
  std::uint32_t version = 0;   // in kCopyVersions
};

struct CopySet {
  std::vector<std::string> originals;  // paths
  std::vector<Copy> copies;
  // Every photo, by all of its paths; those with equal numbers are known to show the same.
  std::map<std::string, std::uint32_t, std::less<>> photos;
};

struct LevelOutcome {
  std::array<CopyScore, kCopyVersions.size()> versions;
  std::vector<WrongMatch> wrong;  // most copies first, then by their paths
};

// A copy is found if it forms a pair with its original or with a photo known to be the same.  Any
// other pair of it with something else than a copy is wrong; pairs of two copies or of two photos
// count nowhere.
LevelOutcome score_copies(const CopySet& set, const Report& report, std::string_view level);

}  // namespace twinsift
