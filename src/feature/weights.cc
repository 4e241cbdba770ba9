// SPDX-License-Identifier: Apache-2.0
#include "feature/weights.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <tuple>

#include <fmt/format.h>

#include "feature/token_set.h"

namespace twinsift {
namespace {

struct Element {
  std::uint64_t id;
  double weight;
  std::size_t index;  // in the input, for messages
};

Error bad_weight(std::size_t index, std::string_view what) {
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("the weight of element {} {}", index, what)};
}

}  // namespace

Result<WeightedSet> make_weighted_set(std::span<const std::uint64_t> ids,
                                      std::span<const double> weights) {
  if (ids.size() != weights.size()) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("{} ids have {} weights", ids.size(), weights.size())};
  }
  std::vector<Element> elements;
  elements.reserve(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (std::isnan(weights[i])) return bad_weight(i, "is not a number");
    if (std::isinf(weights[i])) return bad_weight(i, "is infinite");
    if (weights[i] < 0) return bad_weight(i, "is negative");
    if (weights[i] > 0) elements.push_back({ids[i], weights[i], i});
  }
  // By weight too, so that duplicates are added in the same order whatever the input's order is.
  std::ranges::sort(elements, {}, [](const Element& e) { return std::tuple(e.id, e.weight); });
  WeightedSet set;
  for (const Element& e : elements) {
    if (!set.tokens.empty() && set.tokens.back() == e.id) {
      set.weights.back() += e.weight;
      if (std::isinf(set.weights.back())) {
        return bad_weight(e.index, "overflows when it is added to those of the same id");
      }
    } else {
      set.tokens.push_back(e.id);
      set.weights.push_back(e.weight);
    }
  }
  return set;
}

bool is_canonical(const WeightedSet& set) {
  const auto good = [](double w) { return w > 0 && std::isfinite(w); };
  return set.tokens.size() == set.weights.size() &&
         std::ranges::adjacent_find(set.tokens, std::greater_equal<>()) == set.tokens.end() &&
         std::ranges::all_of(set.weights, good);
}

WeightedSet unit_weights(std::span<const std::uint64_t> ids) {
  WeightedSet set{.tokens = TokenSet(ids.begin(), ids.end()), .weights = {}};
  make_set(set.tokens);
  set.weights.assign(set.tokens.size(), 1.0);
  return set;
}

}  // namespace twinsift
