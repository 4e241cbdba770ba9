// SPDX-License-Identifier: Apache-2.0
#include "index/vector_store.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

namespace twinsift {
namespace {

constexpr ItemId kMaxId = (1U << 28U) - 1;  // an id far off would take all memory

Error bad(std::string message) { return {ErrorCode::kInvalidArgument, std::move(message)}; }

}  // namespace

Status check_vectors(const VectorRows& rows) {
  if (rows.dimension == 0) return bad("vectors must have at least one component");
  if (rows.values.size() % rows.dimension != 0) {
    return bad(fmt::format("{} numbers are not a whole number of vectors of dimension {}",
                           rows.values.size(), rows.dimension));
  }
  for (std::size_t i = 0; i < rows.values.size(); ++i) {
    if (!std::isfinite(rows.values[i])) {
      return bad(fmt::format("component {} of vector {} is not a finite number", i % rows.dimension,
                             i / rows.dimension));
    }
  }
  return ok();
}

double squared_distance(VectorView a, VectorView b) {
  assert(a.size() == b.size());
  double lanes[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= a.size(); i += 4) {
    for (std::size_t j = 0; j < 4; ++j) {
      const double d = double{a[i + j]} - double{b[i + j]};
      lanes[j] += d * d;
    }
  }
  for (; i < a.size(); ++i) {
    const double d = double{a[i]} - double{b[i]};
    lanes[0] += d * d;
  }
  return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

Status VectorIndex::near(VectorView vector, double radius, std::vector<VectorMatch>& out) const {
  out.clear();
  std::vector<ItemId> ids;
  TWINSIFT_TRY([[maybe_unused]] const auto asked, candidates(vector, ids));
  for (const ItemId id : ids) {
    const double distance = std::sqrt(squared_distance(vector, row(id)));
    if (distance <= radius) out.push_back({id, distance});
  }
  return ok();
}

Status VectorStore::check(VectorView vector) const {
  if (vector.size() != dimension_) {
    return bad(fmt::format("a vector of dimension {} was given to an index of dimension {}",
                           vector.size(), dimension_));
  }
  return check_vectors({vector, dimension_});
}

Status VectorStore::insert(ItemId id, VectorView vector) {
  TWINSIFT_TRY([[maybe_unused]] const auto checked, check(vector));
  if (holds(id)) return bad(fmt::format("the id {} is taken", id));
  if (id > kMaxId) {
    return Error{ErrorCode::kLimit,
                 fmt::format("ids of an index of vectors are at most {}", kMaxId)};
  }
  if (id >= alive_.size()) {
    alive_.resize(std::size_t{id} + 1);
    values_.resize(alive_.size() * dimension_);
  }
  std::ranges::copy(vector, values_.begin() + static_cast<std::ptrdiff_t>(id * dimension_));
  alive_[id] = true;
  ++size_;
  return ok();
}

void VectorStore::erase(ItemId id) {
  assert(holds(id));
  alive_[id] = false;
  --size_;
  while (!alive_.empty() && !alive_.back()) alive_.pop_back();
  values_.resize(alive_.size() * dimension_);
}

}  // namespace twinsift
