// SPDX-License-Identifier: Apache-2.0
// What is made of two recordings of which some stretches are the same: a score on the scale of all
// media, and a word.
//
// Let s be the time that both share, t_a and t_b how long they are, all by the clock of a.  Then
//     whole = s / (t_a + t_b - s)    part = s / min(t_a, t_b)
// are their Jaccard similarity and containment.  They are the same if whole >= 0.8; then the score
// rises from 0.8 with the agreement.  One contains the other if part >= 0.8, and they are linked if
// they share kLeastShared seconds at least by either clock: both score from 0.6 up to 0.79, by
// `part`.  All else scores below 0.6: an intro of five seconds makes no two films one.
#pragma once

#include "twinsift/report.h"
#include "twinsift/types.h"

namespace twinsift {

inline constexpr double kLeastShared = 10;  // seconds

struct TimeScore {
  double score = 0;
  Relation relation = Relation::kLinked;
  double covered_a = 0;  // shares of their time
  double covered_b = 0;
};

// Requires: seconds_a, seconds_b and speed are above 0.
TimeScore score_of(const Timeline& timeline);

// The same, seen from b.
Timeline reversed(const Timeline& timeline);
Relation reversed(Relation relation);

}  // namespace twinsift
