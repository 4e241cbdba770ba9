// SPDX-License-Identifier: Apache-2.0
#include "sketch/set_sketch.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "base/permute.h"

namespace twinsift {

std::span<const std::uint64_t> premix_all(std::span<const std::uint64_t> ids) {
  thread_local std::vector<std::uint64_t> premixed;
  premixed.resize(ids.size());
  premix_many(ids, premixed.data());
  // SIMD has no use for a remainder, and a set does not mind an element that comes twice.
  premixed.resize((ids.size() + 7) / 8 * 8, premixed.back());
  return premixed;
}

Result<Sketch> sketch_token_set(const Sketcher& sketcher, const Feature& feature) {
  const auto* set = std::get_if<TokenSet>(&feature.value);
  if (set == nullptr) {
    return Error{ErrorCode::kInvalidArgument, sketcher.spec() + " sketches sets only"};
  }
  Sketch sketch(set->empty() ? 0 : sketcher.k());
  if (!set->empty()) sketcher.sketch_ids(*set, sketch);
  return sketch;
}

Estimate estimate_by_matches(const Sketch& a, const Sketch& b) {
  if (a.empty() || b.empty()) return {.value = a.empty() && b.empty() ? 1.0 : 0.0, .std_error = 0};
  assert(a.size() == b.size());
  const auto k = static_cast<double>(a.size());
  std::size_t equal = 0;
  for (std::size_t i = 0; i < a.size(); ++i) equal += a[i] == b[i] ? 1U : 0U;
  const double j = static_cast<double>(equal) / k;
  return {.value = j, .std_error = std::sqrt(j * (1 - j) / k)};
}

Sketch componentwise_minimum(const Sketch& a, const Sketch& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  assert(a.size() == b.size());
  Sketch merged(a.size());
  std::ranges::transform(a, b, merged.begin(), [](auto x, auto y) { return std::min(x, y); });
  return merged;
}

void make_codes(std::span<const std::uint64_t> sketch, std::span<std::uint8_t> codes) {
  assert(codes.size() == sketch.size());
  for (std::size_t i = 0; i < sketch.size(); ++i) {
    codes[i] = static_cast<std::uint8_t>(code_bits_of(sketch[i], i) >> 24U);
  }
}

}  // namespace twinsift
