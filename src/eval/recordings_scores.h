// SPDX-License-Identifier: Apache-2.0
// Whether find() knows where a copy lies in its original.
#pragma once

#include <vector>

#include "eval/av_copies/attacks.h"
#include "eval/copy_scores.h"
#include "twinsift/eval.h"
#include "twinsift/report.h"

namespace twinsift {

// Of every copy that was reported with its original, the longest stretch that the two are said to
// share: the moment in its middle must be where the copy's map says, and how much of the copy all
// stretches cover.  maps[i] belongs to set.copies[i].  `film`: what is seen is judged, with half a
// second to spare; else what is heard, with 0.15.
std::vector<PlaceScore> score_places(const CopySet& set, const std::vector<CopyMap>& maps,
                                     const Report& report, bool film);

}  // namespace twinsift
