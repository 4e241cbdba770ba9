// SPDX-License-Identifier: Apache-2.0
#include "index/banding.h"

#include <cassert>

#include <fmt/format.h>

#include "base/hash.h"
#include "tune/tune.h"

namespace twinsift {

BandingIndex::BandingIndex(std::uint32_t bands, std::uint32_t rows) : bands_(bands), rows_(rows) {
  assert(bands > 0 && rows > 0);
  for (std::uint64_t i = 0; i < rows; ++i) factors_.push_back(seed_key(rows, i) | 1U);
}

std::string BandingIndex::spec() const { return fmt::format("banding1:b={},r={}", bands_, rows_); }

void BandingIndex::keys(const Sketch& sketch, std::span<std::uint32_t> keys) const {
  assert(sketch.size() >= std::size_t{bands_} * rows_ && keys.size() == bands_);
  const std::uint64_t* component = sketch.data();
  for (std::uint32_t band = 0; band < bands_; ++band) {
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < rows_; ++i) sum += *component++ * factors_[i];
    keys[band] = static_cast<std::uint32_t>(mix64(sum) >> 32U);
  }
}

double BandingIndex::found(double similarity) const {
  return banding_probability(similarity, bands_, rows_);
}

}  // namespace twinsift
