// SPDX-License-Identifier: Apache-2.0
// Sorts more records than fit into memory, and lets records of the same key become one.
//
// Records gather in a buffer of fixed size.  A full buffer is sorted, equal keys are absorbed,
// and unless that freed half of it, it is written as a run to a file without a name.  In the
// end all runs are merged, in several rounds if there are more than the memory can read side by
// side.  Without a single run nothing touches the disk.
//
// A Record is a plain value without padding (its bytes go to the file), with operator< and
//     bool absorb(const Record& next);   // next is not smaller
// which takes over `next` and returns true if both have the same key.  The keys decide the
// order: records of one key may meet in any order.
//
// A request to stop is heeded between two buffers and two blocks of the disk: kCancelled.
// After an error the sorter is good for nothing but its destructor.  Not thread-safe.
//
// Cost: n log n comparisons; each further round of merging reads and writes everything once and
//       takes twice its size on the disk for that time.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/cancel.h"
#include "base/run_file.h"
#include "base/spill.h"
#include "twinsift/result.h"

namespace twinsift {

template <class Record>
class ExternalSorter {
  static_assert(std::is_trivially_copyable_v<Record>);
  static_assert(std::has_unique_object_representations_v<Record>);

 public:
  // `memory` is in bytes; a few records are the least.  For `directory` see RunFile.
  ExternalSorter(std::uint64_t memory, const std::string& directory, std::stop_token stop = {})
      : room_(std::max<std::size_t>(memory / sizeof(Record), kLeastRoom)),
        directory_(directory),
        stop_(std::move(stop)),
        runs_(directory) {}

  Status add(const Record& record) {
    if (buffer_.size() == room_) {
      TWINSIFT_TRY([[maybe_unused]] auto done, make_room());
    }
    return buffer_.append({&record, 1});
  }

  // Calls take(record), which returns a Status, in ascending order, once for each key; stops at
  // the first error.  Memory and disk are free again when it returns.  Call once.
  template <class Take>
  Status drain(Take take) {
    const Status done = hand_out(take);
    buffer_ = SpillVector<Record>();
    runs_ = RunFile(directory_);
    return done;
  }

  // How many runs are on the disk.
  [[nodiscard]] std::size_t runs() const { return runs_.runs().size(); }

 private:
  static constexpr std::size_t kLeastRoom = 8;

  template <class Take>
  Status hand_out(Take take) {
    TWINSIFT_TRY([[maybe_unused]] auto sorted, sort_buffer());
    if (runs_.runs().empty()) {
      for (const Record& record : buffer_.span()) {
        TWINSIFT_TRY([[maybe_unused]] auto taken, take(record));
      }
      return ok();
    }
    if (buffer_.size() > 0) {
      TWINSIFT_TRY([[maybe_unused]] auto written, write_run());
    }
    TWINSIFT_TRY([[maybe_unused]] auto room, buffer_.resize(room_));
    while (runs_.runs().size() > fan_in()) {
      TWINSIFT_TRY([[maybe_unused]] auto shorter, merge_round());
    }
    return merge(runs_.runs(), take);
  }

  // What is left of one run: a block of it in memory, the rest in the file.
  struct Source {
    std::span<Record> block;
    std::size_t next = 0;
    std::size_t filled = 0;
    RunFile::Run rest;
  };
  struct Head {
    Record record;
    std::size_t source;
    friend bool operator>(const Head& a, const Head& b) { return b.record < a.record; }
  };

  // Runs that are read side by side: each should have a block that is worth a disk access.
  [[nodiscard]] std::size_t fan_in() const {
    constexpr std::size_t kBlockBytes = std::size_t{64} << 10U;
    return std::clamp<std::size_t>(room_ * sizeof(Record) / kBlockBytes, 2, 256);
  }
  [[nodiscard]] std::span<Record> block(std::size_t i) const {
    const std::size_t size = room_ / (fan_in() + 1);  // one more for what is written
    return buffer_.span().subspan(i * size, size);
  }

  Status sort_buffer() {
    if (stop_.stop_requested()) return cancelled_error();
    const std::span<Record> all = buffer_.span();
    std::sort(all.begin(), all.end());
    std::size_t kept = 0;
    for (const Record& record : all) {
      if (kept > 0 && all[kept - 1].absorb(record)) continue;
      all[kept++] = record;
    }
    return buffer_.resize(kept);
  }

  Status make_room() {
    TWINSIFT_TRY([[maybe_unused]] auto sorted, sort_buffer());
    if (buffer_.size() <= room_ / 2) return ok();
    return write_run();
  }

  Status write_run() {
    TWINSIFT_TRY([[maybe_unused]] auto written, runs_.append(std::as_bytes(buffer_.span())));
    runs_.end_run();
    return buffer_.resize(0);
  }

  // Fills the block of a source anew; false if its run is at its end.
  Result<bool> refill(Source& source) const {
    if (stop_.stop_requested()) return cancelled_error();
    const std::uint64_t left = (source.rest.end - source.rest.begin) / sizeof(Record);
    source.filled = static_cast<std::size_t>(std::min<std::uint64_t>(left, source.block.size()));
    source.next = 0;
    if (source.filled == 0) return false;
    const auto bytes = std::as_writable_bytes(source.block.first(source.filled));
    TWINSIFT_TRY([[maybe_unused]] auto done, runs_.read(source.rest.begin, bytes));
    source.rest.begin += bytes.size();
    return true;
  }

  // The smallest record of all; the next one of its run takes its place in the heap.
  Result<Record> pop(std::vector<Head>& heads, std::vector<Source>& sources) const {
    std::ranges::pop_heap(heads, std::greater<>{});
    const Record smallest = heads.back().record;
    Source& source = sources[heads.back().source];
    bool more = source.next < source.filled;
    if (!more) {
      TWINSIFT_TRY(more, refill(source));
    }
    if (!more) {
      heads.pop_back();
      return smallest;
    }
    heads.back().record = source.block[source.next++];
    std::ranges::push_heap(heads, std::greater<>{});
    return smallest;
  }

  // Requires: at most fan_in() runs, none of them empty.
  template <class Take>
  Status merge(std::span<const RunFile::Run> runs, Take take) const {
    std::vector<Source> sources;
    std::vector<Head> heads;  // a heap with the smallest on top
    for (const RunFile::Run& run : runs) {
      sources.push_back({block(sources.size()), 0, 0, run});
      TWINSIFT_TRY([[maybe_unused]] const bool some, refill(sources.back()));
      assert(some);
      heads.push_back({sources.back().block[sources.back().next++], heads.size()});
    }
    std::ranges::make_heap(heads, std::greater<>{});
    TWINSIFT_TRY(Record record, pop(heads, sources));
    while (!heads.empty()) {
      TWINSIFT_TRY(const Record next, pop(heads, sources));
      if (record.absorb(next)) continue;
      TWINSIFT_TRY([[maybe_unused]] auto taken, take(record));
      record = next;
    }
    return take(record);
  }

  // Makes one run of each fan_in() runs, in a new file.
  Status merge_round() {
    RunFile merged(directory_);
    const std::span<Record> out = block(fan_in());
    const std::span<const RunFile::Run> all = runs_.runs();
    for (std::size_t first = 0; first < all.size(); first += fan_in()) {
      std::size_t used = 0;
      const auto take = [&](const Record& record) -> Status {
        out[used++] = record;
        if (used < out.size()) return ok();
        used = 0;
        return merged.append(std::as_bytes(out));
      };
      const std::size_t count = std::min(fan_in(), all.size() - first);
      TWINSIFT_TRY([[maybe_unused]] auto done, merge(all.subspan(first, count), take));
      TWINSIFT_TRY([[maybe_unused]] auto rest, merged.append(std::as_bytes(out.first(used))));
      merged.end_run();
    }
    runs_ = std::move(merged);
    return ok();
  }

  std::size_t room_;
  std::string directory_;
  std::stop_token stop_;
  RunFile runs_;
  SpillVector<Record> buffer_;
};

}  // namespace twinsift
