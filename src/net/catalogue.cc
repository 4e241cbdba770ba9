// SPDX-License-Identifier: Apache-2.0
#include "net/catalogue.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace twinsift::net {

Result<Catalogue::Change> Catalogue::read() {
  TWINSIFT_TRY(const std::vector<Resource> resources, shelf_.resources());
  Change change;
  for (auto known = numbers_.begin(); known != numbers_.end();) {
    if (std::ranges::binary_search(resources, known->first)) {
      ++known;
      continue;
    }
    change.gone.push_back(known->second);
    known = numbers_.erase(known);
  }
  for (const Resource& resource : resources) {
    if (numbers_.contains(resource)) continue;
    std::uint32_t number = 0;
    if (free_.empty()) {
      number = static_cast<std::uint32_t>(items_.size());
      items_.push_back({.resource = resource, .minima = LabelMinima(seed_)});
    } else {
      number = free_.back();
      free_.pop_back();
      items_[number] = {.resource = resource, .minima = LabelMinima(seed_)};
    }
    numbers_.emplace(resource, number);
    change.added.push_back(number);
  }
  // Not before: a number that goes and comes in the same change would be two things.
  free_.insert(free_.end(), change.gone.begin(), change.gone.end());
  return change;
}

Status Catalogue::prepare(std::uint32_t number, const LabelShape& shape, bool sketches) {
  Item& item = items_[number];
  const std::uint32_t sketches_needed = sketches ? sketches_of(shape.labels) : 0;
  const auto suffices = [&](const LabelShape& done) {
    return done.labels >= shape.labels && done.hashes >= shape.hashes;
  };
  if (std::ranges::any_of(item.prepared, suffices) && item.sketches.size() >= sketches_needed) {
    return ok();
  }
  TWINSIFT_TRY(const Representation shown, shelf_.representation(item.resource.id));
  if (shown.set.empty()) return Error{ErrorCode::kCorrupt, "a resource has an empty set"};
  for (auto which = static_cast<std::uint32_t>(item.sketches.size()); which < sketches_needed;
       ++which) {
    item.sketches.push_back(label_sketch(shown.set, seed_, which));
  }
  item.minima.grow(shown.set, shape);
  item.prepared.push_back(shape);
  return ok();
}

std::string Catalogue::label(std::uint32_t item, const LabelShape& shape,
                             std::uint32_t table) const {
  return items_[item].minima.label(shape, table);
}

std::vector<std::uint32_t> Catalogue::items() const {
  std::vector<std::uint32_t> all;
  all.reserve(numbers_.size());
  for (const auto& [resource, number] : numbers_) all.push_back(number);
  return all;
}

}  // namespace twinsift::net
