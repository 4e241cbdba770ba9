// SPDX-License-Identifier: Apache-2.0
// All records of a data file, and what to think of those that are bad.
#include <algorithm>

#include <fmt/format.h>

#include "store/data_file.h"

namespace twinsift {
namespace {

// A mark can only have been written after the disk had what is before it.
std::uint64_t marked_by(const DataFile& file, const StoredRecord& record) {
  if (record.type() != RecordType::kSynced || !file.is_good(record)) return 0;
  const auto mark = decode_synced_record(record.payload);
  return mark && mark->offset <= record.offset ? mark->offset : 0;
}

// Up to which byte the marks at or after `offset` vouch for the file.
std::uint64_t vouched_for(const DataFile& file, std::uint64_t offset) {
  std::uint64_t vouched = 0;
  while (offset + kFrameBytes <= file.size()) {
    const auto record = file.look(offset);
    if (record) vouched = std::max(vouched, marked_by(file, *record));
    offset = record && file.is_good(*record) ? record->end() : offset + 8;
  }
  return vouched;
}

// Numbers ascend; a mark has that of the record before it.
bool in_order(const StoredRecord& record, std::uint64_t last_sequence) {
  const std::uint64_t number = record.frame.sequence;
  return record.type() == RecordType::kSynced ? number >= last_sequence : number > last_sequence;
}

Error cut_off(const DataFile& file, std::uint64_t known) {
  return {ErrorCode::kCorrupt, fmt::format("{}: has {} bytes and had {}; its end is missing",
                                           file.path(), file.size(), known)};
}

}  // namespace

Result<std::uint64_t> replay(const DataFile& file, std::uint64_t begin, std::uint64_t known,
                             std::uint64_t last_sequence,
                             const std::function<Status(const StoredRecord&)>& take) {
  if (file.size() < std::max(known, begin)) return cut_off(file, std::max(known, begin));
  std::uint64_t offset = begin;
  while (offset < file.size()) {
    const auto record = file.look(offset);
    if (!record || !file.is_good(*record) || !in_order(*record, last_sequence)) {
      if (offset >= std::max(known, vouched_for(file, offset))) return offset;
      return file.damaged(offset, "a record is missing or changed");
    }
    last_sequence = record->frame.sequence;
    TWINSIFT_TRY([[maybe_unused]] auto taken, take(*record));
    offset = record->end();
  }
  return offset;
}

Result<std::uint64_t> salvage(const DataFile& file, std::uint64_t known,
                              const std::function<Status(const StoredRecord&)>& take,
                              const std::function<void(const Damage&)>& lost) {
  std::optional<std::uint64_t> vouched;
  std::uint64_t last_sequence = 0;
  std::uint64_t offset = kFileHeaderBytes;
  while (offset < file.size()) {
    const auto record = file.look(offset);
    if (record && file.is_good(*record) && in_order(*record, last_sequence)) {
      last_sequence = record->frame.sequence;
      TWINSIFT_TRY([[maybe_unused]] auto taken, take(*record));
      offset = record->end();
      continue;
    }
    if (!vouched) vouched = std::max(known, vouched_for(file, offset));
    if (offset >= *vouched) return offset;
    Damage damage{.begin = offset, .end = offset + 8};
    if (record) {
      damage.end = record->end();
      damage.frame = record->frame;
    }
    while (damage.end < file.size() && !file.look(damage.end)) damage.end += 8;
    damage.end = std::min(damage.end, file.size());
    lost(damage);
    offset = damage.end;
  }
  if (offset < known) lost({.begin = offset, .end = known});
  return offset;
}

}  // namespace twinsift
