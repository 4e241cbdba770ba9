// SPDX-License-Identifier: Apache-2.0
// What a user sends into the ring with a paper's own algorithms: sketches and filters by their
// specs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "twinsift/eval.h"
#include "twinsift/result.h"
#include "twinsift/sketch.h"
#include "verify/filter.h"

namespace twinsift {

// The sketcher of a spec; what the spec does not say of k and seed is as given.
Result<std::unique_ptr<Sketcher>> make_competitor(std::string_view spec, std::uint32_t k,
                                                  std::uint64_t seed);

// A sketch and how two of them are compared.
struct Competitor {
  std::string sketch;  // the spec in full
  std::uint32_t k = 0;
  FilterOptions filter;
  [[nodiscard]] std::string name() const;  // "fss1:k=1000,seed=1, gs1:error=0.0001"
};

// What stands in for the part that was not asked for, and the limits of the paper's setting.
struct CompetitorDefaults {
  std::string sketch;
  std::string filter;
  std::uint32_t k = 1000;
  std::uint32_t most_k = 65536;
};

// Each sketch of the options with each filter.  kInvalidArgument if a spec is none or if the filter
// cannot have the sketch.
Result<std::vector<Competitor>> make_competitors(const EvalOptions& options,
                                                 const CompetitorDefaults& defaults);

// The filters alone, each checked against k components.
Result<std::vector<FilterOptions>> parse_filters(const std::vector<std::string>& specs,
                                                 std::uint32_t k);

}  // namespace twinsift
