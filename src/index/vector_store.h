// SPDX-License-Identifier: Apache-2.0
// The vectors of an index, by id.
#pragma once

#include <vector>

#include "index/vector_index.h"

namespace twinsift {

class VectorStore {
 public:
  explicit VectorStore(std::size_t dimension) : dimension_(dimension) {}

  [[nodiscard]] std::size_t dimension() const { return dimension_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool holds(ItemId id) const { return id < alive_.size() && alive_[id]; }
  [[nodiscard]] VectorView operator[](ItemId id) const {  // Requires: holds(id).
    return VectorView(values_).subspan(std::size_t{id} * dimension_, dimension_);
  }

  // kInvalidArgument if it has another dimension, or a number that is not finite.
  [[nodiscard]] Status check(VectorView vector) const;
  // The same, and if the id is taken; kLimit if it is too large.
  [[nodiscard]] Status insert(ItemId id, VectorView vector);
  void erase(ItemId id);  // Requires: holds(id).

 private:
  std::size_t dimension_;
  std::vector<float> values_;
  std::vector<bool> alive_;
  std::size_t size_ = 0;
};

}  // namespace twinsift
