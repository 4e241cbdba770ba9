// SPDX-License-Identifier: Apache-2.0
#include "store/key_sort.h"

#include <utility>
#include <vector>

#include "base/external_sort.h"
#include "base/radix.h"
#include "base/spill.h"
#include "store/bytes.h"

namespace twinsift {
namespace {

struct KeyRow {
  std::uint32_t key;
  std::uint32_t row;
  friend bool operator<(const KeyRow& a, const KeyRow& b) {
    return std::pair(a.key, a.row) < std::pair(b.key, b.row);
  }
  static bool absorb(const KeyRow& /*next*/) { return false; }
};

constexpr std::uint64_t kBytesPerRow = 20;  // a key, and the word that is sorted, twice

// Numbers on their way into a section.
class WordWriter {
 public:
  explicit WordWriter(SectionOutput& output) : output_(output) {}
  Status put(std::uint32_t word) {
    append(buffer_, word);
    return buffer_.size() < kBuffer ? ok() : flush();
  }
  Status flush() {
    TWINSIFT_TRY([[maybe_unused]] auto written, output_.write(buffer_));
    buffer_.clear();
    return ok();
  }

 private:
  static constexpr std::size_t kBuffer = std::size_t{64} << 10U;
  SectionOutput& output_;
  std::string buffer_;
};

Status sort_in_memory(std::span<const std::uint32_t> keys, SectionOutput& output) {
  std::vector<std::uint64_t> words(keys.size());
  std::vector<std::uint64_t> scratch;
  for (std::size_t row = 0; row < keys.size(); ++row) {
    words[row] = std::uint64_t{keys[row]} << 32U | row;
  }
  radix_sort(words, 32, scratch);
  WordWriter writer(output);
  for (const std::uint64_t word : words) {
    TWINSIFT_TRY([[maybe_unused]] auto key, writer.put(static_cast<std::uint32_t>(word >> 32U)));
  }
  for (const std::uint64_t word : words) {
    TWINSIFT_TRY([[maybe_unused]] auto row, writer.put(static_cast<std::uint32_t>(word)));
  }
  return writer.flush();
}

// The rows wait until all keys are written.
Status sort_on_disk(std::span<const std::uint32_t> keys, const KeySort& task,
                    SectionOutput& output) {
  ExternalSorter<KeyRow> sorter(task.memory / 2, task.temp_dir);
  for (std::uint32_t row = 0; row < keys.size(); ++row) {
    TWINSIFT_TRY([[maybe_unused]] auto added, sorter.add({keys[row], row}));
  }
  ByteQueue rows(task.memory / 4, task.temp_dir);
  WordWriter writer(output);
  const auto take = [&](const KeyRow& entry) -> Status {
    TWINSIFT_TRY([[maybe_unused]] auto key, writer.put(entry.key));
    std::string bytes;
    append(bytes, entry.row);
    return rows.append(bytes);
  };
  if (!keys.empty()) {
    TWINSIFT_TRY([[maybe_unused]] auto sorted, sorter.drain(take));
  }
  TWINSIFT_TRY([[maybe_unused]] auto flushed, writer.flush());
  return output.write(rows);
}

}  // namespace

Status write_sorted_keys(const KeySort& task, ByteQueue& column, SectionOutput& output) {
  const bool in_memory = task.rows * kBytesPerRow <= task.memory;
  SpillVector<std::uint32_t> keys;
  if (!in_memory) {
    TWINSIFT_TRY([[maybe_unused]] auto spilled, keys.spill(task.temp_dir));
  }
  TWINSIFT_TRY([[maybe_unused]] auto room, keys.resize(task.rows));
  std::size_t at = 0;
  const auto take = [&](std::string_view piece) {
    if (!piece.empty()) {
      std::memcpy(reinterpret_cast<char*>(keys.data()) + at, piece.data(), piece.size());
    }
    at += piece.size();
    return ok();
  };
  TWINSIFT_TRY([[maybe_unused]] auto read, column.drain(take));
  if (task.patch) {
    TWINSIFT_TRY([[maybe_unused]] auto patched, task.patch(task.table, keys.span()));
  }
  return in_memory ? sort_in_memory(keys.span(), output) : sort_on_disk(keys.span(), task, output);
}

}  // namespace twinsift
