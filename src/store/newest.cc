// SPDX-License-Identifier: Apache-2.0
#include "store/newest.h"

#include <tuple>

namespace twinsift {
namespace {

auto order(const FileView& file) { return std::tuple(file.path, file.part, file.volume); }
auto order(const ItemKey& key) {
  return std::tuple(std::string_view(key.path), key.part, key.volume);
}

}  // namespace

Result<std::uint64_t> lower_bound(const Segment& segment, const ItemKey& key) {
  std::uint64_t begin = 0;
  std::uint64_t end = segment.files();
  while (begin < end) {
    const std::uint64_t middle = begin + (end - begin) / 2;
    TWINSIFT_TRY(const FileView file, segment.file(middle));
    if (order(file) < order(key)) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

Result<std::optional<FileRecord>> newest_file(const SegmentList& segments, const MemoryPart& memory,
                                              const ItemKey& key, std::uint64_t& sequence) {
  if (const auto it = memory.files().find(key); it != memory.files().end()) {
    sequence = it->second.sequence;
    return std::optional(it->second.record);
  }
  for (auto it = segments.rbegin(); it != segments.rend(); ++it) {
    const Segment& segment = **it;
    TWINSIFT_TRY(const std::uint64_t place, lower_bound(segment, key));
    if (place == segment.files()) continue;
    TWINSIFT_TRY(const FileView file, segment.file(place));
    if (order(file) != order(key)) continue;
    sequence = file.sequence;
    return std::optional(record_of(file));
  }
  return std::optional<FileRecord>();
}

Result<std::optional<ContentPlace>> newest_content(const SegmentList& segments,
                                                   const MemoryPart& memory, DetectorId detector,
                                                   const Digest& digest) {
  const auto& unsorted = memory.contents();
  if (const auto it = unsorted.find({detector, digest}); it != unsorted.end()) {
    return std::optional(it->second.place);
  }
  for (auto it = segments.rbegin(); it != segments.rend(); ++it) {
    TWINSIFT_TRY(auto place, (*it)->content(detector, digest));
    if (place) return place;
  }
  return std::optional<ContentPlace>();
}

Result<NewestFiles> NewestFiles::from(const SegmentList& segments, const MemoryPart& memory,
                                      const ItemKey& key) {
  NewestFiles files(memory);
  files.at_ = memory.files().lower_bound(key);
  for (const auto& segment : segments) {
    Cursor cursor{.segment = segment.get()};
    TWINSIFT_TRY(cursor.place, lower_bound(*segment, key));
    TWINSIFT_TRY(const bool more, files.load(cursor));
    if (more) files.cursors_.push_back(cursor);
  }
  return files;
}

Result<bool> NewestFiles::load(Cursor& cursor) const {
  if (cursor.place >= cursor.segment->files()) return false;
  TWINSIFT_TRY(cursor.view, cursor.segment->file(cursor.place));
  return true;
}

Result<std::optional<FileView>> NewestFiles::next() {
  std::optional<FileView> least;  // of equal ones the last, which is the newest
  for (const Cursor& cursor : cursors_) {
    if (!least || order(cursor.view) <= order(*least)) least = cursor.view;
  }
  if (at_ != memory_->files().end()) {
    const FileView view = view_of(at_->second.record, at_->second.sequence);
    if (!least || order(view) <= order(*least)) least = view;
  }
  if (!least) return least;
  if (at_ != memory_->files().end() && order(at_->first) == order(*least)) ++at_;
  for (auto cursor = cursors_.begin(); cursor != cursors_.end();) {
    bool more = true;
    if (order(cursor->view) == order(*least)) {
      ++cursor->place;
      TWINSIFT_TRY(more, load(*cursor));
    }
    cursor = more ? cursor + 1 : cursors_.erase(cursor);
  }
  return least;
}

Result<NewestContents> NewestContents::of(const SegmentList& segments, const MemoryPart& memory,
                                          DetectorId detector) {
  NewestContents contents(memory, detector);
  contents.at_ = memory.contents().lower_bound({detector, Digest{}});
  for (const auto& segment : segments) {
    Cursor cursor{.segment = segment.get()};
    TWINSIFT_TRY(const bool more, contents.load(cursor));
    if (more) contents.cursors_.push_back(cursor);
  }
  return contents;
}

Result<bool> NewestContents::load(Cursor& cursor) const {
  if (cursor.place >= cursor.segment->contents(detector_)) return false;
  TWINSIFT_TRY(cursor.content, cursor.segment->content_at(detector_, cursor.place));
  return true;
}

Result<std::optional<ContentPlace>> NewestContents::next() {
  std::optional<ContentPlace> least;
  for (const Cursor& cursor : cursors_) {
    if (!least || cursor.content.digest <= least->digest) least = cursor.content;
  }
  const bool here = at_ != memory_->contents().end() && at_->first.first == detector_;
  if (here && (!least || at_->first.second <= least->digest)) least = at_->second.place;
  if (!least) return least;
  if (here && at_->first.second == least->digest) ++at_;
  for (auto cursor = cursors_.begin(); cursor != cursors_.end();) {
    bool more = true;
    if (cursor->content.digest == least->digest) {
      ++cursor->place;
      TWINSIFT_TRY(more, load(*cursor));
    }
    cursor = more ? cursor + 1 : cursors_.erase(cursor);
  }
  return least;
}

}  // namespace twinsift
