// SPDX-License-Identifier: Apache-2.0
// All pairs of pictures that learned codes take for copies of one another (feature/learned_code.h),
// as they are or with one of them mirrored.
//
// Each picture's codes are compared with those of all pictures before it, so that nothing within
// the radius is missed; what is that near is then compared by what the caller has.  References are
// not compared with one another, so that they need no mirrored codes.
//
// Cost: up to three comparisons of codes for each pair of pictures, and one call for each near
//       pair.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include "feature/learned_code.h"
#include "twinsift/result.h"
#include "verify/picture_detector.h"

namespace twinsift {

struct LearnedPairsTask {
  std::span<const LearnedCodes> codes;  // from `references` on, mirrored ones, too
  std::uint32_t references = 0;         // the first so many
  std::uint32_t radius = 0;             // bits that may differ
  // a < b; called from many threads.
  std::function<Result<WholeMatch>(std::uint32_t a, std::uint32_t b, LearnedDistance)> compare{};
  double threshold = 0;  // of its score
  unsigned threads = 1;
  std::stop_token stop{};
};

struct LearnedPair {
  std::uint32_t a = 0;  // a < b
  std::uint32_t b = 0;
  WholeMatch match;
};

struct LearnedPairs {
  std::vector<LearnedPair> pairs;  // by b, then by a
  std::uint64_t candidates = 0;    // pairs that were compared
};

// The same for any number of threads.  Fails if it is stopped, or as `compare` does.
Result<LearnedPairs> find_learned_pairs(const LearnedPairsTask& task);

}  // namespace twinsift
