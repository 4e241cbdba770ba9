// SPDX-License-Identifier: Apache-2.0
#include "sketch/icws.h"

#include <bit>
#include <cmath>
#include <limits>

namespace twinsift {

IcwsDraw icws_draw(std::uint64_t id, std::uint64_t key) {
  Rng rng(permute64(id, key));
  IcwsDraw draw;
  draw.r = gamma2(rng);
  draw.c = gamma2(rng);
  draw.beta = rng.uniform();
  return draw;
}

IcwsPoint icws_point(double log_weight, const IcwsDraw& draw) {
  IcwsPoint point;
  point.t = std::floor(log_weight / draw.r + draw.beta);
  point.log_y = draw.r * (point.t - draw.beta);
  point.log_a = portable_log(draw.c) - point.log_y - draw.r;
  return point;
}

IcwsSketcher::IcwsSketcher(std::uint32_t k, std::uint64_t seed)
    : WeightedSketcher("icws1", k, seed) {}

Status IcwsSketcher::sketch_weighted(const WeightedSet& set, std::span<std::uint64_t> out) const {
  std::vector<double> logs(set.weights.size());
  for (std::size_t j = 0; j < logs.size(); ++j) logs[j] = portable_log(set.weights[j]);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::uint64_t key = seed_key(seed(), i);
    double best = std::numeric_limits<double>::infinity();
    std::size_t winner = 0;
    double t = 0;
    for (std::size_t j = 0; j < logs.size(); ++j) {
      const IcwsPoint point = icws_point(logs[j], icws_draw(set.tokens[j], key));
      if (point.log_a >= best) continue;
      best = point.log_a;
      winner = j;
      t = point.t;
    }
    // The bits of t, with -0 as 0: t can be too large for an integer.
    out[i] = sample_component(set.tokens[winner], std::bit_cast<std::uint64_t>(t + 0.0));
  }
  return ok();
}

}  // namespace twinsift
