// SPDX-License-Identifier: Apache-2.0
// The sketches of all items as byte codes, stored by plane: plane p holds, for every item, the
// components between two looks of the early stop.  The first look reads 64 bytes of one compact
// array and is all that most pairs ever need.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/spill.h"
#include "twinsift/types.h"

namespace twinsift {

// Looks for k components: the first is one cache line, then each doubles; the last is k.
// Requires: k > 0.
std::vector<std::uint32_t> doubling_looks(std::uint32_t k);

class SketchTable {
 public:
  // `looks` ascend and end with the number of components: {64, 128, 256}.
  explicit SketchTable(std::vector<std::uint32_t> looks);

  [[nodiscard]] const std::vector<std::uint32_t>& looks() const { return looks_; }
  [[nodiscard]] std::uint32_t components() const { return looks_.back(); }
  [[nodiscard]] std::size_t size() const { return planes_.front().size() / looks_.front(); }

  // Appends whole items, components() bytes each.
  Status append(std::span<const std::uint8_t> codes);

  [[nodiscard]] std::uint32_t width(std::size_t plane) const {
    return looks_[plane] - (plane == 0 ? 0 : looks_[plane - 1]);
  }
  [[nodiscard]] const std::uint8_t* plane(std::size_t plane) const { return planes_[plane].data(); }
  [[nodiscard]] const std::uint8_t* row(std::size_t plane, ItemId item) const {
    return planes_[plane].data() + std::size_t{width(plane)} * item;
  }

  [[nodiscard]] std::size_t resident_bytes() const;
  Status spill(const std::string& directory);
  void release() const;

 private:
  std::vector<std::uint32_t> looks_;
  std::vector<SpillVector<std::uint8_t>> planes_;
};

}  // namespace twinsift
