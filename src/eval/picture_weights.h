// SPDX-License-Identifier: Apache-2.0
// What tf-idf and samplers of weighted sets are worth with pictures as bags of visual words, beside
// sets of words and sketches of sets.
//
// Two questions are asked of each.  Does the sketch decide as the similarity does that it
// estimates?  And does that similarity tell versions of a picture from strangers?  For the latter a
// threshold is needed: it is the lowest with which no more than one in a hundred reported pairs of
// every other query is wrong, and what it is worth is counted on the queries between them.
#pragma once

#include <cstdint>
#include <vector>

#include "eval/picture_sets.h"
#include "eval/report.h"
#include "twinsift/eval.h"
#include "twinsift/result.h"

namespace twinsift {

// Of a query with a document.
struct ScoredPair {
  double score = 0;
  bool right = false;  // the document is a version of the query
};

// The lowest score at or above which at most one in a hundred pairs is wrong; above all scores if
// there is none.
double cleanest_threshold(std::vector<ScoredPair> pairs);

// kCancelled.
Result<EvalSection> measure_picture_weights(const PictureBags& bags, const EvalOptions& options);

}  // namespace twinsift
