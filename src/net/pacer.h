// SPDX-License-Identifier: Apache-2.0
// When to publish what: everything once in a period, evenly, and never more than so many in a
// second.
//
// What is new is due at once, as fast as the limit allows; what was published is due again a period
// later, at the place in the period that its own number has, so that what began as a burst is
// spread out after one period.  A network collapses under bursts: 5,000 publications at once left
// 6 of 60,067 replicas two periods later, 50 a second left all.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "net/rate_limit.h"

namespace twinsift::net {

// Of things with numbers, 0, 1, ...  Time as in TokenBucket.
class Pacer {
 public:
  Pacer(double period, const Rate& rate) : period_(period), bucket_(rate) {}

  // This is new, or has changed.
  void add(std::uint64_t thing, double now) {
    remove(thing);
    schedule(thing, now);
  }

  void remove(std::uint64_t thing) {
    if (thing >= due_.size() || !due_[thing]) return;
    queue_.erase({*due_[thing], thing});
    due_[thing].reset();
  }

  // What to publish now, if anything; it is then due again in the next period.
  std::optional<std::uint64_t> next(double now) {
    if (queue_.empty() || queue_.begin()->first > now || !bucket_.take(now)) return std::nullopt;
    const auto [due, thing] = *queue_.begin();
    remove(thing);
    // Between a half and a whole period from now, by the thing's own place.
    const double share = static_cast<double>(mix64(thing) >> 11U) * 0x1p-53;
    const bool settled = rounds_[thing]++ > 0;
    schedule(thing, now + (settled ? period_ : period_ * (0.5 + 0.5 * share)));
    return thing;
  }

  // How many are due and wait for their turn.
  [[nodiscard]] std::size_t waiting(double now) const {
    std::size_t count = 0;
    for (auto due = queue_.begin(); due != queue_.end() && due->first <= now; ++due) ++count;
    return count;
  }
  [[nodiscard]] std::size_t size() const { return queue_.size(); }
  // When the next one is due, unless the limit says later.
  [[nodiscard]] std::optional<double> next_due() const {
    if (queue_.empty()) return std::nullopt;
    return queue_.begin()->first;
  }

 private:
  void schedule(std::uint64_t thing, double due) {
    if (thing >= due_.size()) {
      due_.resize(thing + 1);
      rounds_.resize(thing + 1);
    }
    due_[thing] = due;
    queue_.insert({due, thing});
  }

  double period_;
  TokenBucket bucket_;
  std::set<std::pair<double, std::uint64_t>> queue_;
  std::vector<std::optional<double>> due_;  // by thing
  std::vector<std::uint32_t> rounds_;       // how often it was published
};

}  // namespace twinsift::net
