// SPDX-License-Identifier: Apache-2.0
// A file of its own, because it is compiled without vectorisation.
#include "bench/scalar_sketch.h"

#include <algorithm>
#include <vector>

#include "base/hash.h"

namespace twinsift::bench {

// The mixing that all components share is done once for each element: whoever writes a plain loop
// would do the same, and a baseline must not be slow on purpose.
void scalar_minwise(std::span<const std::uint64_t> ids, std::span<std::uint64_t> out) {
  std::vector<std::uint64_t> premixed;
  premixed.reserve(ids.size());
  for (const std::uint64_t id : ids) premixed.push_back(premix64(id));
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::uint64_t key = seed_key(0, i);
    std::uint64_t smallest = UINT64_MAX;
    for (const std::uint64_t x : premixed) smallest = std::min(smallest, permute_premixed(x, key));
    out[i] = smallest;
  }
}

}  // namespace twinsift::bench
