// SPDX-License-Identifier: Apache-2.0
// The last step of dedup(): the lines that stay, the pairs and the clusters.
#include <algorithm>

#include <fmt/format.h>

#include "base/escape.h"
#include "run/dedup.h"

namespace twinsift {

Status DedupRun::write() {
  StageClock clock("write");
  clock.stats().items = summary_.kept;
  // All files are written before the first takes its name.
  Files files;
  TWINSIFT_TRY([[maybe_unused]] auto pairs, write_pairs(files));
  TWINSIFT_TRY([[maybe_unused]] auto clusters, write_clusters(files));
  TWINSIFT_TRY([[maybe_unused]] auto kept, write_kept(files));
  for (const auto& file : files) {
    TWINSIFT_TRY([[maybe_unused]] auto done, file->finish());
  }
  for (const auto& file : files) {
    TWINSIFT_TRY([[maybe_unused]] auto done, file->commit());
  }
  clock.finish(summary_.stages);
  return ok();
}

Status DedupRun::write_kept(Files& files) {
  if (options_.output.empty()) return ok();
  TWINSIFT_TRY(auto file, AtomicFile::create(options_.output));
  bool header = true;
  for (std::uint32_t input = 0; input < sources_.size(); ++input) {
    if (sources_[input].reference) continue;
    if (header) {
      TWINSIFT_TRY([[maybe_unused]] auto done, file->write(sources_[input].reader->header()));
    }
    header = false;
    TWINSIFT_TRY([[maybe_unused]] auto done, write_source(input, *file));
  }
  files.push_back(std::move(file));
  return ok();
}

// Reads the input once more and copies the lines that stay, byte for byte.
Status DedupRun::write_source(std::uint32_t input, AtomicFile& file) {
  CorpusReader& reader = *sources_[input].reader;
  TWINSIFT_TRY([[maybe_unused]] auto rewound, reader.rewind());
  auto place = std::ranges::lower_bound(places_, input, {}, &Place::input);
  const auto end = std::ranges::upper_bound(places_, input, {}, &Place::input);
  Block block;
  std::string lines;
  while (place != end) {
    if (options_.callbacks.stop.stop_requested()) return cancelled_error();
    TWINSIFT_TRY(const bool more, reader.next(block));
    if (!more) break;
    lines.clear();
    const std::string_view bytes = block.bytes();
    for (; place != end && place->offset < block.offset + bytes.size(); ++place) {
      if (stays_[static_cast<std::size_t>(place - places_.begin())] == 0) continue;
      lines += bytes.substr(place->offset - block.offset, place->length);
      if (lines.back() != '\n') lines += '\n';  // the last line of a file may lack it
    }
    TWINSIFT_TRY([[maybe_unused]] auto done, file.write(lines));
  }
  if (place == end) return ok();
  return Error{ErrorCode::kIo,
               fmt::format("{} became shorter while it was read", sources_[input].path)};
}

std::string DedupRun::id_of(DocId document) const {
  if (!options_.id_field.empty() && !id_ends_.empty()) {
    const std::uint64_t begin = document == 0 ? 0 : id_ends_[document - 1];
    return ids_.substr(begin, id_ends_[document] - begin);
  }
  const Place& place = places_[document];
  const Source& source = sources_[place.input];
  if (!source.reference) return std::to_string(source.first_line + place.record);
  std::string token;
  json_string(fmt::format("{}:{}", source.path, place.record), token);
  return token;
}

Status DedupRun::write_pairs(Files& files) {
  if (options_.pairs.empty()) return ok();
  TWINSIFT_TRY(auto file, AtomicFile::create(options_.pairs));
  for (const twinsift::Match& m : outcome_.pairs) {
    TWINSIFT_TRY([[maybe_unused]] auto done,
                 file->write(fmt::format("{{\"a\":{},\"b\":{},\"score\":{:.6f}}}\n", id_of(m.a),
                                         id_of(m.b), m.score)));
  }
  files.push_back(std::move(file));
  return ok();
}

Status DedupRun::write_clusters(Files& files) {
  if (options_.clusters.empty()) return ok();
  TWINSIFT_TRY(auto file, AtomicFile::create(options_.clusters));
  for (DocId d = references_; d < matcher_->documents(); ++d) {
    TWINSIFT_TRY([[maybe_unused]] auto done,
                 file->write(fmt::format("{{\"id\":{},\"cluster\":{},\"keeper\":{}}}\n", id_of(d),
                                         id_of(outcome_.keeper[d]), stays_[d] != 0)));
  }
  files.push_back(std::move(file));
  return ok();
}

}  // namespace twinsift
