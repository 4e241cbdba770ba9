// SPDX-License-Identifier: Apache-2.0
// Many sets, one after the other in arrays that can move to disk.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/spill.h"
#include "feature/weights.h"
#include "twinsift/types.h"

namespace twinsift {

class SetArena {
 public:
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(ends_.size()); }
  [[nodiscard]] std::uint64_t tokens() const { return ids_.size(); }
  [[nodiscard]] SetView set(std::uint32_t i) const {
    const std::uint64_t begin = i == 0 ? 0 : ends_[i - 1];
    const std::size_t size = ends_[i] - begin;
    if (weights_.size() == 0) return {{ids_.data() + begin, size}, {}};
    return {{ids_.data() + begin, size}, {weights_.data() + begin, size}};
  }
  // Requires: either all sets have weights or none.
  Status add(SetView set) {
    TWINSIFT_TRY([[maybe_unused]] auto done, ids_.append(set.ids));
    TWINSIFT_TRY([[maybe_unused]] auto weighed, weights_.append(set.weights));
    ends_.push_back(ids_.size());
    return ok();
  }
  [[nodiscard]] std::size_t resident_bytes() const {
    return ids_.resident_bytes() + weights_.resident_bytes();
  }
  Status spill(const std::string& directory) {
    TWINSIFT_TRY([[maybe_unused]] auto done, ids_.spill(directory));
    return weights_.spill(directory);
  }
  void release() const {
    ids_.release();
    weights_.release();
  }

 private:
  SpillVector<std::uint64_t> ids_;
  SpillVector<double> weights_;
  std::vector<std::uint64_t> ends_;
};

}  // namespace twinsift
