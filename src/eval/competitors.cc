// SPDX-License-Identifier: Apache-2.0
#include "eval/competitors.h"

#include <fmt/format.h>

#include "sketch/spec.h"

namespace twinsift {
namespace {

// Whether a filter can compare k components does not depend on the threshold.
Status check_filter(const FilterOptions& filter, std::uint32_t k) {
  TWINSIFT_TRY([[maybe_unused]] auto table,
               make_filter(filter, {.k = k, .threshold_permille = 700, .looks = {}}));
  return ok();
}

std::vector<std::string> or_default(const std::vector<std::string>& specs,
                                    const std::string& otherwise) {
  return specs.empty() ? std::vector{otherwise} : specs;
}

}  // namespace

Result<std::unique_ptr<Sketcher>> make_competitor(std::string_view spec, std::uint32_t k,
                                                  std::uint64_t seed) {
  std::string full(spec);
  if (!spec_has(full, "k")) full = with_key(full, "k", std::to_string(k));
  if (!spec_has(full, "seed")) full = with_key(full, "seed", std::to_string(seed));
  return make_sketcher(full);
}

std::string Competitor::name() const {
  if (filter.kind == FilterKind::kNone) return sketch;
  return fmt::format("{}, {}", sketch, filter_spec(filter));
}

Result<std::vector<Competitor>> make_competitors(const EvalOptions& options,
                                                 const CompetitorDefaults& defaults) {
  std::vector<Competitor> competitors;
  if (options.sketches.empty() && options.filters.empty()) return competitors;
  for (const std::string& spec : or_default(options.sketches, defaults.sketch)) {
    TWINSIFT_TRY(const auto sketcher, make_competitor(spec, defaults.k, options.seed));
    if (sketcher->k() > defaults.most_k) {
      return bad_sketch_spec(spec, fmt::format("k is at most {} here", defaults.most_k));
    }
    TWINSIFT_TRY(const std::vector<FilterOptions> filters,
                 parse_filters(or_default(options.filters, defaults.filter), sketcher->k()));
    for (const FilterOptions& filter : filters) {
      competitors.push_back({sketcher->spec(), sketcher->k(), filter});
    }
  }
  return competitors;
}

Result<std::vector<FilterOptions>> parse_filters(const std::vector<std::string>& specs,
                                                 std::uint32_t k) {
  std::vector<FilterOptions> filters;
  for (const std::string& spec : specs) {
    TWINSIFT_TRY(const FilterOptions filter, parse_filter(spec));
    TWINSIFT_TRY([[maybe_unused]] auto checked, check_filter(filter, k));
    filters.push_back(filter);
  }
  return filters;
}

}  // namespace twinsift
