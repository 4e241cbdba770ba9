// SPDX-License-Identifier: Apache-2.0
#include "tune/chord_hops.h"

#include <bit>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <vector>

namespace twinsift {
namespace {

constexpr double kStep = 1.0 / 32;  // of the grid, at most
constexpr double kMost = 1 << 15;   // mean gaps on the grid, at most

// The mean of h over distances up to `gaps`.  The grid halves the ring, so that fingers stand on
// it.
double mean_forwards(double gaps) {
  std::size_t points = 1;
  while (gaps / static_cast<double>(points) > kStep) points *= 2;
  const double step = gaps / static_cast<double>(points);
  const double decay = std::exp(-step);
  std::vector<double> h(points + 1, 0);
  std::vector<double> g(points / 2 + 1, 0);
  double sum = 0;
  for (std::size_t i = 1; i <= points; ++i) {
    // At a finger itself nobody can be between: the one before it counts.
    const std::size_t finger = std::has_single_bit(i) ? i / 2 : std::bit_floor(i);
    const std::size_t rest = i - finger;
    h[i] = i == 1 ? -std::expm1(-step)
                  : g[rest] + std::exp(-step * static_cast<double>(rest)) * h[finger];
    if (i < g.size()) g[i] = decay * g[i - 1] + (1 - decay) * (1 + (h[i - 1] + h[i]) / 2);
    sum += (h[i - 1] + h[i]) / 2;
  }
  return sum / static_cast<double>(points);
}

}  // namespace

double chord_forwards(double peers) {
  assert(peers >= 1);
  // Twice as many peers have one finger more, which half of all lookups use.
  double more = 0;
  while (peers > kMost) {
    peers /= 2;
    more += 0.5;
  }
  return peers <= 2 ? 0 : mean_forwards(peers - 1) + more;
}

}  // namespace twinsift
