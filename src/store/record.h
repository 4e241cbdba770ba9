// SPDX-License-Identifier: Apache-2.0
// What a collection remembers: files, contents, verdicts and what was removed.
// docs/FORMAT.md has their bytes; store/record.cc is the only code that knows them.
#pragma once

#include <array>
#include <cstddef>
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
  // 0: some medium recognises it.  Else who has looked, below 2^24: others may see more in it.
  std::uint32_t unrecognised_by = 0;
  bool dropped = false;  // the path is to be forgotten
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

// What a detector id stands for.
struct DetectorRecord {
  DetectorId id = 0;
  std::string spec;
  friend bool operator==(const DetectorRecord&, const DetectorRecord&) = default;
};

// What a run found, for the next run with the same inputs and options.
struct ResultRecord {
  Digest key;
  std::string_view bytes;
};

// All bytes of the data file before the offset were on the disk when this was written.
struct SyncedRecord {
  std::uint64_t offset = 0;
};

enum class RecordType : std::uint32_t {
  kDetector = 1,
  kFile,
  kContent,
  kVerdict,
  kRemoved,
  kResult,
  kSynced,
};
[[nodiscard]] std::string_view name_of(RecordType type);

inline constexpr std::uint64_t kMaxPayload = std::uint64_t{1} << 30U;

// The payload of a record, in pieces, because features are many and need not be copied.
struct RecordBytes {
  RecordType type = RecordType::kFile;
  std::string head;
  SetView body{};  // the caller's
  std::string tail{};

  [[nodiscard]] std::array<std::span<const std::byte>, 4> pieces() const;
  [[nodiscard]] std::uint64_t size() const;
};

// kInvalidArgument: cannot be stored, and why.
Result<RecordBytes> encode(const DetectorRecord& detector);
Result<RecordBytes> encode(const FileRecord& file);
Result<RecordBytes> encode(const ContentRecord& content);
Result<RecordBytes> encode(const VerdictRecord& verdict);
Result<RecordBytes> encode(const RemovedRecord& removed);
Result<RecordBytes> encode(const ResultRecord& result);
Result<RecordBytes> encode(const SyncedRecord& synced);

// Whatever the bytes are, these return a record that encode() would accept, kCorrupt, or, for
// something that only a newer version can have written, kUnsupported.
Result<DetectorRecord> decode_detector_record(std::span<const std::byte> payload);
Result<FileRecord> decode_file_record(std::span<const std::byte> payload);
// The features are views into the payload.  Requires: it begins at a multiple of 8.
Result<ContentRecord> decode_content_record(std::span<const std::byte> payload);
Result<VerdictRecord> decode_verdict_record(std::span<const std::byte> payload);
Result<RemovedRecord> decode_removed_record(std::span<const std::byte> payload);
Result<ResultRecord> decode_result_record(std::span<const std::byte> payload);  // a view, too
Result<SyncedRecord> decode_synced_record(std::span<const std::byte> payload);

}  // namespace twinsift
