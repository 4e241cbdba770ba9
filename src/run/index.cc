// SPDX-License-Identifier: Apache-2.0
// What is done to a collection as a whole.
#include <chrono>

#include <fmt/format.h>

#include "ingest/file_system.h"
#include "run/find.h"
#include "run/known_files.h"
#include "run/open_item.h"
#include "store/collection.h"
#include "twinsift/store.h"

namespace twinsift {
namespace {

using Mode = CollectionOptions::Mode;

Result<Digest> digest_of_file(const std::string& path) {
  TWINSIFT_TRY(OpenItem item, OpenItem::open(path, {}));
  return item.digest();
}

Result<VerdictKind> parse_verdict(std::string_view word) {
  if (word == "none") return VerdictKind::kNone;
  if (word == "not-duplicate") return VerdictKind::kNotDuplicate;
  if (word == "related") return VerdictKind::kRelated;
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("'{}' is no verdict: say not-duplicate, related or none", word)};
}

}  // namespace

Result<IndexSummary> index_files(const std::vector<std::string>& paths,
                                 const IndexOptions& options) {
  FindOptions find;
  find.match = options.match;
  find.walk = options.walk;
  find.collection = options.collection;
  find.collection_sketch = options.sketch;
  find.retry_failed = options.retry_failed;
  find.callbacks = options.callbacks;
  TWINSIFT_TRY(auto run, FindRun::make(paths, find));
  TWINSIFT_TRY([[maybe_unused]] auto needed, run->require_writable());
  TWINSIFT_TRY([[maybe_unused]] auto walked, run->walk_files());
  TWINSIFT_TRY([[maybe_unused]] auto recalled, run->recall_files());
  TWINSIFT_TRY([[maybe_unused]] auto read, run->read_files());
  TWINSIFT_TRY([[maybe_unused]] auto again, run->read_again_if_needed());
  // Whatever is asked for later may equal any of them.
  TWINSIFT_TRY([[maybe_unused]] auto equal, run->compare_bytes(true));
  return run->index_summary();
}

Result<std::uint64_t> index_remove(const std::vector<std::string>& paths,
                                   const IndexOptions& options) {
  TWINSIFT_TRY(const auto collection, Collection::open(options.collection, {.mode = Mode::kWrite}));
  std::uint64_t removed = 0;
  for (const std::string& path : paths) {
    std::vector<ItemKey> keys;
    const auto take = [&](const FileView& file) -> Status {
      keys.push_back({std::string(file.path), file.part, file.volume});
      return ok();
    };
    TWINSIFT_TRY([[maybe_unused]] auto listed, collection->files_below(absolute_path(path), take));
    for (const ItemKey& key : keys) {
      TWINSIFT_TRY([[maybe_unused]] auto put,
                   collection->put(FileRecord{.key = key, .dropped = true}));
    }
    removed += keys.size();
  }
  TWINSIFT_TRY([[maybe_unused]] auto flushed, collection->flush());
  return removed;
}

Status set_verdict(const std::string& a, const std::string& b, std::string_view verdict,
                   const std::string& collection) {
  TWINSIFT_TRY(const VerdictKind kind, parse_verdict(verdict));
  TWINSIFT_TRY(Digest first, digest_of_file(a));
  TWINSIFT_TRY(Digest second, digest_of_file(b));
  if (first == second) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("{} and {} have the same bytes: they cannot be told apart", a, b)};
  }
  if (second < first) std::swap(first, second);
  TWINSIFT_TRY(const auto opened, Collection::open(collection, {.mode = Mode::kCreate}));
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  TWINSIFT_TRY([[maybe_unused]] auto put,
               opened->put(VerdictRecord{
                   .a = first,
                   .b = second,
                   .verdict = kind,
                   .when_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count()}));
  return opened->sync();
}

Result<IndexStat> index_stat(const std::string& collection) {
  TWINSIFT_TRY(const auto opened, Collection::open(collection, {.mode = Mode::kRead}));
  TWINSIFT_TRY(CollectionStat stat, opened->stat());
  return IndexStat{.files = stat.files,
                   .contents = stat.contents,
                   .failures = stat.failures,
                   .verdicts = stat.verdicts,
                   .removed = stat.removed,
                   .data_bytes = stat.data_bytes,
                   .segment_bytes = stat.segment_bytes,
                   .dead_bytes = stat.dead_bytes,
                   .segments = stat.segments,
                   .unsorted = stat.unsorted,
                   .largest_bucket = stat.largest_bucket,
                   .detectors = std::move(stat.detectors)};
}

Result<std::vector<std::string>> index_verify(const std::string& collection) {
  return verify_collection(collection);
}

Result<std::vector<std::string>> index_repair(const std::string& collection) {
  return repair_collection(collection);
}

Result<std::uint64_t> index_compact(const std::string& collection, const std::string& sketch) {
  TWINSIFT_TRY(const auto opened,
               Collection::open(collection, {.mode = Mode::kWrite, .sketch = sketch}));
  TWINSIFT_TRY(const CollectionStat before, opened->stat());
  TWINSIFT_TRY([[maybe_unused]] auto compacted, opened->compact());
  TWINSIFT_TRY(const CollectionStat after, opened->stat());
  const std::uint64_t old_bytes = before.data_bytes + before.segment_bytes;
  const std::uint64_t new_bytes = after.data_bytes + after.segment_bytes;
  return old_bytes > new_bytes ? old_bytes - new_bytes : 0;
}

}  // namespace twinsift
