// SPDX-License-Identifier: Apache-2.0
#include "run/contents.h"

#include <map>
#include <mutex>
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
               Result<Description> description) override {
    const std::scoped_lock lock(mutex_);
    Entry& entry = entries_[digest];
    entry.medium = medium;
    entry.learnt = true;
    if (!description) {
      entry.failure = description.error();
      return ok();
    }
    entry.facts = std::move(description->facts);
    if (description->features.empty()) return ok();
    const SetView set = view_of(description->features.front());
    if (set.ids.empty()) return ok();
    SetArena& arena = set.packed ? packed_ : sets_;
    entry.features = arena.size();
    entry.packed = set.packed;
    TWINSIFT_TRY([[maybe_unused]] auto added, arena.add(set));
    return limit_memory(set);
  }

  Result<bool> knows(const Digest& digest) const override { return entries_.contains(digest); }

  Result<std::optional<KnownContent>> find(const Digest& digest) const override {
    const auto found = entries_.find(digest);
    if (found == entries_.end() || !found->second.learnt) return std::optional<KnownContent>();
    const Entry& entry = found->second;
    KnownContent content{.medium = entry.medium, .facts = entry.facts, .failure = entry.failure};
    if (entry.features) {
      content.features = (entry.packed ? packed_ : sets_).set(*entry.features);
      content.features.packed = entry.packed;
    }
    return std::optional(std::move(content));
  }

 private:
  struct Entry {
    std::uint32_t medium = 0;
    bool learnt = false;  // not only claimed
    std::vector<Fact> facts;
    bool packed = false;
    std::optional<std::uint32_t> features;  // place in packed_ or sets_
    std::optional<Error> failure;
  };

  Status limit_memory(SetView added) {
    unreleased_ += added.ids.size_bytes() + added.weights.size_bytes();
    if (unreleased_ < memory_) return ok();
    unreleased_ = 0;
    for (SetArena* arena : {&sets_, &packed_}) {
      TWINSIFT_TRY([[maybe_unused]] auto spilled, arena->spill(temp_dir_));
      arena->release();
    }
    return ok();
  }

  std::uint64_t memory_;
  std::string temp_dir_;
  std::mutex mutex_;  // guards the rest while contents are learnt
  std::map<Digest, Entry> entries_;
  SetArena sets_;  // in the order in which contents were decoded
  SetArena packed_;
  std::uint64_t unreleased_ = 0;  // bytes of them that may be in memory
};

class ContentsInCollection final : public Contents {
 public:
  ContentsInCollection(StoredContentsOptions options, Contents& rest)
      : options_(std::move(options)), rest_(rest) {}

  Result<bool> claim(const Digest& digest, std::uint32_t medium) override {
    TWINSIFT_TRY(const bool known, is_stored(digest, medium));
    if (known) return false;
    return rest_.claim(digest, medium);
  }

  Status learn(const Digest& digest, std::uint32_t medium,
               Result<Description> description) override {
    const DetectorId detector = options_.detectors[medium];
    // That a decoder is not there, or could not be started, says nothing about the content.
    const bool passing = !description && (description.error().code == ErrorCode::kIo ||
                                          description.error().code == ErrorCode::kNotFound ||
                                          description.error().code == ErrorCode::kCancelled);
    if (options_.recorder == nullptr || detector == 0 || passing) {
      return rest_.learn(digest, medium, std::move(description));
    }
    options_.recorder->put(LearntContent{digest, medium, detector, std::move(description)});
    return ok();
  }

  Result<bool> knows(const Digest& digest) const override {
    for (std::uint32_t medium = 0; medium < options_.detectors.size(); ++medium) {
      TWINSIFT_TRY(const bool known, is_stored(digest, medium));
      if (known) return true;
    }
    return rest_.knows(digest);
  }

  Result<std::optional<KnownContent>> find(const Digest& digest) const override {
    for (std::uint32_t medium = 0; medium < options_.detectors.size(); ++medium) {
      const DetectorId detector = options_.detectors[medium];
      if (detector == 0) continue;
      TWINSIFT_TRY(auto record, options_.collection->content(detector, digest));
      if (!record) continue;
      if (record->failure && options_.retry_failed) {  // what was tried again may be in the rest
        TWINSIFT_TRY(auto tried, rest_.find(digest));
        if (tried) return tried;
      }
      return std::optional(KnownContent{.medium = medium,
                                        .features = record->features,
                                        .facts = std::move(record->facts),
                                        .failure = std::move(record->failure)});
    }
    return rest_.find(digest);
  }

 private:
  [[nodiscard]] Result<bool> is_stored(const Digest& digest, std::uint32_t medium) const {
    const DetectorId detector = options_.detectors[medium];
    if (detector == 0) return false;
    TWINSIFT_TRY(const auto state, options_.collection->content_state(detector, digest));
    return state && !(state == ContentState::kFailed && options_.retry_failed);
  }

  StoredContentsOptions options_;
  Contents& rest_;
};

}  // namespace

std::unique_ptr<Contents> contents_in_memory(std::uint64_t memory, std::string temp_dir) {
  return std::make_unique<ContentsInMemory>(memory, std::move(temp_dir));
}

std::unique_ptr<Contents> contents_in_collection(StoredContentsOptions options, Contents& rest) {
  return std::make_unique<ContentsInCollection>(std::move(options), rest);
}

}  // namespace twinsift
