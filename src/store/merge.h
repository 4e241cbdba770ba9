// SPDX-License-Identifier: Apache-2.0
// Several segments become one.
//
// Of two records about the same thing the newer one holds: for files that with the higher sequence
// number, for everything else that of the newer segment.  What was dropped stays written down, so
// that it hides what older segments have, unless there are none.  Codes and keys are copied where
// the shelf is the same, and made again from the features where it is not.
//
// The result is the segment that a writer would have made of the same records at once, byte for
// byte.
//
// Cost: all is read and written once, but for what waits in temporary files.  Memory is bounded by
// that of the writer, beside verdicts and removed contents, which are held at once.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "store/segment.h"
#include "store/segment_writer.h"
#include "twinsift/result.h"

namespace twinsift {

struct MergeTask {
  std::vector<const Segment*> segments;  // the oldest first
  bool oldest = false;                   // there is no older one: leave out what was dropped
  // Contents of detectors without a shelf here are left out.
  SegmentWriter::Options output;

  // The features of a content; the view is good until the next call.  Only asked if a shelf is not
  // that of the segment.
  std::function<Result<SetView>(DetectorId, const ContentPlace&)> features{};
  // If set: whether a file stays.
  std::function<Result<bool>(const FileView&)> keep_file{};
  // If set: where the record of a content is from now on; nothing if it is to be left out.
  std::function<Result<std::optional<ContentPlace>>(DetectorId, const ContentPlace&)> place{};
};

Status merge_segments(const MergeTask& task);

}  // namespace twinsift
