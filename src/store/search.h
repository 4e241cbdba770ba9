// SPDX-License-Identifier: Apache-2.0
// Which rows of a segment may resemble a set: candidates from buckets or from a scan, then the
// early stop.  What survives is to be compared exactly.
//
// Buckets are asked if they promise the recall at this threshold.  If they do not, or if they are
// so full that it would take longer, the first plane of every row is looked at, which costs a few
// nanoseconds for a row: no question ever costs more than that, however unlucky its buckets.
// A recall that not even the scan can promise, such as 1, leaves every row to be compared.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/signature.h"
#include "store/segment.h"
#include "store/shelf.h"
#include "twinsift/result.h"

namespace twinsift {

struct SearchStats {
  std::uint64_t candidates = 0;  // rows that were looked at
  std::uint64_t survivors = 0;   // of these, not rejected by their sketches
  bool scanned = false;          // all sketches of a segment were looked at
  double promised = 1;           // P(found) of a content at the threshold, at least
};

struct SegmentSearch {
  const Segment* segment = nullptr;
  const Shelf* shelf = nullptr;  // of the segment, for the detector that is asked for
  const SearchPlan* plan = nullptr;
  const Signature* query = nullptr;  // made by the shelf
  double recall = 0.99;
};

// Replaces `rows` by those that survive, ascending, and adds to `stats`.  Any number of threads.
// Requires: the segment has no shelf for the detector, or one of the same spec.
Status search_segment(const SegmentSearch& search, std::vector<std::uint32_t>& rows,
                      SearchStats& stats);

// The early stop for two signatures in memory: whether they must be compared exactly.
bool survives(const SearchPlan& plan, std::span<const std::uint8_t> codes_a,
              std::span<const std::uint8_t> codes_b);

}  // namespace twinsift
