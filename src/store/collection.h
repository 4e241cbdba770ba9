// SPDX-License-Identifier: Apache-2.0
// A collection: what twinsift remembers between runs.
//
// Writing appends records to a data file; a record is safe against kill -9 once its call has
// returned, and against a power cut once sync() has.  Now and then the newest records are sorted
// into a segment, and segments are merged, so that looking things up stays quick.  Records that no
// segment covers yet are replayed when the collection is opened, and kept in memory.
//
// One process writes, any number read beside it: a reader sees the collection as it was when it was
// opened.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/record.h"
#include "store/search.h"
#include "store/segment.h"
#include "twinsift/result.h"

namespace twinsift {

struct CollectionOptions {
  enum class Mode : std::uint8_t { kRead, kWrite, kCreate };  // kCreate: write; make it if need be
  Mode mode = Mode::kRead;
  std::string sketch{};                                  // of new shelves; empty: the default
  std::uint64_t flush_bytes = std::uint64_t{64} << 20U;  // of records before a segment is written
  std::uint64_t data_file_bytes = std::uint64_t{1} << 30U;
};

struct CollectionStat {
  std::uint64_t files = 0;     // not dropped
  std::uint64_t contents = 0;  // with features, over all detectors
  std::uint64_t failures = 0;
  std::uint64_t verdicts = 0;
  std::uint64_t removed = 0;
  std::uint64_t data_bytes = 0;
  std::uint64_t segment_bytes = 0;
  std::uint64_t dead_bytes = 0;  // of records that no longer hold
  std::uint64_t segments = 0;
  std::uint64_t unsorted = 0;        // records that no segment covers
  std::uint64_t largest_bucket = 0;  // rows of a segment that have one key of a table
  std::vector<std::pair<std::string, std::uint64_t>> detectors;  // spec, contents
};

// One content that resembles what was asked for.
struct Neighbour {
  Digest digest;
  double score = 0;  // exact, unless it has a standard error
  double std_error = 0;
};

struct SearchOptions {
  DetectorId detector = 0;
  double threshold = 0.8;
  double recall = 0.99;
  std::size_t limit = 0;  // best so many; 0: all
};

// Const members may be called from many threads; so may the put functions.  Damage is kCorrupt with
// a sentence that says what to do.
class Collection {
 public:
  // kCorrupt; kUnsupported: too new, by name, or no collection; kIo: locked by a live process, no
  // room, read-only.  Each sentence begins with the path and says what to do.
  static Result<std::unique_ptr<Collection>> open(const std::string& path,
                                                  const CollectionOptions& options);
  virtual ~Collection() = default;

  // -- looking up --
  [[nodiscard]] virtual std::optional<DetectorId> detector(std::string_view spec) const = 0;
  [[nodiscard]] virtual Result<std::optional<FileRecord>> file(const ItemKey& key) const = 0;
  // Files whose path is `folder` or below it, ascending by (path, part, volume); dropped ones are
  // left out.  The view is good until take() returns.
  virtual Status files_below(std::string_view folder,
                             const std::function<Status(const FileView&)>& take) const = 0;
  virtual Status files_with(const Digest& digest,
                            const std::function<Status(const FileView&)>& take) const = 0;
  // Views are good as long as the collection.
  [[nodiscard]] virtual Result<std::optional<ContentRecord>> content(
      DetectorId detector, const Digest& digest) const = 0;
  // As content() would say it, without reading the content: nothing if it is unknown.
  [[nodiscard]] virtual Result<std::optional<ContentState>> content_state(
      DetectorId detector, const Digest& digest) const = 0;
  // Contents of a detector that have features, ascending by digest; views as those of content().
  // Requires: take() does not use the collection.
  virtual Status contents_of(DetectorId detector,
                             const std::function<Status(const ContentRecord&)>& take) const = 0;
  [[nodiscard]] virtual VerdictKind verdict(const Digest& a, const Digest& b) const = 0;
  // All that hold, ascending.
  [[nodiscard]] virtual std::vector<VerdictRecord> verdicts() const = 0;
  [[nodiscard]] virtual std::optional<RemovedRecord> removed(const Digest& digest) const = 0;
  [[nodiscard]] virtual Result<std::optional<std::string>> result(const Digest& key) const = 0;

  // Contents at or above the threshold, best first, then by digest.  Requires: a canonical set.
  virtual Result<std::vector<Neighbour>> search(SetView set, const SearchOptions& options,
                                                SearchStats& stats) const = 0;
  // What others need to ask for this set without having it; empty if that cannot be done.
  [[nodiscard]] virtual Result<std::string> signature(SetView set, DetectorId detector) const = 0;
  // The same for a signature, which names its detector; scores are estimates.
  virtual Result<std::vector<Neighbour>> search_signature(std::string_view signature,
                                                          const SearchOptions& options,
                                                          SearchStats& stats) const = 0;
  [[nodiscard]] virtual Result<CollectionStat> stat() const = 0;

  // -- writing --
  virtual Result<DetectorId> add_detector(std::string_view spec) = 0;
  virtual Status put(const FileRecord& file) = 0;
  virtual Status put(const ContentRecord& content) = 0;
  // All or none, with one lock and one system call; at most 1 GiB.
  virtual Status put(std::span<const ContentRecord> contents,
                     std::span<const FileRecord> files) = 0;
  virtual Status put(const VerdictRecord& verdict) = 0;
  virtual Status put(const RemovedRecord& removed) = 0;
  virtual Status put_result(const Digest& key, std::string_view bytes) = 0;
  // Everything put so far is on the disk.
  virtual Status sync() = 0;
  // Sorts what is unsorted into a segment, merges segments where that pays, and syncs.
  virtual Status flush() = 0;
  // One segment; records that no longer hold are left out, and so are contents that no file has,
  // unless they are remembered as removed.  The only time that a new CollectionOptions::sketch
  // takes effect on old contents.
  virtual Status compact() = 0;
};

// Every CRC, every order, every reference; the list of what is wrong, empty if nothing.
Result<std::vector<std::string>> verify_collection(const std::string& path);

// Makes manifest and segments again from whatever records are good; the list of what was lost.
Result<std::vector<std::string>> repair_collection(const std::string& path);

}  // namespace twinsift
