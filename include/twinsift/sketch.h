// SPDX-License-Identifier: Apache-2.0
// SEAM 2: where sketch algorithms plug in.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

// Turns a feature into a small fixed-size summary whose agreement estimates similarity.
// Implementations are immutable: any number of threads may share one.
class TWINSIFT_EXPORT Sketcher {
 public:
  virtual ~Sketcher() = default;

  // Canonical description, e.g. "fss1:k=256,seed=7": equal specs give equal sketches on
  // every machine.  It is stored in every index, and an index refuses any other spec.
  [[nodiscard]] virtual std::string spec() const = 0;

  // Number of components of a sketch.
  [[nodiscard]] virtual std::uint32_t k() const = 0;

  // Whether components may be empty (UINT64_MAX), as those of small sets are in sketches
  // that give each element one place.  Whoever indexes them must fill them first.
  [[nodiscard]] virtual bool leaves_empty() const { return false; }

  // Whether the share of equal components, all of them filled, has the mean J and varies no more
  // than that of independent ones: what is promised of the recall relies on it.
  [[nodiscard]] virtual bool bounded_variance() const { return true; }

  // Sketches a token set; the ids may repeat and come in any order.
  // Requires: !ids.empty() and out.size() == k().
  virtual void sketch_ids(std::span<const std::uint64_t> ids,
                          std::span<std::uint64_t> out) const = 0;

  // The sketch of the empty set is the empty vector.  Fails with kInvalidArgument if this
  // algorithm does not sketch features of that kind.
  [[nodiscard]] virtual Result<Sketch> sketch(const Feature& feature) const = 0;

  // J(empty, empty) = 1 and J(empty, x) = 0, by convention; index and groups never ask.
  [[nodiscard]] virtual Estimate similarity(const Sketch& a, const Sketch& b) const = 0;

  // The sketch of the union; kUnsupported if the algorithm cannot merge.
  [[nodiscard]] virtual Result<Sketch> merge(const Sketch& a, const Sketch& b) const = 0;
};

// "fss1", "fss1:k=256,seed=7", "minhash1:k=128": see docs/algorithms.
TWINSIFT_EXPORT Result<std::unique_ptr<Sketcher>> make_sketcher(std::string_view spec);

}  // namespace twinsift
