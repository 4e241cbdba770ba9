// SPDX-License-Identifier: Apache-2.0
// Exact similarities and distances of features: sets, weighted sets, vectors.
//
// Sets are sorted and unique, weighted sets canonical (feature/weights.h).  1 - jaccard,
// 1 - weighted_jaccard, angular_distance and lr_distance are metrics; 1 - cosine is not.
#pragma once

#include <cstdint>
#include <span>

#include "feature/weights.h"
#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

// |a and b| of two sets, sorted and unique.
std::uint64_t intersection_size(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b);

// |a and b| / |a or b|; 1 for two empty sets, by convention.
double jaccard(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b);

// The Jaccard similarity if it is at least `threshold`, otherwise -1, usually after a fraction of
// the work.
double jaccard_at_least(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b,
                        double threshold);

// Share of a that b has: |a and b| / |a|; 1 if a is empty, which any set contains.
double containment(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b);

// Jaccard, containment both ways and the counts they come from.
Evidence set_evidence(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b);

// J_W = sum of minima / sum of maxima; 1 for two empty sets.  Not scale invariant.
double weighted_jaccard(SetView a, SetView b);

// J_W if it is at least `threshold`, otherwise -1.  The ratio of the totals bounds J_W, so that
// most pairs of unlike totals cost two sums and no merge.
double weighted_jaccard_at_least(SetView a, SetView b, double threshold);

// Share of the weight of a that b has: sum of minima / sum of a; 1 if a is empty.
double weighted_containment(SetView a, SetView b);

// Either of both, by whether there are weights.
double similarity_at_least(SetView a, SetView b, double threshold);
Evidence evidence_of(SetView a, SetView b);

// The similarities are weighted, the counts are of ids.
Evidence weighted_evidence(SetView a, SetView b);

// (sum |x_i - y_i|^r)^(1/r), or the largest difference if r is infinite.  Vectors of other lengths
// or with numbers that are not finite are refused, as is r < 1: that is no metric.
Result<double> lr_distance(std::span<const float> x, std::span<const float> y, double r);

// Something that is undefined, and 0 or 1/2 by convention, if a vector has no direction.
struct Directional {
  double value = 0;
  bool defined = true;
};

// x.y / (|x| |y|), in [-1, 1]; 0 and not defined if a norm is 0.  Fails as lr_distance does.
Result<Directional> cosine(std::span<const float> x, std::span<const float> y);

// The angle between x and y over pi, in [0, 1]; 1/2 and not defined if a norm is 0.
Result<Directional> angular_distance(std::span<const float> x, std::span<const float> y);

}  // namespace twinsift
