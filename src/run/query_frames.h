// SPDX-License-Identifier: Apache-2.0
// A picture asks the collection for films that it is a frame of.
#pragma once

#include <map>

#include "store/collection.h"
#include "twinsift/result.h"
#include "verify/frame_match.h"

namespace twinsift {

using FramesFound = std::map<Digest, FrameMatch>;

// Those whose frame is as close to the picture as any, or nearly so.  All films that were seen with
// this detector are looked through: 25 ns a frame, of which an hour has up to 28,800.
Result<FramesFound> search_frames(const Collection& collection, DetectorId films,
                                  const OrientedCodes& codes, SearchStats& stats);

}  // namespace twinsift
