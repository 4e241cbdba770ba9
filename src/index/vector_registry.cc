// SPDX-License-Identifier: Apache-2.0
// The tables of indexes of vectors, and of the families behind them.
#include <fmt/format.h>

#include "index/balanced.h"
#include "index/hamming.h"
#include "index/multiprobe.h"
#include "index/pstable.h"

namespace twinsift {
namespace {

struct Entry {
  std::string_view name;
  Result<std::unique_ptr<VectorIndex>> (*make)(std::string_view spec, const VectorRows& training,
                                               const VectorRows& items);
};

constexpr Entry kVectorIndexes[] = {
    {"hamming1", make_basic_lsh},
    {"pstable1", make_basic_lsh},
    {"balanced1", make_balanced},
    {"multiprobe2", make_multiprobe},
};

}  // namespace

Result<std::unique_ptr<VectorFamily>> make_family(const IndexSpec& spec,
                                                  const VectorRows& training) {
  TWINSIFT_TRY(const auto family, spec.choice("family", {"hamming", "pstable"}));
  if (family == 0 && !spec.text("r", "").empty()) return spec.error("r is for family=pstable");
  if (family == 1 && !spec.text("theta", "").empty()) {
    return spec.error("theta is for family=hamming");
  }
  return family == 0 ? make_hamming_family(spec, training) : make_pstable_family(spec, training);
}

Result<std::unique_ptr<VectorIndex>> make_vector_index(std::string_view spec,
                                                       const VectorRows& training,
                                                       const VectorRows& items) {
  TWINSIFT_TRY([[maybe_unused]] const auto first, check_vectors(training));
  TWINSIFT_TRY([[maybe_unused]] const auto second, check_vectors(items));
  if (training.dimension != items.dimension) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("an index of dimension {} cannot hold vectors of dimension {}",
                             training.dimension, items.dimension)};
  }
  for (const Entry& entry : kVectorIndexes) {
    if (entry.name == index_name(spec)) return entry.make(spec, training, items);
  }
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("\"{}\" is not an index of vectors: try multiprobe2:v=16,l=10", spec)};
}

}  // namespace twinsift
