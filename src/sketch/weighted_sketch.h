// SPDX-License-Identifier: Apache-2.0
// What the samplers of weighted sets have in common: k samples, each equal with probability
//     J_W(A, B) = sum_x min(A(x), B(x)) / sum_x max(A(x), B(x)).
#pragma once

#include "base/hash.h"
#include "base/portable_math.h"
#include "base/random.h"
#include "twinsift/sketch.h"

namespace twinsift {

// A sampler of weighted sets; `sketch_weighted` is all that is left to write.  J_W is estimated by
// the share of equal components.
class WeightedSketcher : public Sketcher {
 public:
  [[nodiscard]] std::string spec() const override;
  [[nodiscard]] std::uint32_t k() const override { return k_; }

  // Every id has weight 1, however often it comes.
  void sketch_ids(std::span<const std::uint64_t> ids, std::span<std::uint64_t> out) const override;

  // A WeightedSet need not be in canonical form; its bad weights are refused as in weights.h.
  // A TokenSet has weights of 1.
  [[nodiscard]] Result<Sketch> sketch(const Feature& feature) const override;
  [[nodiscard]] Estimate similarity(const Sketch& a, const Sketch& b) const override;

  // Always kUnsupported: a component does not say how good its sample was, so that nobody could
  // tell which of two samples the union would have.
  [[nodiscard]] Result<Sketch> merge(const Sketch& a, const Sketch& b) const override;

 protected:
  WeightedSketcher(std::string_view name, std::uint32_t k, std::uint64_t seed);

  // Requires: the set is canonical and not empty; out.size() == k().
  virtual Status sketch_weighted(const WeightedSet& set, std::span<std::uint64_t> out) const = 0;
  [[nodiscard]] std::uint64_t seed() const { return seed_; }

 private:
  std::string_view name_;
  std::uint32_t k_;
  std::uint64_t seed_;
};

// Fails if the sketches of `sketcher` know no weights.
Status require_weighted(const Sketcher& sketcher);

// The component that stands for part `part` of element `id`: different ones differ but for a
// chance of 2^-64.  Not symmetric in its arguments, as small ids and small parts would meet.
constexpr std::uint64_t sample_component(std::uint64_t id, std::uint64_t part) {
  return permute64(id, seed_key(0x7765696768746564U, part));
}

// A number from Gamma(2, 1): the sum of two exponential ones.
constexpr double gamma2(Rng& rng) {
  const double u1 = rng.uniform();
  const double u2 = rng.uniform();
  return -portable_log(u1 * u2);
}

}  // namespace twinsift
