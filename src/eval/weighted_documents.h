// SPDX-License-Identifier: Apache-2.0
// Documents for evaluations of weighted similarity: shingles that lead to pairs, and TF-IDF weights
// that tell how similar these are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "twinsift/eval.h"
#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

struct WeightedDocuments {
  std::vector<TokenSet> shingles;    // runs of five words; sorted, unique, not empty
  std::vector<WeightedSet> weights;  // of the same documents; canonical, not empty
  std::string description;
};

// The first `most` documents of the corpus that have a run of five words and a term of weight;
// terms are stemmed words without stop-words, and their idf is the paper's.  Without a corpus,
// documents are made of words with Zipf's law and of phrases of their subjects; a fifth are edited
// copies.  Fails with kInvalidArgument if there are fewer than two.
Result<WeightedDocuments> load_weighted_documents(const EvalOptions& options, std::uint32_t most);

}  // namespace twinsift
