// SPDX-License-Identifier: Apache-2.0
// Segments from what is in memory, and from other segments, within one collection.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "store/memory_part.h"
#include "store/newest.h"
#include "store/segment.h"
#include "store/shelf.h"
#include "twinsift/result.h"

namespace twinsift {

using ShelfMap = std::map<DetectorId, std::unique_ptr<Shelf>>;

struct SegmentPlace {
  std::string folder;
  CollectionId id{};
  std::uint64_t number = 0;
};

// Writes what is in memory, which is what the records `first` to `last` say.  Contents are sketched
// by several threads.  Requires: a shelf for every detector.
Result<std::unique_ptr<Segment>> build_segment(const SegmentPlace& place, const MemoryPart& memory,
                                               std::uint64_t first, std::uint64_t last,
                                               const ShelfMap& shelves);

// Merges neighbours, the oldest first.  `oldest`: there is none older in the collection.
Result<std::unique_ptr<Segment>> join_segments(const SegmentPlace& place,
                                               const std::vector<const Segment*>& segments,
                                               bool oldest, const ShelfMap& shelves);

}  // namespace twinsift
