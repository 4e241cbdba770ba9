// SPDX-License-Identifier: Apache-2.0
// The last step of dedup(): the lines that stay, the pairs and the clusters.
#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/cancel.h"
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

// The next lines that stay, neighbours in one stretch: as many as fit into the cache of a
// processor.
void DedupRun::next_kept(std::uint32_t input, DocId& next, std::vector<Stretch>& out) const {
  constexpr std::size_t kChunk = std::size_t{1} << 19U;
  out.clear();
  std::uint64_t bytes = 0;
  for (; next < places_.size() && places_[next].input == input && bytes < kChunk; ++next) {
    if (stays_[next] == 0) continue;
    const Place& place = places_[next];
    if (out.empty() || out.back().offset + out.back().length != place.offset) {
      out.push_back({place.offset, 0});
    }
    out.back().length += place.length;
    bytes += place.length;
  }
}

// Byte for byte.  `buffer` only grows, because clearing it would cost as much as reading.
Result<std::string_view> DedupRun::read_lines(std::uint32_t input,
                                              std::span<const Stretch> stretches,
                                              std::string& buffer) const {
  std::size_t used = 0;
  for (const Stretch& stretch : stretches) {
    if (buffer.size() < used + stretch.length + 1) buffer.resize(used + stretch.length + 1);
    TWINSIFT_TRY([[maybe_unused]] auto done,
                 sources_[input].reader->read_at(stretch.offset,
                                                 std::span(buffer).subspan(used, stretch.length)));
    used += stretch.length;
    if (buffer[used - 1] != '\n') buffer[used++] = '\n';  // the last line of a file may lack it
  }
  return std::string_view(buffer).substr(0, used);
}

// Copies the lines that stay.  Each thread takes the next chunk, reads it, and writes it when its
// turn comes, so that one reads while another writes.
Status DedupRun::write_source(std::uint32_t input, AtomicFile& file) {
  const auto places = places_.span();
  const auto first = std::ranges::lower_bound(places, input, {}, &Place::input);
  std::mutex mutex;
  std::condition_variable written;
  auto next = static_cast<DocId>(first - places.begin());
  std::uint64_t taken = 0;
  std::uint64_t turn = 0;
  Status status = ok();
  const auto copy = [&](std::size_t, unsigned) {
    std::vector<Stretch> stretches;
    std::string buffer;
    std::unique_lock lock(mutex);
    while (status && !options_.callbacks.stop.stop_requested()) {
      next_kept(input, next, stretches);
      if (stretches.empty()) return;
      const std::uint64_t mine = taken++;
      lock.unlock();
      const Result<std::string_view> lines = read_lines(input, stretches, buffer);
      lock.lock();
      written.wait(lock, [&] { return turn == mine; });
      if (status && lines) {
        lock.unlock();
        Status done = file.write(*lines);
        lock.lock();
        status = std::move(done);
      } else if (status) {
        status = lines.error();
      }
      ++turn;
      written.notify_all();
    }
  };
  parallel_for(resolved_.threads, resolved_.threads, std::stop_token(), copy);
  if (status && options_.callbacks.stop.stop_requested()) return cancelled_error();
  return status;
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
