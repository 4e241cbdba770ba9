// SPDX-License-Identifier: Apache-2.0
// Parts that are a whole together: which of several films show which stretches of one.
//
// Each of the others shares stretches of time with the film (verify/film_match.h).  In the order of
// the film's clock, a stretch counts for what it shows that those before it did not.
//
// Papers:  the linkage of POND, docs/algorithms/linkage.md.
// Differs: stretches that were compared frame by frame instead of equal segments between cuts.
// Cost:    sorting the stretches.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "twinsift/types.h"

namespace twinsift {

struct LinkedPart {
  std::size_t other = 0;  // whose timeline it is of
  Stretch stretch;
  double adds = 0;  // seconds of the film that no part before it shows
  friend bool operator==(const LinkedPart&, const LinkedPart&) = default;
};

struct Linkage {
  double covered = 0;             // share of the film that the parts show together
  std::vector<LinkedPart> parts;  // in the order of the film; those that add nothing are left out
};

// All timelines are of the same film as their a.  Requires: seconds_a > 0.
Linkage linkage_of(std::span<const Timeline> timelines);

}  // namespace twinsift
