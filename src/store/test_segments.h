// SPDX-License-Identifier: Apache-2.0
// What tests of segments share: a model of what is in one, and bytes that are wrong but sealed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/crc32c.h"
#include "base/random.h"
#include "store/bytes.h"
#include "store/checked_file.h"
#include "store/segment.h"
#include "store/segment_writer.h"
#include "store/shelf.h"

namespace twinsift {

inline constexpr CollectionId kTestId = {1, 2, 3};
inline constexpr std::uint64_t kTestNumber = 42;

inline TokenSet random_set(Rng& rng, std::size_t size) {
  std::map<std::uint64_t, bool> ids;
  while (ids.size() < size) ids[rng.next()] = true;
  TokenSet set;
  for (const auto& [id, unused] : ids) set.push_back(id);
  return set;
}

// A set whose similarity with `set` is about s: both share the part that gives it.
inline TokenSet similar_set(Rng& rng, const TokenSet& set, double s) {
  const auto shared = static_cast<std::size_t>(2 * s / (1 + s) * static_cast<double>(set.size()));
  std::map<std::uint64_t, bool> ids;
  const std::uint64_t salt = rng.next();
  std::vector<std::pair<std::uint64_t, std::uint64_t>> order;
  for (const std::uint64_t id : set) order.emplace_back(mix64(id ^ salt), id);
  std::ranges::sort(order);
  for (std::size_t i = 0; i < shared; ++i) ids[order[i].second] = true;
  while (ids.size() < set.size()) ids[rng.next()] = true;
  TokenSet result;
  for (const auto& [id, unused] : ids) result.push_back(id);
  return result;
}

// What a segment should say, in the order in which it says it.
struct SegmentModel {
  struct Content {
    ContentPlace place;
    TokenSet set{};  // empty: no row
  };
  std::map<ItemKey, FileView> files;  // their paths are empty; the key has them
  std::map<std::pair<DetectorId, Digest>, Content> contents;
  std::map<std::pair<Digest, Digest>, VerdictRecord> verdicts;
  std::map<Digest, RemovedRecord> removed;
};

// Few different digests, paths and parts, so that some meet.
inline SegmentModel random_model(Rng& rng, std::uint32_t size, std::uint64_t first_sequence) {
  SegmentModel model;
  const auto digest = [&] { return Digest{mix64(rng.below(2 * size + 1)), rng.below(2)}; };
  for (std::uint32_t i = 0; i < size; ++i) {
    const ItemKey key{.path = fmt::format("/folder {}/file{}", rng.below(4), rng.below(size)),
                      .part = rng.below(3),
                      .volume = rng.below(2)};
    FileView file{.path = {},
                  .part = key.part,
                  .volume = key.volume,
                  .device = rng.next(),
                  .inode = rng.next(),
                  .size = rng.next(),
                  .mtime_ns = static_cast<std::int64_t>(rng.next()),
                  .ctime_ns = static_cast<std::int64_t>(rng.next()),
                  .seen_ns = static_cast<std::int64_t>(rng.next()),
                  .unrecognised_by = rng.below(4) == 0 ? rng.below(1U << 24U) : 0,
                  .dropped = rng.below(8) == 0,
                  .sequence = first_sequence + i};
    if (rng.below(4) != 0) file.digest = digest();
    model.files[key] = file;
    const DetectorId detector = rng.below(2) == 0 ? 3 : 7;
    ContentPlace place{.digest = digest(),
                       .data_file = 1 + rng.below(3),
                       .offset = 64 + 8 * (first_sequence + i),
                       .features = 0,
                       .state = static_cast<ContentState>(rng.below(4))};
    TokenSet set;
    if (place.state == ContentState::kFeatures && rng.below(5) != 0) {
      set = random_set(rng, 1 + rng.below(20));
    }
    place.features = static_cast<std::uint32_t>(set.size());
    model.contents[{detector, place.digest}] = {place, std::move(set)};
    if (rng.below(4) != 0) continue;
    const Digest a = digest();
    const Digest b = digest();
    if (a < b) {
      model.verdicts[{a, b}] = {.a = a,
                                .b = b,
                                .verdict = static_cast<VerdictKind>(rng.below(3)),
                                .when_ns = static_cast<std::int64_t>(first_sequence + i)};
    }
    model.removed[a] = {.digest = a,
                        .when_ns = -static_cast<std::int64_t>(i),
                        .path = i % 2 == 0 ? "/gone/" + a.hex() : key.path,
                        .forget = rng.below(3) == 0};
  }
  return model;
}

// Two detectors, one of whose sketches has three planes.
inline std::vector<ShelfSpec> test_shelves() {
  return {{3, "fss1:k=64,seed=0", "banding1:b=8,r=4", {64}},
          {7, "fss1:k=160,seed=1", "banding1:b=20,r=8", {64, 128, 160}}};
}

inline SegmentWriter::Options test_options(const std::string& path) {
  return {.path = path,
          .id = kTestId,
          .number = kTestNumber,
          .first_sequence = 1,
          .last_sequence = 1000,
          .shelves = test_shelves(),
          .memory = std::uint64_t{1} << 26U,
          .temp_dir = {}};
}

inline Status write_segment(const SegmentModel& model, const SegmentWriter::Options& options) {
  TWINSIFT_TRY(const auto writer, SegmentWriter::create(options));
  for (const auto& [key, file] : model.files) {
    FileView view = file;
    view.path = key.path;
    TWINSIFT_TRY([[maybe_unused]] auto added, writer->add_file(view));
  }
  std::map<DetectorId, std::unique_ptr<Shelf>> shelves;
  for (const ShelfSpec& spec : options.shelves) {
    if (spec.sketch.empty()) continue;
    TWINSIFT_TRY(shelves[spec.detector], Shelf::make(spec));
  }
  for (const auto& [key, content] : model.contents) {
    Signature signature;
    if (!content.set.empty()) signature = shelves[key.first]->sign(content.set);
    TWINSIFT_TRY([[maybe_unused]] auto added,
                 writer->add_content(key.first, content.place, signature.codes, signature.keys));
  }
  for (const auto& [key, verdict] : model.verdicts) {
    TWINSIFT_TRY([[maybe_unused]] auto added, writer->add_verdict(verdict));
  }
  for (const auto& [key, removed] : model.removed) {
    TWINSIFT_TRY([[maybe_unused]] auto added, writer->add_removed(removed));
  }
  return writer->finish();
}

inline Result<std::unique_ptr<Segment>> open_segment(const std::string& path) {
  return Segment::open(path, kTestId, kTestNumber);
}

// Makes all CRCs right again, as far as the table of sections says where they are.
inline void reseal(std::string& image) {
  if (image.size() < kFileHeaderBytes + kTrailerBytes) return;
  const auto crc = [&](std::uint64_t begin, std::uint64_t length) {
    return crc32c(as_bytes(std::string_view(image).substr(begin, length)));
  };
  store(&image[60], crc(0, 60));
  char* const trailer = &image[image.size() - kTrailerBytes];
  const std::uint64_t end = image.size() - kTrailerBytes;
  const auto table = load<std::uint64_t>(trailer);
  const std::uint64_t count = load<std::uint32_t>(trailer + 8);
  const std::uint64_t crcs = load<std::uint32_t>(trailer + 12);
  if (table > end) return;
  for (std::uint64_t i = 0; i < count && (i + 1) * kSectionEntryBytes <= end - table; ++i) {
    const char* const entry = &image[table + i * kSectionEntryBytes];
    const auto offset = load<std::uint64_t>(entry + 8);
    const auto length = load<std::uint64_t>(entry + 16);
    const std::uint64_t first = load<std::uint32_t>(entry + 24);
    if (offset > table || length > table - offset) continue;
    for (std::uint64_t block = 0; block < blocks_of(length) && first + block < crcs; ++block) {
      const std::uint64_t at = table + count * kSectionEntryBytes + 4 * (first + block);
      if (at + 4 > end) break;
      const std::uint64_t begin = block * kCheckedBlock;
      store(&image[at], crc(offset + begin, std::min(kCheckedBlock, length - begin)));
    }
  }
  store(trailer + 16, crc(table, end - table));
}

// Asks everything there is to ask.  What comes back may be wrong, but it must come back; false if
// something leads outside of the segment.
inline bool exercise(const Segment& segment) {
  constexpr std::uint64_t kMost = 50;
  bool inside = true;
  for (std::uint64_t i = 0; i < std::min(segment.files(), kMost); ++i) {
    const auto file = segment.file(i);
    if (!file) continue;
    static_cast<void>(segment.first_file(file->path));
    if (file->digest) {
      static_cast<void>(segment.files_with(*file->digest, [](const FileView&) { return ok(); }));
    }
  }
  for (const ShelfSpec& spec : segment.shelves()) {
    for (std::uint64_t i = 0; i < std::min(segment.contents(spec.detector), kMost); ++i) {
      const auto content = segment.content_at(spec.detector, i);
      if (content) static_cast<void>(segment.content(spec.detector, content->digest));
    }
    const auto rows =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(segment.rows(spec.detector), kMost));
    for (std::uint32_t row = 0; row < rows; ++row) {
      static_cast<void>(segment.content_of_row(spec.detector, row));
      for (std::size_t plane = 0; plane < spec.looks.size(); ++plane) {
        static_cast<void>(segment.codes(spec.detector, plane, row));
      }
    }
    for (std::uint32_t table = 0; rows > 0 && table < segment.tables(spec.detector); ++table) {
      const auto whole = segment.table(spec.detector, table);
      if (!whole) continue;
      for (const std::uint32_t key : whole->keys.first(rows)) {
        const auto bucket = segment.bucket(spec.detector, table, key);
        if (!bucket) continue;
        for (const std::uint32_t row : *bucket)
          inside = inside && row < segment.rows(spec.detector);
      }
    }
  }
  static_cast<void>(segment.verdicts([](const VerdictRecord&) { return ok(); }));
  static_cast<void>(segment.removed([](const RemovedRecord&) { return ok(); }));
  static_cast<void>(segment.verify());
  return inside;
}

}  // namespace twinsift
