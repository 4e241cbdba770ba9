// SPDX-License-Identifier: Apache-2.0
// A file of its own, because it is compiled without vectorisation.
#include "bench/scalar_compare.h"

namespace twinsift::bench {

std::uint32_t scalar_matches(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  std::uint32_t matches = 0;
  for (std::size_t i = 0; i < a.size(); ++i) matches += a[i] == b[i] ? 1U : 0U;
  return matches;
}

}  // namespace twinsift::bench
