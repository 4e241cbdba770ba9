// SPDX-License-Identifier: Apache-2.0
#include "run/recorder.h"

#include <chrono>
#include <utility>

#include "run/run.h"

namespace twinsift {
namespace {

// What may wait for the writer; more, and those who learn it wait, too.
constexpr std::uint64_t kMostQueued = std::uint64_t{64} << 20U;

ContentRecord record_of(const LearntContent& content) {
  ContentRecord record{.digest = content.digest, .detector = content.detector};
  if (!content.description) {
    record.state = ContentState::kFailed;
    record.failure = content.description.error();
    return record;
  }
  record.facts = content.description->facts;
  const auto& features = content.description->features;
  if (!features.empty()) record.features = view_of(features.front());
  if (!record.features.ids.empty()) record.state = ContentState::kFeatures;
  return record;
}

std::uint64_t bytes_of(const LearntContent& content) {
  if (!content.description || content.description->features.empty()) return 0;
  const SetView set = view_of(content.description->features.front());
  return set.ids.size_bytes() + set.weights.size_bytes();
}

}  // namespace

Recorder::~Recorder() {
  static_cast<void>(wait());
  thread_.request_stop();
}

// Whoever is not among the claimed any more is in the collection already: hence in this order.
Result<bool> Recorder::claim(DetectorId detector, const Digest& digest) {
  {
    const std::scoped_lock lock(mutex_);
    if (!claimed_.emplace(detector, digest).second) return false;
  }
  const auto known = collection_.content_state(detector, digest);
  if (known && !*known) return true;
  const std::scoped_lock lock(mutex_);
  claimed_.erase({detector, digest});
  if (!known) return known.error();
  return false;
}

void Recorder::put(LearntContent content) {
  const std::uint64_t bytes = bytes_of(content);
  enqueue(&Batch::contents, std::move(content), bytes);
}

void Recorder::put(FileRecord file) {
  const std::uint64_t bytes = file.key.path.size();
  enqueue(&Batch::files, std::move(file), bytes);
}

template <class Record>
void Recorder::enqueue(std::vector<Record> Batch::*list, Record record, std::uint64_t bytes) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return queue_.bytes < kMostQueued; });
  (queue_.*list).push_back(std::move(record));
  const bool first = queue_.bytes == 0;
  queue_.bytes += bytes + sizeof(Record);
  if (!thread_.joinable()) {
    thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
  }
  const bool full = queue_.bytes >= kMostQueued;
  lock.unlock();
  if (first || full) changed_.notify_all();
}

void Recorder::work(const std::stop_token& stop) {
  constexpr std::chrono::milliseconds kGather{10};
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [&] { return queue_.bytes != 0; })) {
    changed_.wait_for(lock, stop, kGather, [&] { return hurry_ || queue_.bytes >= kMostQueued; });
    Batch batch = std::exchange(queue_, {});
    writing_ = true;
    lock.unlock();
    changed_.notify_all();
    const Status written = write(batch);
    lock.lock();
    if (!written && !lost_) lost_ = written.error();
    for (const LearntContent& content : batch.contents) {
      claimed_.erase({content.detector, content.digest});
    }
    writing_ = false;
    changed_.notify_all();
  }
}

Status Recorder::write(Batch& batch) {
  std::vector<ContentRecord> records;
  for (const LearntContent& content : batch.contents) records.push_back(record_of(content));
  const Status put = put_unless_in_trouble(records, batch.files);
  if (put) return ok();
  // One content that is too large to be stored does not keep the others from it.
  const bool one_by_one = put.error().code == ErrorCode::kInvalidArgument;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (one_by_one && put_unless_in_trouble(std::span(&records[i], 1), {})) continue;
    TWINSIFT_TRY([[maybe_unused]] auto kept, otherwise_(std::move(batch.contents[i])));
  }
  for (std::size_t i = 0; one_by_one && i < batch.files.size(); ++i) {
    static_cast<void>(put_unless_in_trouble({}, std::span(&batch.files[i], 1)));
  }
  return ok();
}

Status Recorder::put_unless_in_trouble(std::span<const ContentRecord> contents,
                                       std::span<const FileRecord> files) {
  if (std::string before = trouble(); !before.empty()) return Error{ErrorCode::kIo, before};
  Status put = collection_.put(contents, files);
  if (!put && put.error().code != ErrorCode::kInvalidArgument) {
    give_up(put.error().message);
  }
  return put;
}

Status Recorder::wait() {
  std::unique_lock lock(mutex_);
  hurry_ = true;
  changed_.notify_all();
  changed_.wait(lock, [&] { return queue_.bytes == 0 && !writing_; });
  hurry_ = false;
  return lost_ ? Status(*lost_) : ok();
}

void Recorder::give_up(std::string trouble) {
  const std::scoped_lock lock(mutex_);
  trouble_ = std::move(trouble);
}

std::string Recorder::trouble() const {
  const std::scoped_lock lock(mutex_);
  return trouble_;
}

}  // namespace twinsift
