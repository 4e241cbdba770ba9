// SPDX-License-Identifier: Apache-2.0
// Putting records.
#include <algorithm>
#include <mutex>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "store/collection_impl.h"
#include "store/entropy.h"
#include "store/record_frame.h"

namespace twinsift {
namespace {

// A data file has room for one record of any size behind its limit, not for more.
Status fits(std::span<const RecordBytes> records) {
  std::uint64_t bytes = 0;
  for (const RecordBytes& record : records) bytes += kFrameBytes + padded(record.size());
  if (bytes <= kFrameBytes + kMaxPayload) return ok();
  return Error{ErrorCode::kInvalidArgument, "more than 1 GiB cannot be stored at once"};
}

}  // namespace

Result<std::vector<StoredCollection::Place>> StoredCollection::append(
    std::span<const RecordBytes> records) {
  if (!lock_) {
    return Error{ErrorCode::kInvalidArgument, path_ + ": was opened for reading only"};
  }
  if (!writer_ || writer_->end() >= options_.data_file_bytes) {
    TWINSIFT_TRY([[maybe_unused]] auto started, start_data_file());
  }
  const std::uint64_t begin = writer_->end();
  TWINSIFT_TRY(const auto offsets, writer_->append(records, known_.sequence + 1));
  std::vector<Place> places;
  for (const std::uint64_t offset : offsets) {
    places.push_back({.data_file = data_.back()->header().number,
                      .offset = offset,
                      .sequence = ++known_.sequence});
  }
  data_.back()->grow(writer_->end());
  known_.unsorted_bytes += writer_->end() - begin;
  return places;
}

Result<StoredCollection::Place> StoredCollection::append(const RecordBytes& record) {
  TWINSIFT_TRY(const auto places, append(std::span(&record, 1)));
  return places.front();
}

// The manifest names a data file before it has a record, so that no record is ever in a file which
// nobody knows.
Status StoredCollection::start_data_file() {
  TWINSIFT_TRY([[maybe_unused]] auto synced, sync_locked());
  Manifest manifest = with_sizes();
  FileHeader header{.kind = StoreFile::kData,
                    .id = manifest.id,
                    .number = manifest.next++,
                    .first_sequence = known_.sequence + 1};
  TWINSIFT_TRY(header.salt, random_salt());
  const std::string path = path_ + '/' + data_file_name(header.number);
  TWINSIFT_TRY(DataWriter writer, DataWriter::create(path, header));
  manifest.data.push_back({.number = header.number, .bytes = writer.end(), .salt = header.salt});
  TWINSIFT_TRY(auto file, DataFile::open(path, data_file_capacity(options_)));
  {
    const std::unique_lock changing(state_);
    data_.push_back(std::move(file));
  }
  if (const Status published = publish(std::move(manifest)); !published) {
    const std::unique_lock changing(state_);
    data_.pop_back();
    ::unlink(path.c_str());
    return published;
  }
  writer_.emplace(std::move(writer));
  return ok();
}

Status StoredCollection::publish(Manifest manifest) {
  TWINSIFT_TRY([[maybe_unused]] auto written, write_manifest(path_, manifest));
  const std::unique_lock changing(state_);
  manifest_ = std::move(manifest);
  return ok();
}

// The manifest with what is known now.
Manifest StoredCollection::with_sizes() const {
  Manifest manifest = manifest_;
  if (writer_) manifest.data.back().bytes = writer_->on_disk();
  manifest.results = known_.results;
  manifest.detectors.clear();
  for (const auto& [id, spec] : known_.detectors) {
    manifest.detectors.push_back({.id = id, .spec = spec});
  }
  return manifest;
}

Status StoredCollection::sync_locked() {
  if (!writer_) return ok();
  TWINSIFT_TRY([[maybe_unused]] auto synced, writer_->sync(known_.sequence));
  data_.back()->grow(writer_->end());
  return ok();
}

Status StoredCollection::sync() {
  const std::scoped_lock writing(writing_);
  return sync_locked();
}

Result<DetectorId> StoredCollection::add_detector(std::string_view spec) {
  const std::scoped_lock writing(writing_);
  if (const auto known = detector(spec)) return *known;
  const DetectorId id = known_.detectors.empty() ? 1 : known_.detectors.rbegin()->first + 1;
  TWINSIFT_TRY(const auto bytes, encode(DetectorRecord{.id = id, .spec = std::string(spec)}));
  TWINSIFT_TRY([[maybe_unused]] auto place, append(bytes));
  const std::unique_lock changing(state_);
  known_.detectors[id] = spec;
  ++known_.unsorted_records;
  return id;
}

// From here on the features are those in the file, not the caller's.
Result<MemoryContent> StoredCollection::written_content(const Place& place) const {
  const auto record = data_.back()->look(place.offset);
  if (!record) return data_.back()->damaged(place.offset, "a record has just been written");
  TWINSIFT_TRY(const ContentRecord content, decode_content_record(record->payload));
  return memory_content(content, place.data_file, place.offset, record->frame.length);
}

Status StoredCollection::put(std::span<const ContentRecord> contents,
                             std::span<const FileRecord> files) {
  std::vector<RecordBytes> records;
  records.reserve(contents.size() + files.size());
  for (const ContentRecord& content : contents) {
    TWINSIFT_TRY(records.emplace_back(), encode(content));
  }
  for (const FileRecord& file : files) {
    TWINSIFT_TRY(records.emplace_back(), encode(file));
  }
  if (records.empty()) return ok();
  TWINSIFT_TRY([[maybe_unused]] auto fit, fits(records));
  const std::scoped_lock writing(writing_);
  for (const ContentRecord& content : contents) {
    if (known_.detectors.contains(content.detector)) continue;
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("{}: has no detector {}", path_, content.detector)};
  }
  TWINSIFT_TRY(const auto places, append(records));
  std::vector<MemoryContent> written(contents.size());
  for (std::size_t i = 0; i < contents.size(); ++i) {
    TWINSIFT_TRY(written[i], written_content(places[i]));
  }
  {
    const std::unique_lock changing(state_);
    for (std::size_t i = 0; i < contents.size(); ++i) {
      known_.unsorted.put(contents[i].detector, written[i]);
    }
    for (std::size_t i = 0; i < files.size(); ++i) {
      known_.unsorted.put(files[i], places[contents.size() + i].sequence);
    }
    known_.unsorted_records += records.size();
  }
  flush_if_full();
  return ok();
}

Status StoredCollection::put(const VerdictRecord& verdict) {
  TWINSIFT_TRY(const auto bytes, encode(verdict));
  const std::scoped_lock writing(writing_);
  TWINSIFT_TRY([[maybe_unused]] auto place, append(bytes));
  const std::unique_lock changing(state_);
  known_.put(verdict);
  ++known_.unsorted_records;
  return ok();
}

Status StoredCollection::put(const RemovedRecord& removed) {
  TWINSIFT_TRY(const auto bytes, encode(removed));
  const std::scoped_lock writing(writing_);
  TWINSIFT_TRY([[maybe_unused]] auto place, append(bytes));
  const std::unique_lock changing(state_);
  known_.put(removed);
  ++known_.unsorted_records;
  return ok();
}

Status StoredCollection::put_result(const Digest& key, std::string_view text) {
  TWINSIFT_TRY(const auto bytes, encode(ResultRecord{.key = key, .bytes = text}));
  const std::scoped_lock writing(writing_);
  TWINSIFT_TRY(const Place place, append(bytes));
  const std::unique_lock changing(state_);
  known_.put_result(key, place.data_file, place.offset);
  ++known_.unsorted_records;
  return ok();
}

// What was put is safe, whatever becomes of this; and a disk that was too full for a segment is not
// asked again for every record.
void StoredCollection::flush_if_full() {
  if (known_.unsorted_bytes < flush_at_) return;
  flush_at_ = known_.unsorted_bytes + options_.flush_bytes;
  static_cast<void>(flush_locked());
}

}  // namespace twinsift
