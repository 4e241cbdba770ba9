// SPDX-License-Identifier: Apache-2.0
#include "verify/similarity.h"

#include <algorithm>
#include <cmath>

namespace twinsift {
namespace {

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 1.0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

std::uint64_t intersection_size(std::span<const std::uint64_t> a,
                                std::span<const std::uint64_t> b) {
  std::uint64_t both = 0;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {  // no branch depends on the values
    const std::uint64_t x = a[i];
    const std::uint64_t y = b[j];
    both += x == y ? 1U : 0U;
    i += x <= y ? 1U : 0U;
    j += y <= x ? 1U : 0U;
  }
  return both;
}

double jaccard(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  const std::uint64_t both = intersection_size(a, b);
  return ratio(both, a.size() + b.size() - both);
}

double jaccard_at_least(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b,
                        double threshold) {
  const double smaller = static_cast<double>(std::min(a.size(), b.size()));
  const double larger = static_cast<double>(std::max(a.size(), b.size()));
  if (smaller < threshold * larger) return -1;
  const double result = jaccard(a, b);
  return result >= threshold ? result : -1;
}

Evidence set_evidence(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  const std::uint64_t both = intersection_size(a, b);
  Evidence evidence;
  evidence.jaccard = ratio(both, a.size() + b.size() - both);
  evidence.containment_a = ratio(both, a.size());
  evidence.containment_b = ratio(both, b.size());
  evidence.shared = both;
  evidence.total_a = a.size();
  evidence.total_b = b.size();
  return evidence;
}

}  // namespace twinsift
