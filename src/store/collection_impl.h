// SPDX-License-Identifier: Apache-2.0
// The one implementation of Collection, in several files:
//   collection_open.cc     opening, replaying, creating, closing
//   collection_lookup.cc   looking up
//   collection_search.cc   what resembles a set
//   collection_signature.cc  what resembles a signature
//   collection_write.cc    putting records
//   collection_flush.cc    sorting them into segments, merging segments
//   collection_compact.cc  leaving out what no longer holds
//
// Two locks.  `writing_` is held by whoever appends, flushes or compacts, from beginning to end;
// `state_` only while what readers look at is changed.  Long work of the writer (sketching,
// sorting, syncing) is thus done beside readers.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/fair_mutex.h"
#include "store/collection.h"
#include "store/data_file.h"
#include "store/data_writer.h"
#include "store/lock.h"
#include "store/manifest.h"
#include "store/newest.h"
#include "store/record_state.h"
#include "store/segment_build.h"

namespace twinsift {

class StoredCollection final : public Collection {
  struct Key {};  // only open() may make one

 public:
  StoredCollection(Key, std::string path, const CollectionOptions& options)
      : path_(std::move(path)), options_(options) {}
  static Result<std::unique_ptr<StoredCollection>> open(const std::string& path,
                                                        const CollectionOptions& options);
  StoredCollection(const StoredCollection&) = delete;
  StoredCollection& operator=(const StoredCollection&) = delete;
  ~StoredCollection() override;

  [[nodiscard]] std::optional<DetectorId> detector(std::string_view spec) const override;
  [[nodiscard]] Result<std::optional<FileRecord>> file(const ItemKey& key) const override;
  Status files_below(std::string_view folder,
                     const std::function<Status(const FileView&)>& take) const override;
  Status files_with(const Digest& digest,
                    const std::function<Status(const FileView&)>& take) const override;
  [[nodiscard]] Result<std::optional<ContentRecord>> content(DetectorId detector,
                                                             const Digest& digest) const override;
  Status contents_of(DetectorId detector,
                     const std::function<Status(const ContentRecord&)>& take) const override;
  [[nodiscard]] Result<std::optional<ContentState>> content_state(
      DetectorId detector, const Digest& digest) const override;
  [[nodiscard]] VerdictKind verdict(const Digest& a, const Digest& b) const override;
  [[nodiscard]] std::vector<VerdictRecord> verdicts() const override;
  [[nodiscard]] std::optional<RemovedRecord> removed(const Digest& digest) const override;
  [[nodiscard]] Result<std::optional<std::string>> result(const Digest& key) const override;
  Result<std::vector<Neighbour>> search(SetView set, const SearchOptions& options,
                                        SearchStats& stats) const override;
  [[nodiscard]] Result<std::string> signature(SetView set, DetectorId detector) const override;
  Result<std::vector<Neighbour>> search_signature(std::string_view signature,
                                                  const SearchOptions& options,
                                                  SearchStats& stats) const override;
  [[nodiscard]] Result<CollectionStat> stat() const override;

  Result<DetectorId> add_detector(std::string_view spec) override;
  Status put(const FileRecord& file) override { return put({}, std::span(&file, 1)); }
  Status put(const ContentRecord& content) override { return put(std::span(&content, 1), {}); }
  Status put(std::span<const ContentRecord> contents, std::span<const FileRecord> files) override;
  Status put(const VerdictRecord& verdict) override;
  Status put(const RemovedRecord& removed) override;
  Status put_result(const Digest& key, std::string_view bytes) override;
  Status sync() override;
  Status flush() override;
  Status compact() override;

  // For verify_collection().  Requires: nobody writes meanwhile.
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const Manifest& manifest() const { return manifest_; }
  [[nodiscard]] const SegmentList& segments() const { return segments_; }
  [[nodiscard]] const RecordState& known() const { return known_; }
  [[nodiscard]] const DataFile* data_file(std::uint64_t number) const;

 private:
  // -- collection_open.cc --
  Status load(const Manifest& manifest);
  Status open_data_files();
  Status open_segments();
  Status open_shelves(const Segment& segment);
  Status replay_unsorted();
  Status take_over();  // what a writer does first
  Status begin_new();  // an empty collection
  void remove_leftovers() const;

  // -- collection_lookup.cc --
  Result<ContentRecord> read_content(DetectorId detector, const ContentPlace& place) const;
  struct SomeFiles {
    std::vector<char> paths;  // one memory for all; no string, whose move could move its bytes
    std::vector<FileView> files;
  };
  Result<SomeFiles> some_files(const ItemKey& from, std::string_view prefix,
                               std::size_t most) const;
  Result<std::vector<FileRecord>> all_files_with(const Digest& digest) const;

  // -- collection_search.cc --
  void search_memory(SetView set, const SearchOptions& options, SearchStats& stats,
                     std::vector<Neighbour>& found) const;
  Status search_rows(SetView set, const SearchOptions& options, SearchStats& stats,
                     std::vector<Neighbour>& found) const;
  Status search_all(SetView set, const SearchOptions& options, SearchStats& stats,
                    std::vector<Neighbour>& found) const;
  Status compare(SetView set, const SearchOptions& options, const ContentPlace& place,
                 std::vector<Neighbour>& found) const;
  [[nodiscard]] Result<bool> is_newest(DetectorId detector, const ContentPlace& place) const;

  // -- collection_signature.cc --
  Result<std::vector<Neighbour>> estimate_all(const Shelf& shelf, const Signature& query,
                                              const SearchOptions& options,
                                              SearchStats& stats) const;

  // -- collection_write.cc; these require `writing_` --
  struct Place {
    std::uint64_t data_file = 0;
    std::uint64_t offset = 0;
    std::uint64_t sequence = 0;
  };
  Result<std::vector<Place>> append(std::span<const RecordBytes> records);
  Result<Place> append(const RecordBytes& record);
  Result<MemoryContent> written_content(const Place& place) const;
  Status start_data_file();
  Status sync_locked();
  Status publish(Manifest manifest);
  [[nodiscard]] Manifest with_sizes() const;
  void flush_if_full();

  // -- collection_flush.cc; these require `writing_` --
  Status flush_locked();
  Status merge_tiers();
  Status merge_last(std::size_t count);
  Status make_shelves();

  // -- collection_compact.cc --
  Result<bool> still_holds(const StoredRecord& record, std::uint64_t data_file) const;
  Status adopt(const Manifest& before, const Manifest& after);

  std::string path_;
  CollectionOptions options_;
  std::optional<WriteLock> lock_;
  std::mutex writing_;
  mutable FairMutex state_;

  Manifest manifest_;
  std::vector<std::unique_ptr<DataFile>> data_;  // also those that no longer count: views
  SegmentList segments_;
  RecordState known_;
  ShelfMap shelves_;

  std::optional<DataWriter> writer_;  // of the last data file
  std::uint64_t flush_at_ = 0;        // when there are so many unsorted bytes
};

// How far a data file may grow: the last record may begin just before the limit.
std::uint64_t data_file_capacity(const CollectionOptions& options);

// Damage is told with what to do about it.
Error with_advice(const std::string& collection, Error error);

}  // namespace twinsift
