// SPDX-License-Identifier: Apache-2.0
// Records become bytes here.
#include "store/record.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "store/bytes.h"
#include "store/record_bits.h"

namespace twinsift {
namespace {

Error unfit(std::string_view what) {
  return {ErrorCode::kInvalidArgument, fmt::format("{} cannot be stored", what)};
}

// Requires: shorter than kMaxPayload.
void append_text(std::string& bytes, std::string_view text) {
  append(bytes, static_cast<std::uint32_t>(text.size()));
  bytes += text;
}

Result<RecordBytes> checked(RecordBytes record) {
  if (record.size() > kMaxPayload) return unfit("a record of more than 1 GiB");
  return record;
}

bool is_canonical(SetView set) {
  return std::ranges::adjacent_find(set.ids, std::greater_equal{}) == set.ids.end() &&
         std::ranges::all_of(set.weights, [](double w) { return std::isfinite(w) && w > 0; });
}

Result<std::string> encode_facts(const std::vector<Fact>& facts) {
  std::string bytes;
  for (const auto& [name, value] : facts) {
    if (name.size() > UINT16_MAX || value.size() > kMaxPayload) return unfit("so long a fact");
    append(bytes, static_cast<std::uint16_t>(name.size()));
    bytes += name;
    append_text(bytes, value);
  }
  return bytes;
}

}  // namespace

std::string_view name_of(RecordType type) {
  constexpr std::array<std::string_view, 8> kNames = {"?",       "detector", "file",   "content",
                                                      "verdict", "removed",  "result", "synced"};
  return kNames[std::min<std::size_t>(static_cast<std::size_t>(type), 7)];
}

std::array<std::span<const std::byte>, 4> RecordBytes::pieces() const {
  return {as_bytes(head), std::as_bytes(body.ids), std::as_bytes(body.weights), as_bytes(tail)};
}

std::uint64_t RecordBytes::size() const {
  std::uint64_t bytes = 0;
  for (const auto piece : pieces()) bytes += piece.size();
  return bytes;
}

Result<RecordBytes> encode(const DetectorRecord& detector) {
  if (detector.id == 0 || detector.spec.empty()) return unfit("a detector without id or spec");
  if (detector.spec.size() > kMaxSpec || detector.spec.find('\n') != std::string::npos) {
    return unfit("a detector's spec that is long or has several lines");
  }
  RecordBytes record{.type = RecordType::kDetector, .head = {}};
  append(record.head, detector.id);
  append_text(record.head, detector.spec);
  return record;
}

Result<RecordBytes> encode(const FileRecord& file) {
  if (file.key.path.empty()) return unfit("a file without a path");
  if (file.key.path.size() > kMaxPayload) return unfit("so long a path");
  if (file.unrecognised_by > UINT32_MAX >> kFileUnrecognisedShift) return unfit("such a file");
  RecordBytes record{.type = RecordType::kFile, .head = {}};
  std::string& bytes = record.head;
  for (const std::uint64_t number :
       {file.key.volume, file.key.part, file.device, file.inode, file.size,
        static_cast<std::uint64_t>(file.mtime_ns), static_cast<std::uint64_t>(file.ctime_ns),
        static_cast<std::uint64_t>(file.seen_ns)}) {
    append(bytes, number);
  }
  append(bytes, file.digest.value_or(Digest{}));
  append(bytes, (file.digest ? kFileDigest : 0U) | (file.dropped ? kFileDropped : 0U) |
                    file.unrecognised_by << kFileUnrecognisedShift);
  append_text(bytes, file.key.path);
  return checked(std::move(record));
}

Result<RecordBytes> encode(const ContentRecord& content) {
  const bool features = content.state == ContentState::kFeatures;
  const bool failed = content.state == ContentState::kFailed;
  const SetView& set = content.features;
  if (content.detector == 0) return unfit("a content without a detector");
  if (failed != content.failure.has_value()) return unfit("a failure without an error");
  if (!features && !set.ids.empty()) return unfit("features that a state forbids");
  if (set.ids.size() > kMaxPayload / 8) return unfit("so large a set of features");
  if (!set.weights.empty() && set.weights.size() != set.ids.size()) {
    return unfit("a set with too few or too many weights");
  }
  if (set.packed && !set.weights.empty()) return unfit("packed features with weights");
  if (!set.packed && !is_canonical(set)) return unfit("a set that is not in canonical form");
  if (failed && !content.facts.empty()) return unfit("a failure with facts");
  RecordBytes record{.type = RecordType::kContent, .head = {}, .body = set};
  if (failed) {
    record.tail = content.failure->message;
  } else {
    TWINSIFT_TRY(record.tail, encode_facts(content.facts));
  }
  if (record.tail.size() > kMaxPayload) return unfit("so long a text");
  append(record.head, content.digest);
  for (const std::uint32_t number :
       {content.detector, static_cast<std::uint32_t>(content.state),
        static_cast<std::uint32_t>(set.ids.size()), static_cast<std::uint32_t>(record.tail.size()),
        (set.weights.empty() ? 0U : kContentWeights) |
            (set.packed && !set.ids.empty() ? kContentPacked : 0U),
        failed ? static_cast<std::uint32_t>(content.failure->code) : 0U}) {
    append(record.head, number);
  }
  return checked(std::move(record));
}

Result<RecordBytes> encode(const VerdictRecord& verdict) {
  if (!(verdict.a < verdict.b)) return unfit("a verdict on a pair that is not in order");
  RecordBytes record{.type = RecordType::kVerdict, .head = {}};
  append(record.head, verdict.a);
  append(record.head, verdict.b);
  append(record.head, static_cast<std::uint32_t>(verdict.verdict));
  append(record.head, std::uint32_t{0});
  append(record.head, verdict.when_ns);
  return record;
}

Result<RecordBytes> encode(const RemovedRecord& removed) {
  if (removed.path.size() > kMaxPayload) return unfit("so long a path");
  RecordBytes record{.type = RecordType::kRemoved, .head = {}};
  append(record.head, removed.digest);
  append(record.head, removed.when_ns);
  append(record.head, removed.forget ? kRemovedForget : 0U);
  append_text(record.head, removed.path);
  return checked(std::move(record));
}

Result<RecordBytes> encode(const ResultRecord& result) {
  if (result.bytes.size() > kMaxPayload) return unfit("a result of more than 1 GiB");
  RecordBytes record{.type = RecordType::kResult, .head = {}};
  append(record.head, result.key);
  append(record.head, static_cast<std::uint32_t>(result.bytes.size()));
  append(record.head, std::uint32_t{0});
  record.tail = result.bytes;
  return checked(std::move(record));
}

Result<RecordBytes> encode(const SyncedRecord& synced) {
  RecordBytes record{.type = RecordType::kSynced, .head = {}};
  append(record.head, synced.offset);
  return record;
}

}  // namespace twinsift
