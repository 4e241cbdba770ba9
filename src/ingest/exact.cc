// SPDX-License-Identifier: Apache-2.0
// A digest state is 576 bytes, too much to keep one for each of a million files of equal size
// between the two passes; so the head that the first pass reads is small, and the second pass
// begins anew.  Files of up to 64 KiB are read whole in one go and need no first pass.
#include "ingest/exact.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <functional>
#include <iterator>
#include <mutex>
#include <numeric>
#include <tuple>

#include "base/parallel.h"

namespace twinsift {
namespace {

constexpr std::size_t kFirstLook = 4096;  // bytes
constexpr std::chrono::milliseconds kProgressInterval{100};

using Indices = std::vector<std::uint32_t>;

// Calls `visit` with every run of two or more elements of `sorted` that have equal keys.
template <class Key, class Visit>
void for_each_run(std::span<const std::uint32_t> sorted, const Key& key, const Visit& visit) {
  for (std::size_t begin = 0, end = 0; begin < sorted.size(); begin = end) {
    for (end = begin + 1; end < sorted.size() && key(sorted[end]) == key(sorted[begin]);) ++end;
    if (end - begin > 1) visit(sorted.subspan(begin, end - begin));
  }
}

// What the threads have done so far, told to the caller ten times a second.  Thread-safe.
class Monitor {
 public:
  Monitor(Progress progress, std::span<const FileEntry> files, const Callbacks& callbacks,
          unsigned threads)
      : progress_(progress), files_(files), callbacks_(callbacks), work_(std::max(threads, 1U)) {}

  void begin(std::uint32_t file, unsigned worker) {
    const std::scoped_lock lock(mutex_);
    work_[worker] = {.turn = ++turn_, .file = file};
  }
  void add_bytes(std::uint64_t bytes) {
    const std::scoped_lock lock(mutex_);
    progress_.bytes += bytes;
    report();
  }
  void skip(std::uint32_t file, const Error& error) {
    if (error.code == ErrorCode::kCancelled) return;
    const std::scoped_lock lock(mutex_);
    skipped_.push_back(to_skipped(files_[file].path, error));
    if (callbacks_.skipped) callbacks_.skipped(skipped_.back());
  }
  void end(unsigned worker) {
    const std::scoped_lock lock(mutex_);
    work_[worker] = {};
    ++progress_.items;
    report();
  }
  [[nodiscard]] std::vector<Skipped> take_skipped() { return std::move(skipped_); }

 private:
  struct Work {
    std::uint64_t turn = UINT64_MAX;  // idle
    std::uint32_t file = 0;
  };

  void report() {
    const auto now = std::chrono::steady_clock::now();
    if (!callbacks_.progress || now - last_ < kProgressInterval) return;
    last_ = now;
    const auto oldest = std::ranges::min_element(work_, {}, &Work::turn);
    const bool idle = oldest->turn == UINT64_MAX;
    progress_.current = idle ? std::string_view() : std::string_view(files_[oldest->file].path);
    callbacks_.progress(progress_);
  }

  Progress progress_;
  std::span<const FileEntry> files_;
  const Callbacks& callbacks_;
  std::mutex mutex_;
  std::vector<Work> work_;
  std::vector<Skipped> skipped_;
  std::uint64_t turn_ = 0;
  std::chrono::steady_clock::time_point last_;
};

class EqualFiles {
 public:
  EqualFiles(std::span<const FileEntry> files, std::vector<Digest> digests,
             const EqualFilesOptions& options, const Callbacks& callbacks)
      : files_(files), options_(options), callbacks_(callbacks) {
    ids_.digest = std::move(digests);
  }

  Result<ContentIds> run(std::span<const std::uint8_t> known) {
    choose_by_size(known);
    look_at_heads();
    read_whole();
    if (callbacks_.stop.stop_requested()) {
      return Error{ErrorCode::kCancelled, "the comparison of files was stopped"};
    }
    number_contents();
    std::ranges::sort(ids_.skipped, {}, &Skipped::path);
    return std::move(ids_);
  }

 private:
  // Where there is a known file of the same size there is no head to compare with, and reading
  // that file again would cost as much as it could save.
  void choose_by_size(std::span<const std::uint8_t> known) {
    Indices order(files_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::erase_if(order, [&](std::uint32_t i) { return files_[i].size == 0; });
    const auto size = [&](std::uint32_t i) { return files_[i].size; };
    if (options_.all) {
      std::ranges::copy_if(order, std::back_inserter(whole_),
                           [&](auto i) { return known[i] == 0; });
      return;
    }
    std::ranges::stable_sort(order, {}, size);
    for_each_run(order, size, [&](std::span<const std::uint32_t> run) {
      const auto is_known = [&](std::uint32_t i) { return known[i] != 0; };
      const bool at_once = size(run[0]) <= FileReader::kHead || std::ranges::any_of(run, is_known);
      std::ranges::remove_copy_if(run, std::back_inserter(at_once ? whole_ : heads_), is_known);
    });
  }

  void look_at_heads() {
    std::vector<Digest> head(files_.size());
    const auto look = [&](std::uint32_t i, Monitor& monitor) {
      const auto reader = FileReader::open(files_[i], kFirstLook);
      if (!reader) return monitor.skip(i, reader.error());
      head[i] = digest_of(reader->head());
      monitor.add_bytes(reader->head().size());
    };
    for_each_file(
        heads_, {.stage = "heads", .total_bytes = heads_.size() * kFirstLook, .current = {}}, look);
    std::erase_if(heads_, [&](std::uint32_t i) { return head[i] == Digest{}; });
    const auto key = [&](std::uint32_t i) { return std::tie(files_[i].size, head[i]); };
    std::ranges::sort(heads_, {}, key);
    for_each_run(heads_, key, [&](std::span<const std::uint32_t> run) {
      whole_.insert(whole_.end(), run.begin(), run.end());
    });
  }

  void read_whole() {
    std::ranges::sort(whole_);  // in the order of paths, near to that on the disk
    std::uint64_t total = 0;
    for (const std::uint32_t i : whole_) total += files_[i].size;
    const auto read = [&](std::uint32_t i, Monitor& monitor) {
      auto reader = FileReader::open(files_[i]);
      if (!reader) return monitor.skip(i, reader.error());
      const auto digest = reader->digest([&](std::uint64_t bytes) {
        monitor.add_bytes(bytes);
        return !callbacks_.stop.stop_requested();
      });
      if (!digest) return monitor.skip(i, digest.error());
      ids_.digest[i] = *digest;
      if (options_.digested) options_.digested(i, *digest);
    };
    for_each_file(whole_, {.stage = "digests", .total_bytes = total, .current = {}}, read);
  }

  void for_each_file(const Indices& indices, Progress progress,
                     const std::function<void(std::uint32_t, Monitor&)>& work) {
    progress.total_items = indices.size();
    Monitor monitor(progress, files_, callbacks_, options_.threads);
    parallel_for(indices.size(), options_.threads, callbacks_.stop,
                 [&](std::size_t n, unsigned worker) {
                   monitor.begin(indices[n], worker);
                   work(indices[n], monitor);
                   monitor.end(worker);
                 });
    std::ranges::move(monitor.take_skipped(), std::back_inserter(ids_.skipped));
  }

  void number_contents() {
    ids_.content.resize(files_.size());
    std::iota(ids_.content.begin(), ids_.content.end(), 0U);
    Indices order = ids_.content;
    std::erase_if(
        order, [&](std::uint32_t i) { return files_[i].size == 0 || ids_.digest[i] == Digest{}; });
    const auto key = [&](std::uint32_t i) { return std::tie(files_[i].size, ids_.digest[i]); };
    std::ranges::stable_sort(order, {}, key);
    for_each_run(order, key, [&](std::span<const std::uint32_t> run) {
      for (const std::uint32_t i : run) ids_.content[i] = run[0];
    });
  }

  std::span<const FileEntry> files_;
  const EqualFilesOptions& options_;
  const Callbacks& callbacks_;
  Indices heads_;  // of which the first bytes are compared
  Indices whole_;  // which are read to the end
  ContentIds ids_;
};

}  // namespace

Result<ContentIds> find_equal_files(std::span<const FileEntry> files,
                                    std::span<const std::uint8_t> known,
                                    std::vector<Digest> digests, const EqualFilesOptions& options,
                                    const Callbacks& callbacks) {
  assert(known.size() == files.size() && digests.size() == files.size());
  return EqualFiles(files, std::move(digests), options, callbacks).run(known);
}

}  // namespace twinsift
