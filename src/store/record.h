// SPDX-License-Identifier: Apache-2.0
// What a collection remembers: files, contents, verdicts and what was removed.
// docs/FORMAT.md has their bytes; store/record.cc is the only code that knows them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "feature/weights.h"
#include "ingest/reader.h"
#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

using DetectorId = std::uint32_t;  // 1, 2, ...: a spec that the collection knows

// Where something is: a file, or the part-th record of a corpus file (from 1).
struct ItemKey {
  std::string path;  // absolute, real bytes
  std::uint64_t part = 0;
  std::uint64_t volume = 0;
  friend auto operator<=>(const ItemKey&, const ItemKey&) = default;
};

struct FileRecord {
  ItemKey key;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t size = 0;
  std::int64_t mtime_ns = 0;
  std::int64_t ctime_ns = 0;
  std::int64_t seen_ns = 0;  // when it was looked at
  std::optional<Digest> digest{};
  bool recognised = true;  // by some medium
  bool dropped = false;    // the path is to be forgotten
  friend bool operator==(const FileRecord&, const FileRecord&) = default;
};

enum class ContentState : std::uint32_t { kFeatures, kNothing, kFailed, kDropped };

// What one detector saw in one content.  Views are into the caller's memory or into a mapped file.
struct ContentRecord {
  Digest digest;
  DetectorId detector = 0;
  ContentState state = ContentState::kNothing;
  SetView features{};
  std::vector<Fact> facts{};
  std::optional<Error> failure{};
};

enum class VerdictKind : std::uint32_t { kNone, kNotDuplicate, kRelated };
struct VerdictRecord {
  Digest a;  // a < b
  Digest b;
  VerdictKind verdict = VerdictKind::kNone;
  std::int64_t when_ns = 0;
  friend bool operator==(const VerdictRecord&, const VerdictRecord&) = default;
};

// "Seen before, removed."
struct RemovedRecord {
  Digest digest;
  std::int64_t when_ns = 0;
  std::string path;
  bool forget = false;
  friend bool operator==(const RemovedRecord&, const RemovedRecord&) = default;
};

}  // namespace twinsift
