// SPDX-License-Identifier: Apache-2.0
// Several segments and what is in memory, read as one: in order, and of two records about the same
// thing only the newer.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "store/memory_part.h"
#include "store/segment.h"
#include "twinsift/result.h"

namespace twinsift {

using SegmentList = std::vector<std::unique_ptr<Segment>>;  // oldest first

// The first place of a file that is not before the key.
Result<std::uint64_t> lower_bound(const Segment& segment, const ItemKey& key);

// What is known of this file; dropped ones, too.
Result<std::optional<FileRecord>> newest_file(const SegmentList& segments, const MemoryPart& memory,
                                              const ItemKey& key, std::uint64_t& sequence);

// Where the newest record of this content is; dropped ones, too.
Result<std::optional<ContentPlace>> newest_content(const SegmentList& segments,
                                                   const MemoryPart& memory, DetectorId detector,
                                                   const Digest& digest);

// All files from a key on, dropped ones, too.  Requires: the parts do not change meanwhile.
class NewestFiles {
 public:
  static Result<NewestFiles> from(const SegmentList& segments, const MemoryPart& memory,
                                  const ItemKey& key);
  // The view is good until the next call.
  Result<std::optional<FileView>> next();

 private:
  struct Cursor {
    const Segment* segment = nullptr;
    std::uint64_t place = 0;
    FileView view{};  // at the place
  };
  explicit NewestFiles(const MemoryPart& memory) : memory_(&memory) {}
  Result<bool> load(Cursor& cursor) const;  // false: at its end

  const MemoryPart* memory_;
  std::map<ItemKey, MemoryFile>::const_iterator at_;
  std::vector<Cursor> cursors_;  // newest last
};

// All contents of a detector, dropped ones, too.  Requires: the parts do not change meanwhile.
class NewestContents {
 public:
  static Result<NewestContents> of(const SegmentList& segments, const MemoryPart& memory,
                                   DetectorId detector);
  Result<std::optional<ContentPlace>> next();

 private:
  struct Cursor {
    const Segment* segment = nullptr;
    std::uint64_t place = 0;
    ContentPlace content{};  // at the place
  };
  NewestContents(const MemoryPart& memory, DetectorId detector)
      : memory_(&memory), detector_(detector) {}
  Result<bool> load(Cursor& cursor) const;

  const MemoryPart* memory_;
  DetectorId detector_;
  std::map<ContentKey, MemoryContent>::const_iterator at_;
  std::vector<Cursor> cursors_;
};

}  // namespace twinsift
