// SPDX-License-Identifier: Apache-2.0
// Puts what many threads learn into a collection.
//
// A thread of its own takes what has come within the last hundredth of a second and puts it with
// one call, so that nobody waits for a lock, for the disk, or for a segment that is being made, and
// a run that is killed loses no more than that.  A collection that cannot be written (the disk is
// full) must not cost the run, only the memory of it: then nothing more is put, and contents go
// elsewhere.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "store/collection.h"
#include "twinsift/media.h"
#include "twinsift/result.h"

namespace twinsift {

struct LearntContent {
  Digest digest;
  std::uint32_t medium = 0;  // its place among the media of the run
  DetectorId detector = 0;
  Result<Description> description;
};

// Threads may share one.
class Recorder {
 public:
  // `otherwise` gets the contents that could not be put, from one thread at a time.
  using Otherwise = std::function<Status(LearntContent)>;
  Recorder(Collection& collection, Otherwise otherwise)
      : collection_(collection), otherwise_(std::move(otherwise)) {}
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  ~Recorder();

  // True: nobody has put this content, and the caller will.
  Result<bool> claim(DetectorId detector, const Digest& digest);
  void put(LearntContent content);
  void put(FileRecord file);
  // Returns when all that was put is in the collection, or elsewhere; the first error of
  // `otherwise`, if there was one.
  Status wait();

  // From now on nothing is put.
  void give_up(std::string trouble);
  // Why nothing is put any more; empty: all is well.
  [[nodiscard]] std::string trouble() const;

 private:
  struct Batch {
    std::vector<LearntContent> contents;
    std::vector<FileRecord> files;
    std::uint64_t bytes = 0;  // 0: nothing
  };

  template <class Record>
  void enqueue(std::vector<Record> Batch::*list, Record record, std::uint64_t bytes);
  void work(const std::stop_token& stop);
  Status write(Batch& batch);
  Status put_unless_in_trouble(std::span<const ContentRecord> contents,
                               std::span<const FileRecord> files);

  Collection& collection_;
  Otherwise otherwise_;
  mutable std::mutex mutex_;  // guards the rest
  std::condition_variable_any changed_;
  Batch queue_;
  std::set<std::pair<DetectorId, Digest>> claimed_;  // and not in the collection yet
  bool writing_ = false;
  bool hurry_ = false;  // somebody waits
  std::string trouble_;
  std::optional<Error> lost_;  // what `otherwise` said
  std::jthread thread_;        // started when there is something to do
};

}  // namespace twinsift
