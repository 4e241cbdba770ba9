// SPDX-License-Identifier: Apache-2.0
// SEAM 3: where indexes plug in: which pairs are worth looking at.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

// A family of locality-sensitive hash tables.  It gives each item one key per table; two items
// are candidates if their keys agree in some table.  The buckets themselves are the same for
// every family and live in one place (src/index/buckets.h).
// Implementations are immutable: any number of threads may share one.
class TWINSIFT_EXPORT Index {
 public:
  virtual ~Index() = default;

  // Canonical description, e.g. "banding1:b=26,r=8".
  [[nodiscard]] virtual std::string spec() const = 0;

  [[nodiscard]] virtual std::uint32_t tables() const = 0;

  // Requires: keys.size() == tables().
  virtual void keys(const Sketch& sketch, std::span<std::uint32_t> keys) const = 0;

  // P(candidates) of two items of this similarity, if components agree independently.
  [[nodiscard]] virtual double found(double similarity) const = 0;
};

// "banding1:b=26,r=8": see docs/algorithms.
TWINSIFT_EXPORT Result<std::unique_ptr<Index>> make_index(std::string_view spec);

}  // namespace twinsift
