// SPDX-License-Identifier: Apache-2.0
// Star groups: every member matches the one that is kept directly, so groups never chain.
//
// Items are numbered in the order in which they would be kept.  Item i stays if it matches no
// earlier item that stays; otherwise it belongs to the first such item.  Each decision needs the
// decisions before it, but a block of items can be compared in parallel with all keepers before
// the block; what is left for one thread are the few that match none of those.
//
// Cost: one filtered look at the keepers among an item's candidates: linear in the items, however
//       many of them are copies of one another.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

#include "index/candidate_source.h"
#include "twinsift/result.h"
#include "twinsift/types.h"
#include "verify/verify.h"

namespace twinsift {

struct MatchTask {
  CandidateSource* candidates = nullptr;
  const PairJudge* verifier = nullptr;
  std::uint32_t items = 0;
  std::uint32_t references = 0;                   // the first so many items always stay
  bool references_only = false;                   // compare with references, not with one another
  std::function<bool(ItemId, ItemId)> allowed{};  // pairs that may match; empty: all
  unsigned threads = 1;
  std::stop_token stop{};
  std::function<void(std::uint64_t items)> progress{};  // from the calling thread
};

// Counted as the work goes; equal for any number of threads.
struct MatchStats {
  std::uint64_t candidates = 0;  // pairs that were worth a look
  std::uint64_t survivors = 0;   // of these, not rejected by their sketches
  std::uint64_t matches = 0;     // of these, at or above the threshold
  std::vector<ItemId> capped;    // items whose candidates may not be all that there are
};

struct Stars {
  std::vector<ItemId> keeper;  // keeper[i] == i: i stays
  std::vector<double> score;   // with its keeper; 1 if it stays
  MatchStats stats;
};
Result<Stars> find_stars(const MatchTask& task);

struct AllPairs {
  std::vector<Match> matches;  // ascending by (a, b)
  MatchStats stats;
};
Result<AllPairs> find_all_pairs(const MatchTask& task);

// The stars that find_stars would give, from all matches.
Stars stars_of(const std::vector<Match>& matches, std::uint32_t items, std::uint32_t references);

}  // namespace twinsift
