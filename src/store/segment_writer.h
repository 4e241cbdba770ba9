// SPDX-License-Identifier: Apache-2.0
// Writes a segment (store/segment.h) in one pass over what is to be in it, in bounded memory.
//
// The file has no name until finish() has synced it; whatever goes wrong before leaves nothing
// behind.  Things must come in the order of their sections: files, contents, verdicts, removed.
// kInvalidArgument if something comes out of order, after which nothing more may be called.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "store/segment.h"
#include "twinsift/result.h"

namespace twinsift {

// Not thread-safe.
class SegmentWriter {
 public:
  struct Options {
    std::string path;
    CollectionId id{};
    std::uint64_t number = 0;
    std::uint64_t first_sequence = 0;
    std::uint64_t last_sequence = 0;
    std::vector<ShelfSpec> shelves;                    // ascending by detector
    std::uint64_t memory = std::uint64_t{256} << 20U;  // for what must be sorted
    std::string temp_dir;
  };
  static Result<std::unique_ptr<SegmentWriter>> create(const Options& options);
  virtual ~SegmentWriter() = default;

  virtual Status add_file(const FileView& file) = 0;  // ascending by (path, part, volume)
  // Ascending by (detector, digest); the detector has a shelf.  Codes and keys of all tables if it
  // gets a row, else empty; `place.row` does not matter.
  virtual Status add_content(DetectorId detector, const ContentPlace& place,
                             std::span<const std::uint8_t> codes,
                             std::span<const std::uint32_t> keys) = 0;
  virtual Status add_verdict(const VerdictRecord& verdict) = 0;  // ascending by (a, b)
  virtual Status add_removed(const RemovedRecord& removed) = 0;  // ascending by digest

  // Called by finish() for every table of a shelf with the keys of all its rows, to change some:
  // a merge has them by table, not by row.
  using KeyPatch = std::function<Status(std::uint32_t table, std::span<std::uint32_t> keys)>;
  virtual void patch_keys(DetectorId detector, KeyPatch patch) = 0;

  // Syncs the file, gives it its name and syncs its folder.
  virtual Status finish() = 0;
};

}  // namespace twinsift
