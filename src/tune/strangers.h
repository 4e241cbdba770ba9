// SPDX-License-Identifier: Apache-2.0
// Strangers: pairs below the least similarity that share a label, and how many of them the sketches
// let through.
//
// Table j has the sketch of number j % 4 (sketch/labels.h), so that a pair that meets in tables of
// c different sketches has n = 1024 c independent bits, each of which agrees with (1 + s) / 2.  It
// is worth asking if at least t_c of them do.  A network chooses t_1, which loses
//     e = P(Bin(1024, (1 + s_min) / 2) < t_1)
// of the pairs at the least similarity, and the others follow: t_c is the largest t for which
//     P(Bin(1024 c, (1 + s_min) / 2) < t) <= e.
// So a pair at s_min is lost with e at most, however many sketches were seen, and strangers are the
// fewer the more were.  A sketch is met if one of its l_r tables is, of which each has an equal
// label with q = f(s)^k, independently: with 1 - (1 - q)^l_r.  A pair is asked with
//     sum over c of P(c sketches are met) P(Bin(1024 c, (1 + s) / 2) >= t_c).
//
// Papers:  none; [POND] asks all that share a label.
// Cost:    three binary searches over binomial tails for the thresholds: microseconds; four tails
//          for each similarity of a law, and two powers for each of its shapes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sketch/labels.h"
#include "tune/similarity_law.h"

namespace twinsift {

// f(s): P(so many bits of a hash are equal).
double hash_agreement(std::uint32_t width, double s);
// P(one of the labels is equal).
double label_equal(const LabelShape& shape, double s);

// t_1 to t_4: the bits of 1 to 4 sketches that must agree.
using SketchThresholds = std::array<std::uint32_t, kSketches>;

// All 0 if least_agreeing, which is t_1, is: then there is no sketch.  Requires: 0 <= similarity <=
// 1, which is s_min; least_agreeing <= kSketchBits.
TWINSIFT_EXPORT SketchThresholds sketch_thresholds(std::uint32_t least_agreeing, double similarity);

// P(the labels of tables with c different sketches are equal), c from 0 on, where one label is
// equal with probability `equal`.
TWINSIFT_EXPORT std::array<double, kSketches + 1> sketches_met(std::uint32_t labels, double equal);

// P(enough bits of c sketches agree), from c = 1 on, at a similarity s.
TWINSIFT_EXPORT std::array<double, kSketches> sketches_pass(const SketchThresholds& least,
                                                            double s);

// P(a pair of similarity s is asked), exactly.
TWINSIFT_EXPORT double asked_share(const LabelShape& shape, const SketchThresholds& least,
                                   double s);

// Those of a law, behind the sketches of one threshold.  Immutable.
class TWINSIFT_EXPORT Strangers {
 public:
  // Weights are shares of all pairs.
  Strangers(std::span<const WeightedSimilarity> shares, double similarity,
            std::uint32_t least_agreeing);

  // The share of all pairs that are strangers and asked.
  [[nodiscard]] double asked(const LabelShape& shape) const;

 private:
  struct Bin {
    double s = 0;
    double weight = 0;
    std::array<double, kSketches> pass{};
  };
  std::vector<Bin> bins_;
};

}  // namespace twinsift
