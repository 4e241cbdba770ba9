// SPDX-License-Identifier: Apache-2.0
// Which way candidates are found:
//   auto        prefix1 where it is cheaper than sketching, otherwise banding1
//   banding1    sketches that agree in all rows of some band; see tune/tune.h
//   prefix1     the exact prefix filter; see index/prefix.h
//   sortmerge1  items that share a value, by two sorts; see group/sort_merge.h.  max=N leaves out
//               values that more than N items share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "twinsift/result.h"

namespace twinsift {

enum class GeneratorKind : std::uint8_t { kAuto, kBanding, kPrefix, kSortMerge };

struct GeneratorOptions {
  GeneratorKind kind = GeneratorKind::kAuto;
  std::uint32_t max_items = 1000;  // sortmerge1: of a value that is followed
};

// "auto", "banding1", "prefix1", "sortmerge1", "sortmerge1:max=5000".
Result<GeneratorOptions> parse_generator(std::string_view spec);

// In full, as in "sortmerge1:max=1000".
std::string generator_spec(const GeneratorOptions& options);

}  // namespace twinsift
