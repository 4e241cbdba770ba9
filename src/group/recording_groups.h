// SPDX-License-Identifier: Apache-2.0
// Groups of recordings, and what links the groups.
//
// Copies differ in quality and excerpts in length, and the one that stays must be the best of its
// copies and no excerpt.  So the copies are gathered first, around the best of each; then all are
// asked in the order of how long these are whether an earlier one that stays is the same or
// contains them.  Whatever else shares some time is a link: it makes nothing a duplicate.
//
// Cost: O(n log n) for n pairs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "twinsift/report.h"
#include "twinsift/types.h"

namespace twinsift {

struct RecordingItem {
  bool reference = false;  // it always stays
  double seconds = 0;
  std::uint64_t pixels = 0;        // of a frame
  std::uint32_t sample_rate = 0;   // of sound; 0: unknown, or there is a film
  std::optional<bool> lossless{};  // of sound; empty: unknown
  std::uint64_t bytes = 0;
};

struct RecordingPair {
  ItemId a = 0;
  ItemId b = 0;
  double score = 0;
  Relation relation = Relation::kSame;  // kContains: a contains b
};

struct RecordingGroups {
  std::vector<ItemId> keeper;        // keeper[i] == i: i stays
  std::vector<std::uint32_t> links;  // places of pairs between items that stay, ascending
};

// Requires: each pair once.
RecordingGroups group_recordings(std::span<const RecordingItem> items,
                                 std::span<const RecordingPair> pairs);

}  // namespace twinsift
