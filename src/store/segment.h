// SPDX-License-Identifier: Apache-2.0
// A segment: what some records say, sorted for looking things up, in one immutable mapped file.
//
// Every 64 KiB block has a CRC that is checked when the block is first touched, so opening costs
// nothing and no flipped byte is ever believed.  docs/FORMAT.md has the bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/file_header.h"
#include "store/record.h"
#include "twinsift/result.h"

namespace twinsift {

// A file as a segment has it; the path is valid as long as the segment.
struct FileView {
  std::string_view path;
  std::uint64_t part = 0;
  std::uint64_t volume = 0;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t size = 0;
  std::int64_t mtime_ns = 0;
  std::int64_t ctime_ns = 0;
  std::int64_t seen_ns = 0;
  std::optional<Digest> digest{};
  bool recognised = true;
  bool dropped = false;
  std::uint64_t sequence = 0;  // of its record
};

// Where the record of a content is.
struct ContentPlace {
  Digest digest;
  std::uint64_t data_file = 0;
  std::uint64_t offset = 0;
  std::uint32_t features = 0;
  ContentState state = ContentState::kNothing;
  std::uint32_t row = kNoRow;  // of its sketch
  static constexpr std::uint32_t kNoRow = UINT32_MAX;
};

// How the contents of one detector are sketched and indexed.
struct ShelfSpec {
  DetectorId detector = 0;
  std::string sketch;                // "fss1:k=512,seed=1"
  std::string index;                 // "banding1:b=26,r=8"
  std::vector<std::uint32_t> looks;  // widths of the planes, as SketchTable has them
  friend bool operator==(const ShelfSpec&, const ShelfSpec&) = default;
};

// Immutable; threads may share one.  Every call may find damage: kCorrupt, with the name of the
// file and of the section.
class Segment {
 public:
  // Checks header, table and sizes, nothing more.  kUnsupported names what a newer version wrote.
  static Result<std::unique_ptr<Segment>> open(const std::string& path, const CollectionId& id,
                                               std::uint64_t number);
  virtual ~Segment() = default;

  [[nodiscard]] virtual std::uint64_t number() const = 0;
  [[nodiscard]] virtual std::uint64_t first_sequence() const = 0;
  [[nodiscard]] virtual std::uint64_t last_sequence() const = 0;
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;

  // Files, ascending by (path, part, volume), by their places 0 .. files() - 1.
  [[nodiscard]] virtual std::uint64_t files() const = 0;
  [[nodiscard]] virtual Result<FileView> file(std::uint64_t place) const = 0;
  // The first place whose path is not below `path`.
  [[nodiscard]] virtual Result<std::uint64_t> first_file(std::string_view path) const = 0;
  // Calls take() for every file with this digest.
  virtual Status files_with(const Digest& digest,
                            const std::function<Status(const FileView&)>& take) const = 0;

  [[nodiscard]] virtual std::span<const ShelfSpec> shelves() const = 0;
  [[nodiscard]] virtual std::uint64_t contents(DetectorId detector) const = 0;
  [[nodiscard]] virtual Result<ContentPlace> content_at(DetectorId detector,
                                                        std::uint64_t place) const = 0;
  [[nodiscard]] virtual Result<std::optional<ContentPlace>> content(DetectorId detector,
                                                                    const Digest& digest) const = 0;

  // Rows of a shelf: their contents, codes and buckets.
  [[nodiscard]] virtual std::uint32_t rows(DetectorId detector) const = 0;
  [[nodiscard]] virtual Result<ContentPlace> content_of_row(DetectorId detector,
                                                            std::uint32_t row) const = 0;
  // The codes of a row in one plane; checked.
  [[nodiscard]] virtual Result<std::span<const std::uint8_t>> codes(DetectorId detector,
                                                                    std::size_t plane,
                                                                    std::uint32_t row) const = 0;
  // All codes of a plane, for a scan; checked as a whole.
  [[nodiscard]] virtual Result<std::span<const std::uint8_t>> plane(DetectorId detector,
                                                                    std::size_t plane) const = 0;
  // Rows whose key in this table is `key`, ascending.
  [[nodiscard]] virtual Result<std::span<const std::uint32_t>> bucket(DetectorId detector,
                                                                      std::uint32_t table,
                                                                      std::uint32_t key) const = 0;

  virtual Status verdicts(const std::function<Status(const VerdictRecord&)>& take) const = 0;
  virtual Status removed(const std::function<Status(const RemovedRecord&)>& take) const = 0;

  // Checks every block, the order of every section and every place that one section has of another.
  virtual Status verify() const = 0;
};

// Writes a segment under a temporary name; finish() syncs and renames it.  Things must come in the
// order of their sections; the sizes need not be known before.
class SegmentWriter {
 public:
  struct Options {
    std::string path;
    CollectionId id{};
    std::uint64_t number = 0;
    std::uint64_t first_sequence = 0;
    std::uint64_t last_sequence = 0;
    std::vector<ShelfSpec> shelves;
    std::uint64_t memory = std::uint64_t{256} << 20U;  // for what must be sorted
    std::string temp_dir;
  };
  static Result<std::unique_ptr<SegmentWriter>> create(const Options& options);
  virtual ~SegmentWriter() = default;

  virtual Status add_file(const FileView& file) = 0;  // ascending by (path, part, volume)
  // Ascending by (detector, digest).  Codes and keys of all tables if it gets a row, else empty.
  virtual Status add_content(DetectorId detector, const ContentPlace& place,
                             std::span<const std::uint8_t> codes,
                             std::span<const std::uint32_t> keys) = 0;
  virtual Status add_verdict(const VerdictRecord& verdict) = 0;
  virtual Status add_removed(const RemovedRecord& removed) = 0;
  virtual Status finish() = 0;
};

}  // namespace twinsift
