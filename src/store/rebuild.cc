// SPDX-License-Identifier: Apache-2.0
#include "store/rebuild.h"

#include <algorithm>
#include <utility>

#include <unistd.h>

#include "store/entropy.h"

namespace twinsift {

Rebuild::Rebuild(std::string folder, const CollectionOptions& options, const Manifest& manifest,
                 std::map<DetectorId, ShelfSpec> shelves)
    : folder_(std::move(folder)), options_(options), specs_(std::move(shelves)) {
  manifest_.id = manifest.id;
  manifest_.next = manifest.next;
  for (const auto& [id, spec] : manifest.detectors) known_.detectors[id] = spec;
}

Rebuild::~Rebuild() {
  for (const std::string& path : made_) ::unlink(path.c_str());
}

Status Rebuild::start_data_file(std::uint64_t first_sequence) {
  TWINSIFT_TRY([[maybe_unused]] auto ended, end_data_file());
  FileHeader header{.kind = StoreFile::kData,
                    .id = manifest_.id,
                    .number = manifest_.next++,
                    .first_sequence = first_sequence};
  TWINSIFT_TRY(header.salt, random_salt());
  made_.push_back(folder_ + '/' + data_file_name(header.number));
  TWINSIFT_TRY(writer_, DataWriter::create(made_.back(), header));
  manifest_.data.push_back({.number = header.number, .bytes = writer_->end(), .salt = header.salt});
  return ok();
}

Status Rebuild::end_data_file() {
  if (!writer_) return ok();
  TWINSIFT_TRY([[maybe_unused]] auto synced, writer_->sync(known_.sequence));
  manifest_.data.back().bytes = writer_->on_disk();
  writer_.reset();
  return ok();
}

Status Rebuild::copy(const StoredRecord& record) {
  if (!writer_ || writer_->end() >= options_.data_file_bytes) {
    TWINSIFT_TRY([[maybe_unused]] auto started, start_data_file(record.frame.sequence));
  }
  RecordBytes bytes{.type = record.type(), .head = {}};
  bytes.head.assign(reinterpret_cast<const char*>(record.payload.data()), record.payload.size());
  TWINSIFT_TRY(const std::uint64_t offset, writer_->append(bytes, record.frame.sequence));
  TWINSIFT_TRY([[maybe_unused]] auto applied,
               known_.apply(record, manifest_.data.back().number, offset));
  return sort_if(known_.unsorted_bytes >= options_.flush_bytes);
}

Status Rebuild::keep(const StoredRecord& record) {
  TWINSIFT_TRY([[maybe_unused]] auto applied,
               known_.apply(record, manifest_.data.back().number, record.offset));
  return sort_if(known_.unsorted_bytes >= options_.flush_bytes);
}

// A wish of the caller comes first, then what there was.
Status Rebuild::make_shelves() {
  for (const auto& [detector, name] : known_.detectors) {
    if (shelves_.contains(detector)) continue;
    const auto old = specs_.find(detector);
    const bool as_before = options_.sketch.empty() && old != specs_.end();
    TWINSIFT_TRY(const ShelfSpec spec, as_before ? Result<ShelfSpec>(old->second)
                                                 : make_shelf_spec(detector, options_.sketch));
    TWINSIFT_TRY(shelves_[detector], Shelf::make(spec));
  }
  return ok();
}

Status Rebuild::sort_if(bool due) {
  if (!due || known_.unsorted.empty()) return ok();
  TWINSIFT_TRY([[maybe_unused]] auto shelved, make_shelves());
  const SegmentPlace place{.folder = folder_, .id = manifest_.id, .number = manifest_.next++};
  made_.push_back(folder_ + '/' + segment_name(place.number));
  TWINSIFT_TRY(auto segment,
               build_segment(place, known_.unsorted, sorted_ + 1, known_.sequence, shelves_));
  sorted_ = known_.sequence;
  segments_.push_back(std::move(segment));
  known_.sorted();
  return ok();
}

Result<Manifest> Rebuild::commit(std::uint64_t sequence) {
  TWINSIFT_TRY([[maybe_unused]] auto ended, end_data_file());
  TWINSIFT_TRY([[maybe_unused]] auto sorted, sort_if(true));
  std::vector<std::string> leftovers;
  if (segments_.size() > 1) {
    std::vector<const Segment*> all;
    for (const auto& segment : segments_) {
      all.push_back(segment.get());
      leftovers.push_back(folder_ + '/' + segment_name(segment->number()));
    }
    TWINSIFT_TRY([[maybe_unused]] auto shelved, make_shelves());
    const SegmentPlace place{.folder = folder_, .id = manifest_.id, .number = manifest_.next++};
    made_.push_back(folder_ + '/' + segment_name(place.number));
    TWINSIFT_TRY(auto one, join_segments(place, all, true, shelves_));
    segments_.clear();
    segments_.push_back(std::move(one));
  }
  for (const auto& segment : segments_) {
    manifest_.segments.push_back({.number = segment->number(),
                                  .first = segment->first_sequence(),
                                  .last = segment->last_sequence()});
  }
  manifest_.covered.sequence = std::max(sequence, known_.sequence);
  if (!manifest_.data.empty()) {
    manifest_.covered.number = manifest_.data.back().number;
    manifest_.covered.offset = manifest_.data.back().bytes;
  }
  manifest_.results = known_.results;
  for (const auto& [id, spec] : known_.detectors) {
    manifest_.detectors.push_back({.id = id, .spec = spec});
  }
  TWINSIFT_TRY([[maybe_unused]] auto written, write_manifest(folder_, manifest_));
  made_ = std::move(leftovers);
  return manifest_;
}

}  // namespace twinsift
