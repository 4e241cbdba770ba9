// SPDX-License-Identifier: Apache-2.0
// The one comparison loop: every filter is a table of looks, and this runs it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sketch/table.h"
#include "twinsift/types.h"
#include "verify/early_stop.h"

namespace twinsift {

struct Decision {
  Verdict verdict = Verdict::kOpen;  // kOpen: even the last look leaves it to exact verification
  std::uint32_t bins = 0;            // components read
  friend bool operator==(const Decision&, const Decision&) = default;
};

// Two whole sketches.  Requires: both have as many components as the last look.
Decision decide(const EarlyStopTable& table, std::span<const std::uint64_t> a,
                std::span<const std::uint64_t> b);

// Two rows of byte codes.  Requires: the table has the looks of the sketches.
Decision decide(const EarlyStopTable& table, const SketchTable& sketches, ItemId a, ItemId b);

// The places of those `rows` whose first look, with equal[i] of its 64 components, does not reject.
// Their second plane lies anywhere in memory and is asked for ahead.  Replaces `out`.
void pass_first_look(const EarlyStopTable& table, const SketchTable& sketches,
                     std::span<const std::uint32_t> rows, std::span<const std::uint8_t> equal,
                     std::vector<std::uint32_t>& out);

// The loop itself, from the equal components of the first look on; count_equal(i) counts those
// between look i - 1 and look i.  Inline, because it is the hot path of verification.
template <class CountEqual>
Decision run_looks(std::span<const Look> looks, std::uint32_t equal, CountEqual&& count_equal) {
  std::int32_t count = 0;
  for (std::size_t i = 0;;) {
    const Look& look = looks[i];
    count += static_cast<std::int32_t>(equal) * look.weight;
    if (count <= look.reject) return {Verdict::kReject, look.bins};
    if (count >= look.accept) return {Verdict::kAccept, look.bins};
    if (++i == looks.size()) return {Verdict::kOpen, look.bins};
    equal = count_equal(i);
  }
}

}  // namespace twinsift
