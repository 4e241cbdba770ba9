// SPDX-License-Identifier: Apache-2.0
#include "verify/decide.h"

#include <cassert>

#include "base/bits.h"

namespace twinsift {

Decision decide(const EarlyStopTable& table, std::span<const std::uint64_t> a,
                std::span<const std::uint64_t> b) {
  const std::span<const Look> looks = table.looks;
  assert(a.size() == looks.back().bins && b.size() == looks.back().bins);
  const auto count = [&](std::size_t i) {
    std::uint32_t equal = 0;
    for (std::size_t bin = i == 0 ? 0 : looks[i - 1].bins; bin < looks[i].bins; ++bin) {
      equal += a[bin] == b[bin] ? 1U : 0U;
    }
    return equal;
  };
  return run_looks(looks, count(0), count);
}

Decision decide(const EarlyStopTable& table, const SketchTable& sketches, ItemId a, ItemId b) {
  assert(table.looks.size() == sketches.looks().size());
  const auto count = [&](std::size_t plane) {
    return count_equal(sketches.row(plane, a), sketches.row(plane, b), sketches.width(plane));
  };
  return run_looks(table.looks, count(0), count);
}

void pass_first_look(const EarlyStopTable& table, const SketchTable& sketches,
                     std::span<const std::uint32_t> rows, std::span<const std::uint8_t> equal,
                     std::vector<std::uint32_t>& out) {
  out.clear();
  const Look& first = table.looks.front();
  const bool more = table.looks.size() > 1;
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    if (std::int32_t{equal[i]} * first.weight <= first.reject) continue;
    out.push_back(i);
    if (more) __builtin_prefetch(sketches.row(1, rows[i]));
  }
}

}  // namespace twinsift
