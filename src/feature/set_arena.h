// SPDX-License-Identifier: Apache-2.0
// Many token sets, one after the other in one array that can move to disk.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/spill.h"
#include "twinsift/types.h"

namespace twinsift {

class SetArena {
 public:
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(ends_.size()); }
  [[nodiscard]] std::uint64_t tokens() const { return ids_.size(); }
  [[nodiscard]] std::span<const std::uint64_t> set(std::uint32_t i) const {
    const std::uint64_t begin = i == 0 ? 0 : ends_[i - 1];
    return {ids_.data() + begin, ends_[i] - begin};
  }
  Status add(std::span<const std::uint64_t> set) {
    TWINSIFT_TRY([[maybe_unused]] auto done, ids_.append(set));
    ends_.push_back(ids_.size());
    return ok();
  }
  [[nodiscard]] std::size_t resident_bytes() const { return ids_.resident_bytes(); }
  Status spill(const std::string& directory) { return ids_.spill(directory); }
  void release() const { ids_.release(); }

 private:
  SpillVector<std::uint64_t> ids_;
  std::vector<std::uint64_t> ends_;
};

}  // namespace twinsift
