// SPDX-License-Identifier: Apache-2.0
// What is known after some records: that which no segment has yet, and the few things that are
// always kept in memory.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "store/data_file.h"
#include "store/manifest.h"
#include "store/memory_part.h"
#include "twinsift/result.h"

namespace twinsift {

// Not thread-safe.
struct RecordState {
  MemoryPart unsorted;
  std::map<PairKey, VerdictRecord> verdicts{};  // all of them, sorted or not, as are these:
  std::map<Digest, RemovedRecord> removed{};
  std::map<DetectorId, std::string> detectors{};
  std::vector<Manifest::StoredResult> results{};  // oldest first
  std::uint64_t sequence = 0;                     // of the last record
  std::uint64_t unsorted_records = 0;
  std::uint64_t unsorted_bytes = 0;

  // Takes the record, which is or will be at this place.  kCorrupt, kUnsupported: decode_...().
  Status apply(const StoredRecord& record, std::uint64_t data_file, std::uint64_t offset);
  void put(const VerdictRecord& verdict);
  void put(const RemovedRecord& removed_content);
  void put_result(const Digest& key, std::uint64_t data_file, std::uint64_t offset);
  // Everything is in segments now.
  void sorted();
};

}  // namespace twinsift
