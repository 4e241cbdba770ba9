// SPDX-License-Identifier: Apache-2.0
// Indexes of vectors of floats: which stored vectors may lie near a given one.
//
// Another interface than Index (twinsift/index.h), which is an immutable family of keys for
// sketches of sets: here the keys depend on the data (medians, centres), a question may look at
// more buckets than its own, and vectors come and go.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

using VectorView = std::span<const float>;

// Vectors of one dimension, one after another.
struct VectorRows {
  std::span<const float> values;
  std::size_t dimension = 0;
  [[nodiscard]] std::size_t size() const { return dimension == 0 ? 0 : values.size() / dimension; }
  [[nodiscard]] VectorView operator[](std::size_t i) const {
    return values.subspan(i * dimension, dimension);
  }
};

// kInvalidArgument if there is no dimension, a row is not whole, or a number is NaN or infinite.
Status check_vectors(const VectorRows& rows);

// Euclidean, summed in a fixed order, so that it is the same number everywhere.
double squared_distance(VectorView a, VectorView b);

struct VectorMatch {
  ItemId id;
  double distance;
  friend bool operator==(const VectorMatch&, const VectorMatch&) = default;
};

// Any number of threads may ask between changes; a change needs the caller's lock.
class VectorIndex {
 public:
  virtual ~VectorIndex() = default;

  // Canonical description, e.g. "pstable1:v=8,l=20,r=4,seed=0".
  [[nodiscard]] virtual std::string spec() const = 0;
  [[nodiscard]] virtual std::size_t size() const = 0;

  // Ids are chosen by the caller; memory grows with the largest.  kInvalidArgument if the id is
  // taken or the vector has another dimension or a number that is not finite; kUnsupported if the
  // index is built once and for all.
  [[nodiscard]] virtual Status insert(ItemId id, VectorView vector) = 0;
  // kNotFound if there is no such id.
  [[nodiscard]] virtual Status erase(ItemId id) = 0;

  // Replaces `out` by ascending ids, each once.
  [[nodiscard]] virtual Status candidates(VectorView vector, std::vector<ItemId>& out) const = 0;
  // Those of them within a Euclidean distance, by ascending ids.
  [[nodiscard]] Status near(VectorView vector, double radius, std::vector<VectorMatch>& out) const;

 protected:
  [[nodiscard]] virtual VectorView row(ItemId id) const = 0;  // Requires: the id is there.
};

// "hamming1:...", "pstable1:...", "balanced1:...", "multiprobe2:...": see docs/algorithms.  What
// depends on the data is learned from `training`; `items` get the ids 0, 1, ...
// kInvalidArgument if either is not valid, or they have different dimensions.
Result<std::unique_ptr<VectorIndex>> make_vector_index(std::string_view spec,
                                                       const VectorRows& training,
                                                       const VectorRows& items);

}  // namespace twinsift
