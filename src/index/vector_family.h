// SPDX-License-Identifier: Apache-2.0
// Families of hash functions for vectors, as the indexes of vectors use them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "index/spec.h"
#include "index/vector_index.h"

namespace twinsift {

// One step to a neighbouring key: its cost is the square of the distance to the border that lies
// between.  Steps of different coordinates may be joined; their costs and steps add up.
struct Move {
  double cost;
  std::uint32_t coordinate;  // of the key, 0 to V-1
  std::uint64_t step;        // to add to the key
};

// What a key is made of: V whole numbers, in the order of the functions.
using Cells = std::vector<std::int64_t>;

// L functions from vectors to keys of 64 bits.  Immutable: any number of threads may share one.
class VectorFamily {
 public:
  virtual ~VectorFamily() = default;

  // What stands in a spec after the name: "v=8,l=20,r=4,seed=0".
  [[nodiscard]] virtual std::string parameters() const = 0;
  [[nodiscard]] virtual std::uint32_t tables() const = 0;

  // All require: table < tables(), and a vector of the family's dimension, all finite.
  [[nodiscard]] virtual std::uint64_t key(VectorView vector, std::uint32_t table) const = 0;
  // The same key; replaces `cells` by what it is made of, and `moves` by all steps of one
  // coordinate, in any order.
  virtual std::uint64_t key(VectorView vector, std::uint32_t table, Cells& cells,
                            std::vector<Move>& moves) const = 0;
};

// "family=hamming" (the default) or "family=pstable" of a spec, and the keys of that family.
Result<std::unique_ptr<VectorFamily>> make_family(const IndexSpec& spec,
                                                  const VectorRows& training);

}  // namespace twinsift
