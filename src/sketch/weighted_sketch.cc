// SPDX-License-Identifier: Apache-2.0
#include "sketch/weighted_sketch.h"

#include <cassert>

#include <fmt/format.h>

#include "feature/weights.h"
#include "sketch/set_sketch.h"

namespace twinsift {

WeightedSketcher::WeightedSketcher(std::string_view name, std::uint32_t k, std::uint64_t seed)
    : name_(name), k_(k), seed_(seed) {
  assert(k > 0 && k <= 65536);
}

std::string WeightedSketcher::spec() const {
  return fmt::format("{}:k={},seed={}", name_, k_, seed_);
}

void WeightedSketcher::sketch_ids(std::span<const std::uint64_t> ids,
                                  std::span<std::uint64_t> out) const {
  assert(!ids.empty() && out.size() == k_);
  const WeightedSet set = unit_weights(ids);
  if (sketch_weighted(set, out)) return;
  // Only a closed vocabulary refuses ids, and this call cannot say so.  Such a set is like itself
  // alone.
  std::uint64_t hash = seed_;
  for (const std::uint64_t id : set.tokens) hash = permute64(id, hash);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = seed_key(hash, i);
}

Result<Sketch> WeightedSketcher::sketch(const Feature& feature) const {
  WeightedSet canonical;
  const auto* set = std::get_if<WeightedSet>(&feature.value);
  if (const auto* tokens = std::get_if<TokenSet>(&feature.value)) {
    canonical = unit_weights(*tokens);
    set = &canonical;
  } else if (set == nullptr) {
    return Error{ErrorCode::kInvalidArgument, spec() + " sketches sets and weighted sets only"};
  } else if (!is_canonical(*set)) {
    TWINSIFT_TRY(canonical, make_weighted_set(set->tokens, set->weights));
    set = &canonical;
  }
  Sketch sketch(set->tokens.empty() ? 0 : k_);
  if (!sketch.empty()) {
    TWINSIFT_TRY([[maybe_unused]] const auto done, sketch_weighted(*set, sketch));
  }
  return sketch;
}

Estimate WeightedSketcher::similarity(const Sketch& a, const Sketch& b) const {
  return estimate_by_matches(a, b);
}

Result<Sketch> WeightedSketcher::merge(const Sketch& /*a*/, const Sketch& /*b*/) const {
  return Error{ErrorCode::kUnsupported,
               spec() + " cannot merge: a sample does not tell which of two a union would take"};
}

Status require_weighted(const Sketcher& sketcher) {
  if (dynamic_cast<const WeightedSketcher*>(&sketcher) != nullptr) return ok();
  return Error{
      ErrorCode::kInvalidArgument,
      fmt::format("{} sketches sets without weights: use dart1, icws1 or cws1", sketcher.spec())};
}

}  // namespace twinsift
