// SPDX-License-Identifier: Apache-2.0
#include "sketch/lecture.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "base/random.h"
#include "sketch/set_sketch.h"

namespace twinsift {
namespace {

bool is_prime(std::uint64_t n) {
  if (n < 2) return false;
  for (std::uint64_t d = 2; d * d <= n; ++d) {
    if (n % d == 0) return false;
  }
  return true;
}

}  // namespace

LectureSketcher::LectureSketcher(const LectureModuli& moduli, std::uint32_t k, std::uint64_t seed)
    : moduli_(moduli), seed_(seed), functions_(k) {
  assert(k > 0 && k <= 65536 && 0 < moduli.rows && moduli.rows <= moduli.prime);
  Rng rng(seed);
  for (Function& pi : functions_) {
    pi.a = 1 + rng.below(moduli_.prime - 1);
    pi.b = rng.below(moduli_.prime);
  }
}

std::string LectureSketcher::spec() const {
  return fmt::format("lecture1:rows={},prime={},k={},seed={}", moduli_.rows, moduli_.prime, k(),
                     seed_);
}

void LectureSketcher::sketch_ids(std::span<const std::uint64_t> ids,
                                 std::span<std::uint64_t> out) const {
  assert(!ids.empty() && out.size() == k());
  std::ranges::fill(out, UINT64_MAX);
  for (const std::uint64_t id : ids) {
    const std::uint64_t row = id % moduli_.rows;
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = std::min(out[i], apply(functions_[i], row));
  }
}

Result<Sketch> LectureSketcher::sketch(const Feature& feature) const {
  return sketch_token_set(*this, feature);
}

Estimate LectureSketcher::similarity(const Sketch& a, const Sketch& b) const {
  return estimate_by_matches(a, b);
}

Result<Sketch> LectureSketcher::merge(const Sketch& a, const Sketch& b) const {
  return componentwise_minimum(a, b);
}

Result<std::unique_ptr<Sketcher>> make_lecture(const SketchSpec& spec) {
  const LectureModuli usual;
  TWINSIFT_TRY(const std::uint64_t prime,
               spec.number("prime", {.fallback = usual.prime, .low = 2, .high = UINT32_MAX}));
  TWINSIFT_TRY(const std::uint64_t rows,
               spec.number("rows", {.fallback = usual.rows, .low = 1, .high = UINT32_MAX}));
  TWINSIFT_TRY(const std::uint64_t k, spec.number("k", kComponents));
  TWINSIFT_TRY(const std::uint64_t seed, spec.number("seed", {}));
  if (!is_prime(prime)) return spec.error(fmt::format("{} is not prime", prime));
  if (rows > prime) return spec.error("prime may not be below rows");
  const LectureModuli moduli{.prime = static_cast<std::uint32_t>(prime),
                             .rows = static_cast<std::uint32_t>(rows)};
  return std::unique_ptr<Sketcher>(
      std::make_unique<LectureSketcher>(moduli, static_cast<std::uint32_t>(k), seed));
}

}  // namespace twinsift
