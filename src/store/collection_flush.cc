// SPDX-License-Identifier: Apache-2.0
// Sorting records into segments, and merging segments.
//
// Tiers: as soon as four segments at the young end are small enough for a size class, they become
// one.  So each record is written once for every class, of which there are few, and there are never
// more than three segments of a class to ask.
#include <algorithm>
#include <mutex>
#include <utility>

#include <unistd.h>

#include "store/collection_impl.h"
#include "store/segment_build.h"

namespace twinsift {
namespace {

constexpr std::size_t kFanIn = 4;
constexpr std::uint64_t kSmallest = std::uint64_t{1} << 20U;

// 0 up to 1 MiB, then one more for every factor of four.
unsigned size_class(std::uint64_t bytes) {
  unsigned level = 0;
  for (std::uint64_t limit = kSmallest; bytes > limit; limit *= kFanIn) ++level;
  return level;
}

// How many segments at the young end are to become one; 0: none.
std::size_t due(const SegmentList& segments) {
  unsigned largest = 0;
  for (const auto& segment : segments) largest = std::max(largest, size_class(segment->bytes()));
  for (unsigned level = 0; level <= largest; ++level) {
    std::size_t run = 0;
    while (run < segments.size() &&
           size_class(segments[segments.size() - 1 - run]->bytes()) <= level) {
      ++run;
    }
    if (run >= kFanIn) return run;
  }
  return 0;
}

}  // namespace

Status StoredCollection::flush() {
  const std::scoped_lock writing(writing_);
  if (!lock_) {
    return Error{ErrorCode::kInvalidArgument, path_ + ": was opened for reading only"};
  }
  return flush_locked();
}

// Shelves that segments have stay as they are; new detectors get new ones.
Status StoredCollection::make_shelves() {
  for (const auto& [detector, spec] : known_.detectors) {
    if (shelves_.contains(detector)) continue;
    TWINSIFT_TRY(const ShelfSpec shelf, make_shelf_spec(detector, options_.sketch));
    TWINSIFT_TRY(auto made, Shelf::make(shelf));
    const std::unique_lock changing(state_);
    shelves_[detector] = std::move(made);
  }
  return ok();
}

Status StoredCollection::flush_locked() {
  const std::uint64_t last = known_.sequence;
  TWINSIFT_TRY([[maybe_unused]] auto synced, sync_locked());
  Manifest manifest = with_sizes();
  if (!writer_ || known_.unsorted_records == 0) {
    return manifest == manifest_ ? ok() : publish(std::move(manifest));
  }
  std::unique_ptr<Segment> segment;
  if (!known_.unsorted.empty()) {
    TWINSIFT_TRY([[maybe_unused]] auto shelved, make_shelves());
    const std::uint64_t first = manifest.covered.sequence + 1;
    const SegmentPlace place{.folder = path_, .id = manifest.id, .number = manifest.next++};
    TWINSIFT_TRY(segment, build_segment(place, known_.unsorted, first, last, shelves_));
    manifest.segments.push_back({.number = place.number, .first = first, .last = last});
  }
  // The mark that sync has just written comes after it: it may not be on the disk yet.
  manifest.covered = {
      .number = manifest.data.back().number, .offset = writer_->on_disk(), .sequence = last};
  if (const Status published = publish(std::move(manifest)); !published) {
    if (segment) ::unlink((path_ + '/' + segment_name(segment->number())).c_str());
    return published;
  }
  {
    const std::unique_lock changing(state_);
    if (segment) segments_.push_back(std::move(segment));
    known_.sorted();
    flush_at_ = options_.flush_bytes;
  }
  return merge_tiers();
}

Status StoredCollection::merge_tiers() {
  while (const std::size_t count = due(segments_)) {
    TWINSIFT_TRY([[maybe_unused]] auto merged, merge_last(count));
  }
  return ok();
}

Status StoredCollection::merge_last(std::size_t count) {
  const auto first = segments_.size() - count;
  std::vector<const Segment*> old;
  for (std::size_t i = first; i < segments_.size(); ++i) old.push_back(segments_[i].get());
  Manifest manifest = with_sizes();
  const SegmentPlace place{.folder = path_, .id = manifest.id, .number = manifest.next++};
  TWINSIFT_TRY(auto merged, join_segments(place, old, first == 0, shelves_));
  std::vector<std::string> leftovers;
  for (const Segment* segment : old) {
    leftovers.push_back(path_ + '/' + segment_name(segment->number()));
  }
  manifest.segments.resize(first);
  manifest.segments.push_back(
      {.number = place.number, .first = merged->first_sequence(), .last = merged->last_sequence()});
  if (const Status published = publish(std::move(manifest)); !published) {
    ::unlink((path_ + '/' + segment_name(place.number)).c_str());
    return published;
  }
  {
    const std::unique_lock changing(state_);
    segments_.resize(first);
    segments_.push_back(std::move(merged));
  }
  for (const std::string& path : leftovers) ::unlink(path.c_str());
  return ok();
}

}  // namespace twinsift
