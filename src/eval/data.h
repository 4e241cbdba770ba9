// SPDX-License-Identifier: Apache-2.0
// What evaluations measure on: sets of shingles from a corpus, or made up.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "twinsift/eval.h"
#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

// Two sets whose union has `all` elements, `common` of them in both; the others alternate.  The
// Jaccard similarity is exactly common / all.
std::pair<TokenSet, TokenSet> make_pair_of_sets(std::uint32_t all, std::uint32_t common, Rng& rng);

struct EvalSets {
  std::vector<TokenSet> sets;  // sorted, unique, not empty
  std::string description;     // "37,655 documents of licences.jsonl, runs of 5 words"
};

// The first `most` documents of the corpus that have a run of five words; without a corpus,
// `most` documents in families: a fifth are edited copies, of similarities all over (0.3, 1), and
// all documents of a subject share a few phrases.
Result<EvalSets> load_sets(const EvalOptions& options, std::uint32_t most);

}  // namespace twinsift
