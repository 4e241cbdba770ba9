// SPDX-License-Identifier: Apache-2.0
// What the newest records say, as long as no segment covers them: ordered as a segment is.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "store/record.h"
#include "store/segment.h"

namespace twinsift {

struct MemoryFile {
  FileRecord record;
  std::uint64_t sequence = 0;
};

struct MemoryContent {
  ContentPlace place;
  SetView features{};  // in the mapped data file
};

// `content`: what the record at this place, with so many bytes of payload, says.
MemoryContent memory_content(const ContentRecord& content, std::uint64_t data_file,
                             std::uint64_t offset, std::uint32_t bytes);

using ContentKey = std::pair<DetectorId, Digest>;
using PairKey = std::pair<Digest, Digest>;

// Not thread-safe.
class MemoryPart {
 public:
  void put(const FileRecord& file, std::uint64_t sequence);
  void put(DetectorId detector, const MemoryContent& content);
  void put(const VerdictRecord& verdict) { verdicts_[{verdict.a, verdict.b}] = verdict; }
  void put(const RemovedRecord& removed) { removed_[removed.digest] = removed; }

  [[nodiscard]] bool empty() const;
  [[nodiscard]] const auto& files() const { return files_; }
  [[nodiscard]] const auto& by_digest() const { return by_digest_; }
  [[nodiscard]] const auto& contents() const { return contents_; }
  [[nodiscard]] const auto& verdicts() const { return verdicts_; }
  [[nodiscard]] const auto& removed() const { return removed_; }

 private:
  void forget_digest(const ItemKey& key, const Digest& digest);

  std::map<ItemKey, MemoryFile> files_;
  std::multimap<Digest, const ItemKey*> by_digest_;  // keys of files_
  std::map<ContentKey, MemoryContent> contents_;
  std::map<PairKey, VerdictRecord> verdicts_;
  std::map<Digest, RemovedRecord> removed_;
};

// The same file, seen and kept.  The view is good as long as the record.
FileView view_of(const FileRecord& file, std::uint64_t sequence);
FileRecord record_of(const FileView& file);
ItemKey key_of(const FileView& file);

}  // namespace twinsift
