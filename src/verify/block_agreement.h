// SPDX-License-Identifier: Apache-2.0
// How far two pictures agree, from how far their blocks do.
//
// A block counts by its content; q is the mean correlation of the blocks without the worst quarter
// of the content, and a little of the mean of all.  The less content there is, and the less of
// either picture lies within the other, the more a disagreement counts:
//     1 - q' = (1 - q) (1 + 4 / W) / inside^2,     W the content in blocks.
#pragma once

#include "verify/registration.h"

namespace twinsift {

// Weights by which blocks that disagree, such as those under a caption, do not pull at the map.
BlockWeights agreeing(const BlockMoments& blocks);

// 0 to 1, calibrated so that 0.8 parts the same picture from others; `inside` is the larger of the
// shares of either picture that the other one covers.
double block_score(const BlockMoments& blocks, double inside);

}  // namespace twinsift
