// SPDX-License-Identifier: Apache-2.0
// The filters by name: from what the user types to a table of looks.
//
//   gs1[:full|:true][,error=E]       early_stop.h; without a mode, true with the last look bounded
//   goph1[:exact][,groups=N,error=E] goph.h
//   hoph1[:ratio=A:B,groups=N,error=E]  hoph_filter.h
//   cws1[:error=E]                   cws_filter.h
//   bayes1[:error=E]                 bayes.h
//   none                             the full comparison
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "twinsift/result.h"
#include "verify/early_stop.h"
#include "verify/filter_parts.h"

namespace twinsift {

enum class FilterKind : std::uint8_t { kGroupSequential, kGoph, kHoph, kCws, kBayes, kNone };
// kDefault of gs1 is "true mode, with the last look bounded"; kExact is the tail of goph1.
enum class FilterMode : std::uint8_t { kDefault, kFull, kTrue, kExact };

// Fields that a filter does not have keep their defaults.
struct FilterOptions {
  FilterKind kind = FilterKind::kGroupSequential;
  FilterMode mode = FilterMode::kDefault;
  double error = 1e-4;
  std::uint32_t groups = 10;
  std::uint32_t ratio_a = 1;  // of hoph1
  std::uint32_t ratio_b = 1;
  friend bool operator==(const FilterOptions&, const FilterOptions&) = default;
};

// kInvalidArgument with a message that names the spec and what is wrong with it.
Result<FilterOptions> parse_filter(std::string_view spec);

// The spec in full; parse_filter makes the same options of it.
std::string filter_spec(const FilterOptions& options);

// The least number of components, k or more, that the filter can divide into its groups.
std::uint32_t whole_groups(const FilterOptions& options, std::uint32_t k);

// The table for one task.  Without looks in the task the filter chooses its own.  With looks,
// which is where the planes of a SketchTable end, it stops there or not at all.
// kInvalidArgument if the task or its combination with the filter is impossible.
Result<EarlyStopTable> make_filter(const FilterOptions& options, const FilterTask& task);

}  // namespace twinsift
