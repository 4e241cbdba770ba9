// SPDX-License-Identifier: Apache-2.0
#include "run/contents.h"

#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "feature/set_arena.h"
#include "run/run.h"

namespace twinsift {
namespace {

class ContentsInMemory final : public Contents {
 public:
  ContentsInMemory(std::uint64_t memory, std::string temp_dir)
      : memory_(memory), temp_dir_(std::move(temp_dir)) {}

  Result<bool> claim(const Digest& digest, std::uint32_t medium) override {
    const std::scoped_lock lock(mutex_);
    const auto [place, inserted] = entries_.try_emplace(digest);
    if (inserted) place->second.medium = medium;
    return inserted;
  }

  Status learn(const Digest& digest, std::uint32_t medium,
               const Result<Description>& description) override {
    const std::scoped_lock lock(mutex_);
    Entry& entry = entries_[digest];
    entry.medium = medium;
    if (!description) {
      entry.failure = description.error();
      return ok();
    }
    entry.facts = description->facts;
    if (description->features.empty()) return ok();
    const SetView set = view_of(description->features.front());
    if (set.ids.empty()) return ok();
    entry.features = features_.size();
    TWINSIFT_TRY([[maybe_unused]] auto added, features_.add(set));
    return limit_memory(set);
  }

  Result<std::optional<KnownContent>> find(const Digest& digest) const override {
    const auto found = entries_.find(digest);
    if (found == entries_.end()) return std::optional<KnownContent>();
    const Entry& entry = found->second;
    KnownContent content{.medium = entry.medium, .facts = entry.facts, .failure = entry.failure};
    if (entry.features) content.features = features_.set(*entry.features);
    return std::optional(std::move(content));
  }

 private:
  struct Entry {
    std::uint32_t medium = 0;
    std::vector<Fact> facts;
    std::optional<std::uint32_t> features;  // place in features_
    std::optional<Error> failure;
  };

  Status limit_memory(SetView added) {
    unreleased_ += added.ids.size_bytes() + added.weights.size_bytes();
    if (unreleased_ < memory_) return ok();
    unreleased_ = 0;
    TWINSIFT_TRY([[maybe_unused]] auto spilled, features_.spill(temp_dir_));
    features_.release();
    return ok();
  }

  std::uint64_t memory_;
  std::string temp_dir_;
  std::mutex mutex_;  // guards the rest while contents are learnt
  std::map<Digest, Entry> entries_;
  SetArena features_;             // in the order in which contents were decoded
  std::uint64_t unreleased_ = 0;  // bytes of them that may be in memory
};

class ContentsInCollection final : public Contents {
 public:
  ContentsInCollection(StoredContentsOptions options, std::unique_ptr<Contents> rest)
      : options_(std::move(options)), rest_(std::move(rest)), writable_(options_.writable) {}

  Result<bool> claim(const Digest& digest, std::uint32_t medium) override {
    TWINSIFT_TRY(const auto known, stored(digest, medium));
    const bool again = known && known->state == ContentState::kFailed && options_.retry_failed;
    if (known && !again) return false;
    return rest_->claim(digest, medium);
  }

  Status learn(const Digest& digest, std::uint32_t medium,
               const Result<Description>& description) override {
    const DetectorId detector = options_.detectors[medium];
    // That a decoder could not be started says nothing about the content.
    const bool passing = !description && (description.error().code == ErrorCode::kIo ||
                                          description.error().code == ErrorCode::kCancelled);
    if (!writable() || detector == 0 || passing) return rest_->learn(digest, medium, description);
    ContentRecord record{.digest = digest, .detector = detector};
    if (!description) {
      record.state = ContentState::kFailed;
      record.failure = description.error();
    } else {
      record.facts = description->facts;
      if (!description->features.empty()) record.features = view_of(description->features.front());
      if (!record.features.ids.empty()) record.state = ContentState::kFeatures;
    }
    const Status put = options_.collection->put(record);
    if (put) return ok();
    give_up(put.error().message);
    return rest_->learn(digest, medium, description);
  }

  Result<std::optional<KnownContent>> find(const Digest& digest) const override {
    for (std::uint32_t medium = 0; medium < options_.detectors.size(); ++medium) {
      TWINSIFT_TRY(auto record, stored(digest, medium));
      if (!record) continue;
      return std::optional(KnownContent{.medium = medium,
                                        .features = record->features,
                                        .facts = std::move(record->facts),
                                        .failure = std::move(record->failure)});
    }
    return rest_->find(digest);
  }

  [[nodiscard]] std::string trouble() const override { return trouble_; }

 private:
  [[nodiscard]] Result<std::optional<ContentRecord>> stored(const Digest& digest,
                                                            std::uint32_t medium) const {
    const DetectorId detector = options_.detectors[medium];
    if (detector == 0) return std::optional<ContentRecord>();
    return options_.collection->content(detector, digest);
  }

  bool writable() {
    const std::scoped_lock lock(mutex_);
    return writable_;
  }
  // A full disk must not cost the run, only the memory of it.
  void give_up(const std::string& why) {
    const std::scoped_lock lock(mutex_);
    writable_ = false;
    if (trouble_.empty()) trouble_ = why;
  }

  StoredContentsOptions options_;
  std::unique_ptr<Contents> rest_;
  std::mutex mutex_;  // guards the next two
  bool writable_;
  std::string trouble_;
};

}  // namespace

std::unique_ptr<Contents> contents_in_memory(std::uint64_t memory, std::string temp_dir) {
  return std::make_unique<ContentsInMemory>(memory, std::move(temp_dir));
}

std::unique_ptr<Contents> contents_in_collection(StoredContentsOptions options,
                                                 std::unique_ptr<Contents> rest) {
  return std::make_unique<ContentsInCollection>(std::move(options), std::move(rest));
}

}  // namespace twinsift
