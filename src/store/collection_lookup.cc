// SPDX-License-Identifier: Apache-2.0
// Looking up.
#include <algorithm>
#include <mutex>

#include <fmt/format.h>

#include "store/collection_impl.h"
#include "store/record_bits.h"

namespace twinsift {

std::optional<DetectorId> StoredCollection::detector(std::string_view spec) const {
  const std::shared_lock reading(state_);
  for (const auto& [id, known] : known_.detectors) {
    if (known == spec) return id;
  }
  return std::nullopt;
}

Result<std::optional<FileRecord>> StoredCollection::file(const ItemKey& key) const {
  const std::shared_lock reading(state_);
  std::uint64_t sequence = 0;
  auto found = newest_file(segments_, known_.unsorted, key, sequence);
  if (!found) return with_advice(path_, found.error());
  if (*found && (*found)->dropped) return std::optional<FileRecord>();
  return found;
}

// Some at a time, so that no lock is held while the caller does what it likes, even put().
Status StoredCollection::files_below(std::string_view folder,
                                     const std::function<Status(const FileView&)>& take) const {
  constexpr std::size_t kAtOnce = 1024;
  while (folder.size() > 1 && folder.ends_with('/')) folder.remove_suffix(1);
  const bool all = folder.empty() || folder == "/";
  const std::string inside = all ? std::string(folder) : std::string(folder) + '/';
  // "a.b" and "a-b" stand between "a" and "a/b": hence twice.
  for (const bool itself : {true, false}) {
    if (itself && all) continue;
    ItemKey from{.path = itself ? std::string(folder) : inside};
    while (true) {
      TWINSIFT_TRY(const SomeFiles some, some_files(from, itself ? folder : inside, kAtOnce));
      for (const FileView& file : some.files) {
        if (itself && file.path != folder) break;
        if (file.dropped) continue;
        TWINSIFT_TRY([[maybe_unused]] auto taken, take(file));
      }
      if (some.files.size() < kAtOnce || (itself && some.files.back().path != folder)) break;
      from = key_of(some.files.back());
      if (++from.volume == 0 && ++from.part == 0) from.path += '\0';
    }
  }
  return ok();
}

// The next files, dropped ones, too, whose paths begin so.
Result<StoredCollection::SomeFiles> StoredCollection::some_files(const ItemKey& from,
                                                                 std::string_view prefix,
                                                                 std::size_t most) const {
  const std::shared_lock reading(state_);
  SomeFiles some;
  auto all = NewestFiles::from(segments_, known_.unsorted, from);
  if (!all) return with_advice(path_, all.error());
  while (some.files.size() < most) {
    const auto file = all->next();
    if (!file) return with_advice(path_, file.error());
    if (!*file || !(*file)->path.starts_with(prefix)) break;
    some.files.push_back(**file);
    some.paths.insert(some.paths.end(), (*file)->path.begin(), (*file)->path.end());
  }
  const char* at = some.paths.data();
  for (FileView& file : some.files) {
    file.path = {at, file.path.size()};
    at += file.path.size();
  }
  return some;
}

Status StoredCollection::files_with(const Digest& digest,
                                    const std::function<Status(const FileView&)>& take) const {
  auto files = all_files_with(digest);
  if (!files) return with_advice(path_, files.error());
  for (const FileRecord& file : *files) {
    TWINSIFT_TRY([[maybe_unused]] auto taken, take(view_of(file, 0)));
  }
  return ok();
}

// A segment may know files that a newer part of the collection knows better.
Result<std::vector<FileRecord>> StoredCollection::all_files_with(const Digest& digest) const {
  const std::shared_lock reading(state_);
  std::vector<FileRecord> files;
  const auto [begin, end] = known_.unsorted.by_digest().equal_range(digest);
  for (auto it = begin; it != end; ++it)
    files.push_back(known_.unsorted.files().at(*it->second).record);
  for (const auto& segment : segments_) {
    TWINSIFT_TRY([[maybe_unused]] auto done, segment->files_with(digest, [&](const FileView& file) {
      std::uint64_t sequence = 0;
      const auto newest = newest_file(segments_, known_.unsorted, key_of(file), sequence);
      if (!newest) return Status(newest.error());
      if (*newest && sequence == file.sequence && !(*newest)->dropped) files.push_back(**newest);
      return ok();
    }));
  }
  std::ranges::sort(files, {}, &FileRecord::key);
  return files;
}

Result<std::optional<ContentRecord>> StoredCollection::content(DetectorId detector,
                                                               const Digest& digest) const {
  const std::shared_lock reading(state_);
  const auto place = newest_content(segments_, known_.unsorted, detector, digest);
  if (!place) return with_advice(path_, place.error());
  if (!*place || (*place)->state == ContentState::kDropped) return std::optional<ContentRecord>();
  auto content = read_content(detector, **place);
  if (!content) return with_advice(path_, content.error());
  return std::optional(*std::move(content));
}

Result<std::optional<ContentState>> StoredCollection::content_state(DetectorId detector,
                                                                    const Digest& digest) const {
  const std::shared_lock reading(state_);
  const auto place = newest_content(segments_, known_.unsorted, detector, digest);
  if (!place) return with_advice(path_, place.error());
  if (!*place || (*place)->state == ContentState::kDropped) return std::optional<ContentState>();
  return std::optional((*place)->state);
}

Status StoredCollection::contents_of(
    DetectorId detector, const std::function<Status(const ContentRecord&)>& take) const {
  const std::shared_lock reading(state_);
  auto contents = NewestContents::of(segments_, known_.unsorted, detector);
  if (!contents) return with_advice(path_, contents.error());
  while (true) {
    const auto place = contents->next();
    if (!place) return with_advice(path_, place.error());
    if (!*place) return ok();
    if ((*place)->state != ContentState::kFeatures) continue;
    const auto content = read_content(detector, **place);
    if (!content) return with_advice(path_, content.error());
    TWINSIFT_TRY([[maybe_unused]] auto taken, take(*content));
  }
}

// Requires: state_ is held.
Result<ContentRecord> StoredCollection::read_content(DetectorId detector,
                                                     const ContentPlace& place) const {
  const DataFile* file = data_file(place.data_file);
  if (file == nullptr) {
    return Error{ErrorCode::kCorrupt, fmt::format("{}: a content is in {}, which is missing", path_,
                                                  data_file_name(place.data_file))};
  }
  TWINSIFT_TRY(const StoredRecord record, file->read(place.offset));
  if (record.type() != RecordType::kContent) {
    return file->damaged(place.offset, "this is not the content that was looked for");
  }
  TWINSIFT_TRY(ContentRecord content, decode_content_record(record.payload));
  if (content.digest != place.digest || content.detector != detector ||
      content.state != place.state || content.features.ids.size() != place.features) {
    return file->damaged(place.offset, "this is not the content that was looked for");
  }
  return content;
}

std::vector<VerdictRecord> StoredCollection::verdicts() const {
  const std::shared_lock reading(state_);
  std::vector<VerdictRecord> all;
  for (const auto& [pair, verdict] : known_.verdicts) {
    if (verdict.verdict != VerdictKind::kNone) all.push_back(verdict);
  }
  return all;
}

VerdictKind StoredCollection::verdict(const Digest& a, const Digest& b) const {
  const std::shared_lock reading(state_);
  const auto it = known_.verdicts.find(std::minmax(a, b));
  return it == known_.verdicts.end() ? VerdictKind::kNone : it->second.verdict;
}

std::optional<RemovedRecord> StoredCollection::removed(const Digest& digest) const {
  const std::shared_lock reading(state_);
  const auto it = known_.removed.find(digest);
  if (it == known_.removed.end() || it->second.forget) return std::nullopt;
  return it->second;
}

Result<std::optional<std::string>> StoredCollection::result(const Digest& key) const {
  const std::shared_lock reading(state_);
  const auto it = std::ranges::find(known_.results, key, &Manifest::StoredResult::key);
  if (it == known_.results.end()) return std::optional<std::string>();
  const DataFile* file = data_file(it->number);
  if (file == nullptr) return Error{ErrorCode::kCorrupt, path_ + ": a data file is missing"};
  const auto record = file->read(it->offset);
  if (!record) return with_advice(path_, record.error());
  const auto found = record->type() == RecordType::kResult ? decode_result_record(record->payload)
                                                           : file->damaged(it->offset, "no result");
  if (!found) return with_advice(path_, found.error());
  if (found->key != key) return with_advice(path_, file->damaged(it->offset, "another result"));
  return std::optional(std::string(found->bytes));
}

namespace {

Status look_for_largest_bucket(const Segment& segment, std::uint64_t& largest) {
  for (const ShelfSpec& shelf : segment.shelves()) {
    for (std::uint32_t t = 0; t < segment.tables(shelf.detector); ++t) {
      TWINSIFT_TRY(const Segment::Table table, segment.table(shelf.detector, t));
      for (auto begin = table.keys.begin(); begin != table.keys.end();) {
        const auto end =
            std::find_if(begin, table.keys.end(), [&](std::uint32_t key) { return key != *begin; });
        largest = std::max(largest, static_cast<std::uint64_t>(end - begin));
        begin = end;
      }
    }
  }
  return ok();
}

}  // namespace

Result<CollectionStat> StoredCollection::stat() const {
  const std::shared_lock reading(state_);
  CollectionStat stat;
  std::uint64_t live = 0;  // bytes of records that hold
  TWINSIFT_TRY(auto files, NewestFiles::from(segments_, known_.unsorted, {}));
  while (true) {
    TWINSIFT_TRY(const auto file, files.next());
    if (!file) break;
    if (file->dropped) continue;
    ++stat.files;
    live += kFrameBytes + padded(kFileRecordBytes + file->path.size());
  }
  for (const auto& [id, spec] : known_.detectors) {
    std::uint64_t count = 0;
    TWINSIFT_TRY(auto contents, NewestContents::of(segments_, known_.unsorted, id));
    while (true) {
      TWINSIFT_TRY(const auto content, contents.next());
      if (!content) break;
      if (content->state == ContentState::kDropped) continue;
      ++count;
      if (content->state == ContentState::kFeatures) ++stat.contents;
      if (content->state == ContentState::kFailed) ++stat.failures;
      live += kFrameBytes + padded(content->bytes);
    }
    stat.detectors.emplace_back(spec, count);
  }
  for (const auto& [pair, verdict] : known_.verdicts) {
    if (verdict.verdict != VerdictKind::kNone) ++stat.verdicts;
  }
  for (const auto& [digest, removed] : known_.removed) {
    if (!removed.forget) ++stat.removed;
  }
  for (const auto& line : manifest_.data) {
    const std::uint64_t bytes = data_file(line.number)->size();
    stat.data_bytes += bytes;
    if (bytes > kFileHeaderBytes) stat.dead_bytes += bytes - kFileHeaderBytes;
  }
  stat.dead_bytes -= std::min(stat.dead_bytes, live);
  for (const auto& segment : segments_) {
    stat.segment_bytes += segment->bytes();
    TWINSIFT_TRY([[maybe_unused]] auto looked,
                 look_for_largest_bucket(*segment, stat.largest_bucket));
  }
  stat.segments = segments_.size();
  stat.unsorted = known_.unsorted_records;
  return stat;
}

}  // namespace twinsift
