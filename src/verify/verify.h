// SPDX-License-Identifier: Apache-2.0
// From candidates to matches: the early stop on sketches, then exact similarity of features.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "feature/set_arena.h"
#include "sketch/table.h"
#include "twinsift/result.h"
#include "twinsift/types.h"
#include "verify/early_stop.h"

namespace twinsift {

// A set that stays valid as long as this does.
struct SharedSet {
  SetView set;
  std::shared_ptr<const WeightedSet> owner;  // null if somebody else keeps the set
};

// Where the exact sets of items come from.  Thread-safe.
class FeatureSets {
 public:
  virtual ~FeatureSets() = default;
  // Fails if an input cannot be read again.
  virtual Result<SharedSet> get(ItemId item) = 0;
};

// Sets that are at hand: item i has set rows[i] of an arena.
class StoredSets final : public FeatureSets {
 public:
  StoredSets(const SetArena& arena, std::span<const std::uint32_t> rows)
      : arena_(arena), rows_(rows) {}
  Result<SharedSet> get(ItemId item) override {
    return SharedSet{arena_.set(rows_[item]), nullptr};
  }

 private:
  const SetArena& arena_;
  std::span<const std::uint32_t> rows_;
};

// Sets that are made again from the input when they are needed, and remembered while there is
// room.
class RemadeSets final : public FeatureSets {
 public:
  // Makes the set of one item, canonical, without weights if it has none; called from many
  // threads.
  using Maker = std::function<Result<WeightedSet>(ItemId)>;
  RemadeSets(Maker maker, std::size_t bytes) : maker_(std::move(maker)), room_(bytes) {}
  Result<SharedSet> get(ItemId item) override;

 private:
  Maker maker_;
  std::size_t room_;
  std::mutex mutex_;
  std::unordered_map<ItemId, std::shared_ptr<const WeightedSet>> cache_;
  std::vector<ItemId> order_;  // of arrival: the oldest go first
  std::size_t oldest_ = 0;
};

// Decides pairs of items.  Threads may share one.
class PairJudge {
 public:
  virtual ~PairJudge() = default;
  // Takes those out of `candidates` that a cheap look says are below the threshold.
  virtual void filter(ItemId item, std::vector<ItemId>& candidates) const = 0;
  // The exact similarity of a pair, or -1 if it is below the threshold.
  [[nodiscard]] virtual Result<double> similarity(ItemId a, ItemId b) const = 0;
};

// Decides pairs of sets.  Immutable but for the cache of its features.
class Verifier final : public PairJudge {
 public:
  struct Options {
    double threshold = 0;
    const SketchTable* sketches = nullptr;  // null: no sketches, exact comparison at once
    EarlyStopTable early_stop{};
    std::span<const std::uint32_t> rows{};  // row of the sketch table of each item
  };
  Verifier(Options options, FeatureSets& features)
      : options_(std::move(options)), features_(features) {}

  // The cheap look is at the sketches.
  void filter(ItemId item, std::vector<ItemId>& candidates) const override;
  [[nodiscard]] Result<double> similarity(ItemId a, ItemId b) const override;

 private:
  [[nodiscard]] bool survives(std::uint32_t row_a, std::uint32_t row_b,
                              std::uint32_t matches) const;

  Options options_;
  FeatureSets& features_;
};

}  // namespace twinsift
