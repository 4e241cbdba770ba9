// SPDX-License-Identifier: Apache-2.0
// The other way to choose a banding: weigh what it lets through against what it loses.
//
// With P(s) = 1 - (1 - s^rows)^bands and the threshold T, minimise over bands * rows <= k
//     false_positive_weight * integral_0^T P(s) ds + false_negative_weight * integral_T^1 1 - P(s)
//     ds.
// It is what [MMDS] suggests and datasketch does.  It promises nothing: at T = .8 and k = 128,
// equal weights give 9 bands of 13 rows, which find 40 % of the pairs at the threshold.  The plan
// says so in `found`; choose_banding (tune.h) is the way with a promise.
//
// Papers: [MMDS] Leskovec, Rajaraman, Ullman, Mining of Massive Datasets, sec. 3.4.
// Cost:   2000 k ln k multiplications.
#pragma once

#include <cstdint>

#include "tune/tune.h"
#include "twinsift/result.h"

namespace twinsift {

struct AreaWeights {
  double false_positives = 0.5;
  double false_negatives = 0.5;
};

// The two areas under the curve, weighed and summed, by 1000 midpoints each.
// Requires: 0 < threshold < 1, bands > 0, rows > 0.
double banding_areas(double threshold, std::uint32_t bands, std::uint32_t rows,
                     const AreaWeights& weights);

// The plan with the least of it; of equal ones that with the fewest bands.  kInvalidArgument if the
// threshold is not in (0, 1), k not in 1..kMaxSketchSize, or a weight not in [0, infinity) or both
// are 0.
TWINSIFT_EXPORT Result<BandingPlan> choose_banding_by_areas(double threshold, std::uint32_t k,
                                                            const AreaWeights& weights);

}  // namespace twinsift
