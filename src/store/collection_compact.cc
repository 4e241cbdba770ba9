// SPDX-License-Identifier: Apache-2.0
// Leaving out what no longer holds.
//
// The records that hold are copied to new data files with the numbers they have; the manifest then
// names those instead of the old.  A crash leaves either the old collection or the new one.
#include <algorithm>
#include <mutex>
#include <utility>

#include <unistd.h>

#include "store/collection_impl.h"
#include "store/rebuild.h"

namespace twinsift {

Status StoredCollection::compact() {
  const std::scoped_lock writing(writing_);
  if (!lock_) {
    return Error{ErrorCode::kInvalidArgument, path_ + ": was opened for reading only"};
  }
  TWINSIFT_TRY([[maybe_unused]] auto flushed, flush_locked());
  std::map<DetectorId, ShelfSpec> specs;
  for (const auto& [detector, shelf] : shelves_) specs[detector] = shelf->spec();
  const Manifest before = with_sizes();
  Rebuild rebuild(path_, options_, before, std::move(specs));
  std::uint64_t last = 0;
  for (const Manifest::Data& line : before.data) {
    const DataFile& file = *data_file(line.number);
    const auto copied =
        replay(file, kFileHeaderBytes, file.size(), last, [&](const StoredRecord& record) {
          last = record.frame.sequence;
          const auto holds = still_holds(record, line.number);
          if (!holds) return Status(holds.error());
          return *holds ? rebuild.copy(record) : ok();
        });
    if (!copied) return with_advice(path_, copied.error());
  }
  TWINSIFT_TRY(const Manifest after, rebuild.commit(known_.sequence));
  return adopt(before, after);
}

// Requires: nothing is unsorted.
Result<bool> StoredCollection::still_holds(const StoredRecord& record,
                                           std::uint64_t data_file) const {
  switch (record.type()) {
    case RecordType::kDetector:
    case RecordType::kSynced:
      return record.type() == RecordType::kDetector;
    case RecordType::kFile: {
      TWINSIFT_TRY(const auto file, decode_file_record(record.payload));
      std::uint64_t sequence = 0;
      TWINSIFT_TRY(const auto newest, newest_file(segments_, known_.unsorted, file.key, sequence));
      return newest && sequence == record.frame.sequence && !newest->dropped;
    }
    case RecordType::kContent: {
      TWINSIFT_TRY(const auto content, decode_content_record(record.payload));
      if (content.state == ContentState::kDropped) return false;
      TWINSIFT_TRY(const auto newest,
                   newest_content(segments_, known_.unsorted, content.detector, content.digest));
      if (!newest || newest->data_file != data_file || newest->offset != record.offset) {
        return false;
      }
      if (removed(content.digest)) return true;
      TWINSIFT_TRY(const auto files, all_files_with(content.digest));
      return !files.empty();
    }
    case RecordType::kVerdict: {
      TWINSIFT_TRY(const auto verdict, decode_verdict_record(record.payload));
      const auto newest = known_.verdicts.find({verdict.a, verdict.b});
      return newest != known_.verdicts.end() && newest->second == verdict &&
             verdict.verdict != VerdictKind::kNone;
    }
    case RecordType::kRemoved: {
      TWINSIFT_TRY(const auto gone, decode_removed_record(record.payload));
      const auto newest = known_.removed.find(gone.digest);
      return newest != known_.removed.end() && newest->second == gone && !gone.forget;
    }
    case RecordType::kResult: {
      const auto& results = known_.results;
      return std::ranges::any_of(results, [&](const Manifest::StoredResult& result) {
        return result.number == data_file && result.offset == record.offset;
      });
    }
  }
  return true;
}

// From here on the collection is what the new manifest says.  Old data files stay mapped, because
// views of their features may be in use; old segments have none.
Status StoredCollection::adopt(const Manifest& before, const Manifest& after) {
  auto fresh = std::make_unique<StoredCollection>(Key{}, path_, options_);
  TWINSIFT_TRY([[maybe_unused]] auto loaded, fresh->load(after));
  std::optional<DataWriter> writer;
  if (!fresh->data_.empty()) {
    const DataFile& last = *fresh->data_.back();
    TWINSIFT_TRY(writer, DataWriter::reopen(last.path(), last.header(), last.size()));
  }
  {
    const std::unique_lock changing(state_);
    manifest_ = after;
    known_ = std::move(fresh->known_);
    shelves_ = std::move(fresh->shelves_);
    segments_.swap(fresh->segments_);
    for (auto& file : fresh->data_) data_.push_back(std::move(file));
    writer_ = std::move(writer);
  }
  // The oldest first: as long as any of them is left, so is what later ones took back.
  for (const Manifest::Data& line : before.data) {
    ::unlink((path_ + '/' + data_file_name(line.number)).c_str());
  }
  for (const Manifest::SegmentFile& line : before.segments) {
    ::unlink((path_ + '/' + segment_name(line.number)).c_str());
  }
  return ok();
}

}  // namespace twinsift
