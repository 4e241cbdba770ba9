// SPDX-License-Identifier: Apache-2.0
// The last step of dedup(): the lines that stay, the pairs and the clusters.
#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/escape.h"
#include "base/parallel.h"
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

// Fills `lines` with the next lines that stay, byte for byte, up to a few megabytes; neighbours
// are read in one go.  False if there are none left.
Result<bool> DedupRun::read_kept(std::uint32_t input, DocId& next, std::string& lines) const {
  constexpr std::size_t kChunk = std::size_t{4} << 20U;
  lines.clear();
  const auto wanted = [&](DocId d) { return d < places_.size() && places_[d].input == input; };
  while (wanted(next) && lines.size() < kChunk) {
    if (stays_[next] == 0) {
      ++next;
      continue;
    }
    const std::uint64_t begin = places_[next].offset;
    std::uint64_t end = begin;
    while (wanted(next) && stays_[next] != 0 && places_[next].offset == end &&
           end - begin < kChunk) {
      end += places_[next++].length;
    }
    const std::size_t before = lines.size();
    lines.resize(before + end - begin);
    TWINSIFT_TRY([[maybe_unused]] auto done,
                 sources_[input].reader->read_at(begin, std::span(lines).subspan(before)));
    if (lines.back() != '\n') lines += '\n';  // the last line of a file may lack it
  }
  return !lines.empty();
}

// Copies the lines that stay; one thread reads the next chunk while another writes this one.
Status DedupRun::write_source(std::uint32_t input, AtomicFile& file) {
  const auto first = std::ranges::lower_bound(places_, input, {}, &Place::input);
  auto next = static_cast<DocId>(first - places_.begin());
  std::string chunk;
  std::string ahead;
  TWINSIFT_TRY(bool more, read_kept(input, next, chunk));
  while (more) {
    if (options_.callbacks.stop.stop_requested()) return cancelled_error();
    Result<bool> read = false;
    Status written = ok();
    parallel_for(2, resolved_.threads, std::stop_token(), [&](std::size_t job, unsigned) {
      if (job == 0) {
        written = file.write(chunk);
      } else {
        read = read_kept(input, next, ahead);
      }
    });
    if (!written) return written;
    TWINSIFT_TRY(more, std::move(read));
    chunk.swap(ahead);
  }
  return ok();
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
