// SPDX-License-Identifier: Apache-2.0
#include "store/merge.h"

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/spill.h"
#include "store/shelf.h"

namespace twinsift {
namespace {

// One segment's items in order; `head` is the next of them.
template <class Item>
struct Cursor {
  std::size_t segment = 0;
  std::uint64_t next = 0;
  std::uint64_t count = 0;
  std::optional<Item> head{};

  template <class Read>
  Status advance(Read read) {
    head.reset();
    if (next == count) return ok();
    TWINSIFT_TRY(head, read(segment, next++));
    return ok();
  }
};

// Calls take(segment, item) for the newest item of each key, ascending.  key(item) orders items;
// newer(a, b) tells whether a, of an older segment than b, still holds.
template <class Item, class Read, class Order, class Newer, class Take>
Status merge_cursors(std::vector<Cursor<Item>> cursors, Read read, Order key, Newer newer,
                     Take take) {
  for (Cursor<Item>& cursor : cursors) {
    TWINSIFT_TRY([[maybe_unused]] auto begun, cursor.advance(read));
  }
  while (true) {
    const Cursor<Item>* least = nullptr;
    for (const Cursor<Item>& cursor : cursors) {
      if (!cursor.head) continue;
      if (least == nullptr || key(*cursor.head) < key(*least->head) ||
          (key(*cursor.head) == key(*least->head) && !newer(*least->head, *cursor.head))) {
        least = &cursor;
      }
    }
    if (least == nullptr) return ok();
    const Item item = *least->head;
    TWINSIFT_TRY([[maybe_unused]] auto taken, take(least->segment, item));
    for (Cursor<Item>& cursor : cursors) {
      if (!cursor.head || key(*cursor.head) != key(item)) continue;
      TWINSIFT_TRY([[maybe_unused]] auto advanced, cursor.advance(read));
    }
  }
}

class Merger {
 public:
  Merger(const MergeTask& task, SegmentWriter& writer) : task_(task), writer_(writer) {}
  Status files();
  Status contents(const ShelfSpec& spec);
  Status lists();

 private:
  // New rows of the rows of one segment that are copied.
  using RowMap = SpillVector<std::uint32_t>;
  struct Copied {
    std::size_t segment = 0;
    RowMap rows;
  };
  // What is known of one detector while its contents are merged.
  struct Detector {
    const ShelfSpec* spec = nullptr;
    std::unique_ptr<Shelf> shelf;        // made when the first content is sketched again
    std::vector<RowMap*> row_maps;       // for each segment; null: sketched again
    std::vector<std::uint32_t> no_keys;  // zeros, until patch() brings them
    std::vector<std::uint8_t> codes;
    std::uint32_t rows = 0;
  };

  Status begin(const ShelfSpec& spec, Detector& detector);
  Status take_content(Detector& detector, std::size_t segment, const ContentPlace& content);
  Status copy_row(Detector& detector, std::size_t segment, const ContentPlace& from,
                  const ContentPlace& to);
  Status sketch_again(Detector& detector, const ContentPlace& from, const ContentPlace& to);
  Status patch(DetectorId detector, std::uint32_t table, std::span<std::uint32_t> keys) const;

  const MergeTask& task_;
  SegmentWriter& writer_;
  std::multimap<DetectorId, std::unique_ptr<Copied>> copied_;  // until the writer has finished
};

Status Merger::files() {
  std::vector<Cursor<FileView>> cursors;
  for (std::size_t i = 0; i < task_.segments.size(); ++i) {
    cursors.push_back({.segment = i, .count = task_.segments[i]->files()});
  }
  const auto read = [&](std::size_t i, std::uint64_t place) {
    return task_.segments[i]->file(place);
  };
  const auto key = [](const FileView& file) {
    return std::tuple(file.path, file.part, file.volume);
  };
  const auto newer = [](const FileView& a, const FileView& b) { return a.sequence > b.sequence; };
  return merge_cursors(std::move(cursors), read, key, newer,
                       [&](std::size_t /*segment*/, const FileView& file) -> Status {
                         if (file.dropped && task_.oldest) return ok();
                         if (task_.keep_file) {
                           TWINSIFT_TRY(const bool keep, task_.keep_file(file));
                           if (!keep) return ok();
                         }
                         return writer_.add_file(file);
                       });
}

// Segments of the same shelf get a map of their rows, which patch() needs when all are known.
Status Merger::begin(const ShelfSpec& spec, Detector& detector) {
  detector.spec = &spec;
  detector.row_maps.resize(task_.segments.size());
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < task_.segments.size(); ++i) {
    const Segment& segment = *task_.segments[i];
    const ShelfSpec* old = segment.shelf(spec.detector);
    if (spec.sketch.empty() || old == nullptr || *old != spec) continue;
    detector.no_keys.resize(segment.tables(spec.detector));
    auto copied = std::make_unique<Copied>(Copied{.segment = i, .rows = {}});
    bytes += std::uint64_t{4} * segment.rows(spec.detector);
    if (bytes > task_.output.memory / 4) {
      TWINSIFT_TRY([[maybe_unused]] auto spilled, copied->rows.spill(task_.output.temp_dir));
    }
    TWINSIFT_TRY([[maybe_unused]] auto room, copied->rows.resize(segment.rows(spec.detector)));
    std::ranges::fill(copied->rows.span(), ContentPlace::kNoRow);
    detector.row_maps[i] = &copied->rows;
    copied_.emplace(spec.detector, std::move(copied));
  }
  return ok();
}

Status Merger::contents(const ShelfSpec& spec) {
  Detector detector;
  TWINSIFT_TRY([[maybe_unused]] auto begun, begin(spec, detector));
  std::vector<Cursor<ContentPlace>> cursors;
  for (std::size_t i = 0; i < task_.segments.size(); ++i) {
    cursors.push_back({.segment = i, .count = task_.segments[i]->contents(spec.detector)});
  }
  const auto read = [&](std::size_t i, std::uint64_t place) {
    return task_.segments[i]->content_at(spec.detector, place);
  };
  const auto key = [](const ContentPlace& content) { return content.digest; };
  const auto newer = [](const ContentPlace&, const ContentPlace&) { return false; };
  TWINSIFT_TRY([[maybe_unused]] auto merged,
               merge_cursors(std::move(cursors), read, key, newer,
                             [&](std::size_t segment, const ContentPlace& content) {
                               return take_content(detector, segment, content);
                             }));
  if (!spec.sketch.empty()) {
    writer_.patch_keys(spec.detector, [this, id = spec.detector](std::uint32_t table,
                                                                 std::span<std::uint32_t> keys) {
      return patch(id, table, keys);
    });
  }
  return ok();
}

Status Merger::take_content(Detector& detector, std::size_t segment, const ContentPlace& content) {
  if (content.state == ContentState::kDropped && task_.oldest) return ok();
  ContentPlace to = content;
  if (task_.place) {
    TWINSIFT_TRY(const auto place, task_.place(detector.spec->detector, content));
    if (!place) return ok();
    to = *place;
  }
  if (detector.row_maps[segment] != nullptr && content.row != ContentPlace::kNoRow) {
    return copy_row(detector, segment, content, to);
  }
  if (detector.row_maps[segment] == nullptr && !detector.spec->sketch.empty() &&
      content.state == ContentState::kFeatures) {
    return sketch_again(detector, content, to);
  }
  return writer_.add_content(detector.spec->detector, to, {}, {});
}

Status Merger::copy_row(Detector& detector, std::size_t segment, const ContentPlace& from,
                        const ContentPlace& to) {
  const DetectorId id = detector.spec->detector;
  detector.codes.clear();
  for (std::size_t plane = 0; plane < detector.spec->looks.size(); ++plane) {
    TWINSIFT_TRY(const auto codes, task_.segments[segment]->codes(id, plane, from.row));
    detector.codes.insert(detector.codes.end(), codes.begin(), codes.end());
  }
  (*detector.row_maps[segment])[from.row] = detector.rows++;
  return writer_.add_content(id, to, detector.codes, detector.no_keys);
}

Status Merger::sketch_again(Detector& detector, const ContentPlace& from, const ContentPlace& to) {
  const DetectorId id = detector.spec->detector;
  if (!detector.shelf) {
    TWINSIFT_TRY(detector.shelf, Shelf::make(*detector.spec));
  }
  TWINSIFT_TRY(const SetView set, task_.features(id, from));
  if (!Shelf::takes(set)) return writer_.add_content(id, to, {}, {});
  const Signature signature = detector.shelf->sign(set);
  ++detector.rows;
  return writer_.add_content(id, to, signature.codes, signature.keys);
}

Status Merger::patch(DetectorId detector, std::uint32_t table,
                     std::span<std::uint32_t> keys) const {
  const auto [begin, end] = copied_.equal_range(detector);
  for (auto at = begin; at != end; ++at) {
    const Copied& copied = *at->second;
    TWINSIFT_TRY(const Segment::Table from, task_.segments[copied.segment]->table(detector, table));
    for (std::size_t i = 0; i < from.rows.size(); ++i) {
      if (from.rows[i] >= copied.rows.size()) {
        return Error{ErrorCode::kCorrupt,
                     fmt::format("segment {} has a row that is none; twinsift index repair makes "
                                 "it again",
                                 task_.segments[copied.segment]->number())};
      }
      const std::uint32_t row = copied.rows[from.rows[i]];
      if (row != ContentPlace::kNoRow) keys[row] = from.keys[i];
    }
  }
  return ok();
}

Status Merger::lists() {
  std::map<std::pair<Digest, Digest>, VerdictRecord> verdicts;
  std::map<Digest, RemovedRecord> removed;
  for (const Segment* segment : task_.segments) {
    TWINSIFT_TRY([[maybe_unused]] auto judged, segment->verdicts([&](const VerdictRecord& record) {
      verdicts[{record.a, record.b}] = record;
      return ok();
    }));
    TWINSIFT_TRY([[maybe_unused]] auto gone, segment->removed([&](const RemovedRecord& record) {
      removed[record.digest] = record;
      return ok();
    }));
  }
  for (const auto& [key, record] : verdicts) {
    if (record.verdict == VerdictKind::kNone && task_.oldest) continue;
    TWINSIFT_TRY([[maybe_unused]] auto added, writer_.add_verdict(record));
  }
  for (const auto& [key, record] : removed) {
    if (record.forget && task_.oldest) continue;
    TWINSIFT_TRY([[maybe_unused]] auto added, writer_.add_removed(record));
  }
  return ok();
}

}  // namespace

Status merge_segments(const MergeTask& task) {
  TWINSIFT_TRY(const auto writer, SegmentWriter::create(task.output));
  Merger merger(task, *writer);
  TWINSIFT_TRY([[maybe_unused]] auto files, merger.files());
  for (const ShelfSpec& spec : task.output.shelves) {
    TWINSIFT_TRY([[maybe_unused]] auto contents, merger.contents(spec));
  }
  TWINSIFT_TRY([[maybe_unused]] auto lists, merger.lists());
  return writer->finish();
}

}  // namespace twinsift
