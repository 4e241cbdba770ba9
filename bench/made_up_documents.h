// SPDX-License-Identifier: Apache-2.0
// Sets that behave as texts do: 75 to 225 ids each.  One in ten ids is a phrase that many documents
// have (phrase number v with a probability of about 1/v), the others are its own.  Three documents
// in ten are a version of an earlier one, at a similarity between .5 and .98.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "feature/set_arena.h"
#include "twinsift/result.h"

namespace twinsift::bench {

class Documents {
 public:
  static Result<Documents> make(std::uint32_t count) {
    Documents documents;
    Rng rng(1);
    std::vector<std::uint64_t> ids;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (i > 0 && rng.below(10) < 3) {
        version(rng, documents.set(rng.below(i)), 0.5 + 0.48 * rng.uniform(), ids);
      } else {
        original(rng, ids);
      }
      TWINSIFT_TRY([[maybe_unused]] auto added,
                   documents.sets_.add(std::span<const std::uint64_t>(ids)));
    }
    return documents;
  }

  [[nodiscard]] std::uint32_t size() const { return sets_.size(); }
  [[nodiscard]] std::span<const std::uint64_t> set(std::uint32_t i) const {
    return sets_.set(i).ids;
  }

  static void original(Rng& rng, std::vector<std::uint64_t>& ids) {
    ids.resize(75 + rng.below(151));
    for (std::uint64_t& id : ids) {
      // exp(uniform) is distributed as 1/v.
      id = rng.below(10) != 0
               ? rng.next()
               : mix64(static_cast<std::uint64_t>(std::exp(rng.uniform() * std::log(1e6))));
    }
    sort_unique(ids);
  }

  // Keeps a share of the ids and replaces the others.
  static void version(Rng& rng, std::span<const std::uint64_t> set, double similarity,
                      std::vector<std::uint64_t>& ids) {
    const double kept = 2 * similarity / (1 + similarity);
    ids.assign(set.begin(), set.end());
    for (std::uint64_t& id : ids) {
      if (rng.uniform() >= kept) id = rng.next();
    }
    sort_unique(ids);
  }

 private:
  static void sort_unique(std::vector<std::uint64_t>& ids) {
    std::ranges::sort(ids);
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  }
  SetArena sets_;
};

}  // namespace twinsift::bench
