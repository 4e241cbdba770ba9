// SPDX-License-Identifier: Apache-2.0
// Choosing sketch size and banding: from (threshold, recall) to (k, bands, rows).
//
// Two sketches of k components are a candidate pair if they agree in all `rows` components of
// at least one of `bands` bands.  With independent components that are equal with probability
// s this happens with probability (sec. 3.4.2 of [MMDS], Theorem 5 of [POND])
//     P(s) = 1 - (1 - s^rows)^bands.
// The promise is: every pair with Jaccard similarity >= threshold becomes a candidate with
// probability >= recall.  Among the plans that keep it, the one with the fewest candidates
// below the threshold wins.
//
// Fast Similarity Sketching samples partly without replacement: components are exchangeable,
// but not independent.  Given their number x the equal components lie at uniformly random
// places, so P is the mean of an increasing g(x) over a law with mean k * threshold whose
// spread lies between none (small unions) and the binomial's (large unions, MinHash).  `found`
// is the smallest over five such laws: k drawn without replacement from f = k (no spread), 2k,
// 4k, 16k, and independent components.  Studied for k = 64..1024, thresholds .3 to .95:
//   recall >= .9: independent components are the worst; without spread P is higher by up to .08
//                 at k = 64 and .04 at k = 256, because g is concave there.  Only plans of a
//                 single band are exceptions.
//   recall <= .6: no spread is the worst, by up to .06, because g is convex there.
//   Between:      the five laws agree within .05, and the worst may be any.
//
// Papers:  [MMDS] Leskovec, Rajaraman, Ullman, Mining of Massive Datasets, sec. 3.4.
//          [POND] guarantee first, then cost; docs/algorithms/banding.md.
// Differs: the guarantee covers dependent components (the laws above are exact, that FSS lies
//          among them is checked by simulation); the cost is summed over a law of similarities
//          instead of weighing two areas.
// Cost:    about k^2 multiplications for a plan: 1 ms at k = 1024.
#pragma once

#include <cstdint>
#include <string>

#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

struct BandingPlan {
  std::uint32_t bands = 0;
  std::uint32_t rows = 0;
  double found = 0;  // guaranteed lower bound of P(candidate | J >= threshold)
  // Share of all pairs that are below the threshold and still become candidates, if
  // similarities follow SimilarityLaw::kLow.
  double expected_candidates = 0;
};

// P(s) above.  Requires: 0 <= s <= 1, bands > 0, rows > 0.
TWINSIFT_EXPORT double banding_probability(double s, std::uint32_t bands, std::uint32_t rows);

// P(candidate) if exactly `matches` of k components are equal, at uniformly random places.
// Requires: matches <= k, 0 < bands * rows <= k.
double banding_probability_given_matches(std::uint32_t k, std::uint32_t matches,
                                         std::uint32_t bands, std::uint32_t rows);

// The `found` of any plan.  Requires: 0 < threshold <= 1, 0 < bands * rows <= k.
double banding_guarantee(double threshold, std::uint32_t k, std::uint32_t bands,
                         std::uint32_t rows);

// What a plan that somebody else made is worth.  Requires: as above.
TWINSIFT_EXPORT BandingPlan rate_banding(double threshold, std::uint32_t k, std::uint32_t bands,
                                         std::uint32_t rows);

// Answers take milliseconds at 1024, a second at most here.
inline constexpr std::uint32_t kMaxSketchSize = 4096;

// The plan with the fewest expected candidates among those with bands * rows <= k and
// found >= recall.  kInvalidArgument if threshold is not in (0, 1], recall not in (0, 1), k not
// in 1..kMaxSketchSize, or no plan exists; the message then says which k would do.
TWINSIFT_EXPORT Result<BandingPlan> choose_banding(double threshold, double recall,
                                                   std::uint32_t k);

// What runs plan with: the early stop may lose so much of the recall, which banding must find
// in addition, and sketches are not larger than this unless asked for.
inline constexpr double kEarlyStopLoss = 1e-4;
inline constexpr std::uint32_t kLargestChosenSketch = 1024;

struct SketchPlan {
  std::uint32_t k = 0;
  BandingPlan banding;
};

// The smallest multiple of 32 from 128 to max_k that is within 5 % of the cheapest, where a
// document costs 2 k ln k ns to sketch and each of its candidates 5 ns to look at.
TWINSIFT_EXPORT Result<SketchPlan> choose_sketch_size(double threshold, double recall,
                                                      std::uint32_t max_k);

// "0.80", or "0.855" where two digits do not tell it.
std::string threshold_text(double threshold);

// "k=256, bands=26x8, P(found at 0.80) >= 0.991"; rounded down, so that it stays true.
TWINSIFT_EXPORT std::string guarantee_line(const SketchPlan& plan, double threshold);

}  // namespace twinsift
