// SPDX-License-Identifier: Apache-2.0
#include "tune/strangers.h"

#include <cassert>
#include <cmath>

#include "base/tails.h"

namespace twinsift {
namespace {

// The largest t with P(Bin(bits, p) < t) <= lost.
std::uint32_t largest_threshold(std::uint32_t bits, double p, double lost) {
  std::uint32_t low = 0;  // P(.. < 0) = 0
  std::uint32_t high = bits;
  while (low < high) {
    const std::uint32_t middle = high - (high - low) / 2;
    if (binomial_below(bits, p, middle) <= lost) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

double asked_given(const std::array<double, kSketches + 1>& met,
                   const std::array<double, kSketches>& pass) {
  double asked = 0;
  for (std::size_t c = 1; c <= kSketches; ++c) asked += met[c] * pass[c - 1];
  return asked;
}

}  // namespace

double hash_agreement(std::uint32_t width, double s) {
  return s + (1 - s) * std::ldexp(1.0, -static_cast<int>(width));
}

double label_equal(const LabelShape& shape, double s) {
  const double one = std::pow(hash_agreement(shape.width, s), shape.hashes);
  return -std::expm1(shape.labels * std::log1p(-one));
}

SketchThresholds sketch_thresholds(std::uint32_t least_agreeing, double similarity) {
  assert(least_agreeing <= kSketchBits && similarity >= 0 && similarity <= 1);
  SketchThresholds least{least_agreeing};
  if (least_agreeing == 0) return least;
  const double p = (1 + similarity) / 2;
  const double lost = binomial_below(kSketchBits, p, least_agreeing);
  for (std::uint32_t c = 2; c <= kSketches; ++c) {
    least[c - 1] = largest_threshold(c * kSketchBits, p, lost);
  }
  return least;
}

std::array<double, kSketches + 1> sketches_met(std::uint32_t labels, double equal) {
  const auto in_one_of = [&](std::uint32_t tables) {
    return tables == 0 ? 0.0 : -std::expm1(tables * std::log1p(-equal));
  };
  // Tables are dealt out in turn: the first sketches have one more than the others.
  const double few = in_one_of(labels / kSketches);
  const double more = in_one_of(labels / kSketches + 1);
  std::array<double, kSketches + 1> met{1};
  for (std::uint32_t which = 0; which < kSketches; ++which) {
    const double one = which < labels % kSketches ? more : few;
    for (std::uint32_t c = which + 1; c > 0; --c) met[c] = met[c] * (1 - one) + met[c - 1] * one;
    met[0] *= 1 - one;
  }
  return met;
}

std::array<double, kSketches> sketches_pass(const SketchThresholds& least, double s) {
  std::array<double, kSketches> pass{};
  for (std::uint32_t c = 1; c <= kSketches; ++c) {
    pass[c - 1] = binomial_at_least(c * kSketchBits, (1 + s) / 2, least[c - 1]);
  }
  return pass;
}

double asked_share(const LabelShape& shape, const SketchThresholds& least, double s) {
  const double equal = std::pow(hash_agreement(shape.width, s), shape.hashes);
  return asked_given(sketches_met(shape.labels, equal), sketches_pass(least, s));
}

Strangers::Strangers(std::span<const WeightedSimilarity> shares, double similarity,
                     std::uint32_t least_agreeing) {
  const SketchThresholds least = sketch_thresholds(least_agreeing, similarity);
  for (const auto& [s, weight] : shares) {
    if (s < similarity) bins_.push_back({s, weight, sketches_pass(least, s)});
  }
}

double Strangers::asked(const LabelShape& shape) const {
  double asked = 0;
  for (const Bin& bin : bins_) {
    const double equal = std::pow(hash_agreement(shape.width, bin.s), shape.hashes);
    asked += bin.weight * asked_given(sketches_met(shape.labels, equal), bin.pass);
  }
  return asked;
}

}  // namespace twinsift
