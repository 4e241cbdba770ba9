// SPDX-License-Identifier: Apache-2.0
#include "store/record_state.h"

#include <fmt/format.h>

namespace twinsift {

Status RecordState::apply(const StoredRecord& record, std::uint64_t data_file,
                          std::uint64_t offset) {
  const auto payload = record.payload;
  const std::uint64_t number = record.frame.sequence;
  switch (record.type()) {
    case RecordType::kDetector: {
      TWINSIFT_TRY(const auto detector, decode_detector_record(payload));
      detectors[detector.id] = detector.spec;
      break;
    }
    case RecordType::kFile: {
      TWINSIFT_TRY(const auto file, decode_file_record(payload));
      unsorted.put(file, number);
      break;
    }
    case RecordType::kContent: {
      TWINSIFT_TRY(const auto content, decode_content_record(payload));
      if (!detectors.contains(content.detector)) {
        return Error{ErrorCode::kCorrupt, "a content has a detector that nobody knows"};
      }
      unsorted.put(content.detector,
                   memory_content(content, data_file, offset, record.frame.length));
      break;
    }
    case RecordType::kVerdict: {
      TWINSIFT_TRY(const auto verdict, decode_verdict_record(payload));
      put(verdict);
      break;
    }
    case RecordType::kRemoved: {
      TWINSIFT_TRY(const auto gone, decode_removed_record(payload));
      put(gone);
      break;
    }
    case RecordType::kResult: {
      TWINSIFT_TRY(const auto result, decode_result_record(payload));
      put_result(result.key, data_file, offset);
      break;
    }
    case RecordType::kSynced: {
      sequence = number;
      return ok();  // says nothing that could be sorted
    }
    default:
      return Error{ErrorCode::kUnsupported,
                   fmt::format("a record has type {}, which this twinsift does not know; use a "
                               "newer twinsift",
                               record.frame.type)};
  }
  sequence = number;
  ++unsorted_records;
  unsorted_bytes += record.frame.record_bytes();
  return ok();
}

void RecordState::put(const VerdictRecord& verdict) {
  unsorted.put(verdict);
  verdicts[{verdict.a, verdict.b}] = verdict;
}

void RecordState::put(const RemovedRecord& removed_content) {
  unsorted.put(removed_content);
  removed[removed_content.digest] = removed_content;
}

// A cache: the oldest make way.
void RecordState::put_result(const Digest& key, std::uint64_t data_file, std::uint64_t offset) {
  constexpr std::size_t kMost = 64;
  std::erase_if(results, [&key](const auto& old) { return old.key == key; });
  results.push_back({.key = key, .number = data_file, .offset = offset});
  if (results.size() > kMost) results.erase(results.begin());
}

void RecordState::sorted() {
  unsorted = {};
  unsorted_records = 0;
  unsorted_bytes = 0;
}

}  // namespace twinsift
