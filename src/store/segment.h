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

#include "store/checked_file.h"
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
  std::uint32_t unrecognised_by = 0;
  bool dropped = false;
  std::uint64_t sequence = 0;  // of its record
  friend bool operator==(const FileView&, const FileView&) = default;
};

// Where the record of a content is.
struct ContentPlace {
  Digest digest;
  std::uint64_t data_file = 0;
  std::uint64_t offset = 0;
  std::uint32_t features = 0;
  ContentState state = ContentState::kNothing;
  std::uint32_t row = kNoRow;  // of its sketch
  std::uint32_t bytes = 0;     // of the record's payload
  static constexpr std::uint32_t kNoRow = UINT32_MAX;
  friend bool operator==(const ContentPlace&, const ContentPlace&) = default;
};

// How the contents of one detector are sketched and indexed.  Without a sketch there are no rows.
struct ShelfSpec {
  DetectorId detector = 0;
  std::string sketch;                // "fss1:k=512,seed=1"
  std::string index;                 // "banding1:b=26,r=8"
  std::vector<std::uint32_t> looks;  // where the planes end, as SketchTable has them
  friend bool operator==(const ShelfSpec&, const ShelfSpec&) = default;
};

// Immutable; threads may share one.  Every call may find damage: kCorrupt, with the name of the
// file and of the section.  Numbers in the file that would lead outside of it are damage, too.
class Segment {
  struct Key {};  // only open() may make one

 public:
  explicit Segment(Key) {}
  // Checks header, table and sizes, nothing more.  kUnsupported names what a newer version wrote.
  static Result<std::unique_ptr<Segment>> open(const std::string& path, const CollectionId& id,
                                               std::uint64_t number);

  [[nodiscard]] std::uint64_t number() const { return number_; }
  [[nodiscard]] std::uint64_t first_sequence() const { return first_sequence_; }
  [[nodiscard]] std::uint64_t last_sequence() const { return last_sequence_; }
  [[nodiscard]] std::uint64_t bytes() const { return file_->bytes(); }

  // Files, ascending by (path, part, volume), by their places 0 .. files() - 1.
  [[nodiscard]] std::uint64_t files() const;
  [[nodiscard]] Result<FileView> file(std::uint64_t place) const;
  // The first place whose path is not below `path`.
  [[nodiscard]] Result<std::uint64_t> first_file(std::string_view path) const;
  // Calls take() for every file with this digest that is not dropped.
  Status files_with(const Digest& digest, const std::function<Status(const FileView&)>& take) const;

  [[nodiscard]] std::span<const ShelfSpec> shelves() const { return specs_; }
  [[nodiscard]] const ShelfSpec* shelf(DetectorId detector) const;  // null if there is none
  [[nodiscard]] std::uint64_t contents(DetectorId detector) const;
  [[nodiscard]] Result<ContentPlace> content_at(DetectorId detector, std::uint64_t place) const;
  [[nodiscard]] Result<std::optional<ContentPlace>> content(DetectorId detector,
                                                            const Digest& digest) const;

  // Rows of a shelf: their contents, codes and buckets.
  [[nodiscard]] std::uint32_t rows(DetectorId detector) const;
  [[nodiscard]] Result<ContentPlace> content_of_row(DetectorId detector, std::uint32_t row) const;
  // The codes of `count` rows in one plane; checked.
  [[nodiscard]] Result<std::span<const std::uint8_t>> codes(DetectorId detector, std::size_t plane,
                                                            std::uint32_t row,
                                                            std::uint32_t count = 1) const;
  // The codes of a plane, of which only these rows are checked.
  [[nodiscard]] Result<const std::uint8_t*> plane_for(DetectorId detector, std::size_t plane,
                                                      std::span<const std::uint32_t> rows) const;
  // Rows whose key in this table is `key`, ascending.
  [[nodiscard]] Result<std::span<const std::uint32_t>> bucket(DetectorId detector,
                                                              std::uint32_t table,
                                                              std::uint32_t key) const;
  // A whole table: keys, ascending, and the row of each.  Unlike those of bucket(), the rows are
  // as the file has them.
  struct Table {
    std::span<const std::uint32_t> keys;
    std::span<const std::uint32_t> rows;
  };
  [[nodiscard]] std::uint32_t tables(DetectorId detector) const;
  [[nodiscard]] Result<Table> table(DetectorId detector, std::uint32_t table) const;

  Status verdicts(const std::function<Status(const VerdictRecord&)>& take) const;
  Status removed(const std::function<Status(const RemovedRecord&)>& take) const;

  // Checks every block, the order of every section and every place that one section has of another.
  [[nodiscard]] Status verify() const;

 private:
  // The sections of one detector.
  struct Parts {
    Section contents;
    Section rows;
    Section keys;
    std::vector<Section> planes;
    std::vector<std::uint32_t> widths;
    std::uint32_t row_count = 0;
    std::uint32_t table_count = 0;
  };

  Status read_info();
  Status open_shelf(const ShelfSpec& spec);
  [[nodiscard]] Status check_sizes() const;
  [[nodiscard]] const Parts& sections_of(DetectorId detector) const;
  [[nodiscard]] Result<std::span<const std::uint32_t>> words(const Section& section,
                                                             std::uint64_t first,
                                                             std::uint64_t count) const;
  [[nodiscard]] Result<std::string_view> path_at(std::uint64_t offset, std::uint32_t length) const;
  [[nodiscard]] Status verify_files() const;
  [[nodiscard]] Status verify_digests() const;
  [[nodiscard]] Status verify_contents(const ShelfSpec& spec) const;
  [[nodiscard]] Status verify_keys(const ShelfSpec& spec) const;
  [[nodiscard]] Status verify_lists() const;

  std::unique_ptr<CheckedFile> file_;
  std::uint64_t number_ = 0;
  std::uint64_t first_sequence_ = 0;
  std::uint64_t last_sequence_ = 0;
  Section files_;
  Section paths_;
  Section digests_;
  Section verdicts_;
  Section removed_;
  std::vector<ShelfSpec> specs_;
  std::vector<Parts> parts_;  // as specs_
};

}  // namespace twinsift
