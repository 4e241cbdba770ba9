// SPDX-License-Identifier: Apache-2.0
#include "store/segment_build.h"

#include <algorithm>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/parallel.h"
#include "store/manifest.h"
#include "store/merge.h"
#include "store/segment_writer.h"

namespace twinsift {
namespace {

SegmentWriter::Options options_for(const SegmentPlace& place, const ShelfMap& shelves) {
  SegmentWriter::Options options;
  options.path = place.folder + '/' + segment_name(place.number);
  options.id = place.id;
  options.number = place.number;
  options.temp_dir = place.folder;
  for (const auto& [detector, shelf] : shelves) options.shelves.push_back(shelf->spec());
  return options;
}

// Some at a time, so that signatures take little room.
Status add_contents(const MemoryPart& memory, const ShelfMap& shelves, SegmentWriter& writer) {
  constexpr std::size_t kAtOnce = 4096;
  const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::pair<DetectorId, const MemoryContent*>> batch;
  std::vector<Signature> signatures;
  const auto write_batch = [&]() -> Status {
    signatures.assign(batch.size(), {});
    parallel_for(batch.size(), threads, {}, [&](std::size_t i, unsigned) {
      const auto& [detector, content] = batch[i];
      if (Shelf::takes(content->features)) {
        signatures[i] = shelves.at(detector)->sign(content->features);
      }
    });
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const auto& [detector, content] = batch[i];
      TWINSIFT_TRY(
          [[maybe_unused]] auto added,
          writer.add_content(detector, content->place, signatures[i].codes, signatures[i].keys));
    }
    batch.clear();
    return ok();
  };
  for (const auto& [key, content] : memory.contents()) {
    batch.emplace_back(key.first, &content);
    if (batch.size() < kAtOnce) continue;
    TWINSIFT_TRY([[maybe_unused]] auto written, write_batch());
  }
  return write_batch();
}

}  // namespace

Result<std::unique_ptr<Segment>> build_segment(const SegmentPlace& place, const MemoryPart& memory,
                                               std::uint64_t first, std::uint64_t last,
                                               const ShelfMap& shelves) {
  SegmentWriter::Options options = options_for(place, shelves);
  options.first_sequence = first;
  options.last_sequence = last;
  TWINSIFT_TRY(const auto writer, SegmentWriter::create(options));
  for (const auto& [key, file] : memory.files()) {
    TWINSIFT_TRY([[maybe_unused]] auto added,
                 writer->add_file(view_of(file.record, file.sequence)));
  }
  TWINSIFT_TRY([[maybe_unused]] auto contents, add_contents(memory, shelves, *writer));
  for (const auto& [pair, verdict] : memory.verdicts()) {
    TWINSIFT_TRY([[maybe_unused]] auto added, writer->add_verdict(verdict));
  }
  for (const auto& [digest, removed] : memory.removed()) {
    TWINSIFT_TRY([[maybe_unused]] auto added, writer->add_removed(removed));
  }
  TWINSIFT_TRY([[maybe_unused]] auto finished, writer->finish());
  return Segment::open(options.path, place.id, place.number);
}

Result<std::unique_ptr<Segment>> join_segments(const SegmentPlace& place,
                                               const std::vector<const Segment*>& segments,
                                               bool oldest, const ShelfMap& shelves) {
  MergeTask task;
  task.segments = segments;
  task.oldest = oldest;
  task.output = options_for(place, shelves);
  task.output.first_sequence = segments.front()->first_sequence();
  task.output.last_sequence = segments.back()->last_sequence();
  // All segments of a collection have the same shelves: what changes them makes all segments anew.
  task.features = [](DetectorId detector, const ContentPlace&) -> Result<SetView> {
    return Error{ErrorCode::kCorrupt,
                 fmt::format("two segments have different sketches for detector {}", detector)};
  };
  TWINSIFT_TRY([[maybe_unused]] auto merged, merge_segments(task));
  return Segment::open(task.output.path, place.id, place.number);
}

}  // namespace twinsift
