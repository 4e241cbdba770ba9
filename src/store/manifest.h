// SPDX-License-Identifier: Apache-2.0
// MANIFEST: which files of the folder count.  Replaced whole, never changed in place.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/file_header.h"
#include "store/record.h"
#include "twinsift/result.h"

namespace twinsift {

struct Manifest {
  struct Data {
    std::uint64_t number = 0;
    std::uint64_t bytes = 0;  // of it were on the disk
    std::uint64_t salt = 0;   // as in its header
    friend bool operator==(const Data&, const Data&) = default;
  };
  struct SegmentFile {
    std::uint64_t number = 0;
    std::uint64_t first = 0;  // sequence numbers
    std::uint64_t last = 0;
    friend bool operator==(const SegmentFile&, const SegmentFile&) = default;
  };
  // What stands before this place, up to this sequence number, is in the segments.
  struct Covered {
    std::uint64_t number = 0;  // 0: nothing
    std::uint64_t offset = 0;
    std::uint64_t sequence = 0;
    friend bool operator==(const Covered&, const Covered&) = default;
  };
  struct StoredResult {
    Digest key;
    std::uint64_t number = 0;  // where its record is
    std::uint64_t offset = 0;
    friend bool operator==(const StoredResult&, const StoredResult&) = default;
  };

  CollectionId id{};
  std::vector<Data> data;             // in the order of their records
  std::vector<SegmentFile> segments;  // ascending by last
  Covered covered;
  std::vector<DetectorRecord> detectors;
  std::vector<StoredResult> results;  // oldest first
  std::uint64_t next = 1;             // number of the next file
  friend bool operator==(const Manifest&, const Manifest&) = default;
};

std::string data_file_name(std::uint64_t number);  // "data-0000000001"
std::string segment_name(std::uint64_t number);    // "seg-0000000002"

// Whether this is such a name.
bool is_file_name(std::string_view name);

std::string format_manifest(const Manifest& manifest);
// kCorrupt, or kUnsupported: a version or a line that only a newer twinsift can have written.
// `name` is for messages.
Result<Manifest> parse_manifest(std::string_view text, std::string_view name);

// kNotFound: there is none.
Result<std::string> read_manifest(const std::string& folder);
// Takes the place of the old one on the disk, or leaves it.
Status write_manifest(const std::string& folder, const Manifest& manifest);

}  // namespace twinsift
