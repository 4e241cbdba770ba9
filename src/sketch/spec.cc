// SPDX-License-Identifier: Apache-2.0
#include "sketch/spec.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace twinsift {
namespace {

// Takes the next item off a list that is parted by commas.
std::string_view next_item(std::string_view& list) {
  const std::string_view item = list.substr(0, list.find(','));
  list.remove_prefix(std::min(list.size(), item.size() + 1));
  return item;
}

// What stands after the name.
std::string_view items_of(std::string_view spec) {
  return spec.substr(std::min(spec.size(), std::min(spec.size(), spec.find(':')) + 1));
}

std::string_view key_of(std::string_view item) { return item.substr(0, item.find('=')); }

}  // namespace

bool spec_has(std::string_view spec, std::string_view key) {
  for (std::string_view list = items_of(spec); !list.empty();) {
    if (key_of(next_item(list)) == key) return true;
  }
  return false;
}

std::string with_key(std::string_view spec, std::string_view key, std::string_view value) {
  std::string items;
  const std::string said = fmt::format(",{}={}", key, value);
  for (std::string_view list = items_of(spec); !list.empty();) {
    const std::string_view item = next_item(list);
    items += key_of(item) == key ? said : fmt::format(",{}", item);
  }
  if (!spec_has(spec, key)) items += said;
  items[0] = ':';
  return fmt::format("{}{}", spec.substr(0, spec.find(':')), items);
}

std::string without_key(std::string_view spec, std::string_view key) {
  std::string items;
  for (std::string_view list = items_of(spec); !list.empty();) {
    const std::string_view item = next_item(list);
    if (key_of(item) != key) items += fmt::format(",{}", item);
  }
  if (!items.empty()) items[0] = ':';
  return fmt::format("{}{}", spec.substr(0, spec.find(':')), items);
}

Error bad_sketch_spec(std::string_view spec, std::string_view why) {
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("\"{}\" is not a sketch: {}; try fss1:k=256,seed=7", spec, why)};
}

Result<SketchSpec> SketchSpec::parse(std::string_view spec,
                                     std::span<const std::string_view> keys) {
  SketchSpec parsed(spec);
  for (std::string_view list = items_of(spec); !list.empty();) {
    const std::string_view item = next_item(list);
    const std::string_view key = key_of(item);
    const std::string_view value = item.substr(std::min(item.size(), key.size() + 1));
    if (key.empty() || std::ranges::find(keys, key) == keys.end()) {
      return parsed.error(fmt::format("unknown \"{}\"", key));
    }
    const auto is_key = [&](const auto& known) { return known.first == key; };
    if (std::ranges::any_of(parsed.values_, is_key)) {
      return parsed.error(fmt::format("{} is given twice", key));
    }
    parsed.values_.emplace_back(key, value);
  }
  return parsed;
}

std::string_view SketchSpec::text(std::string_view key, std::string_view fallback) const {
  for (const auto& [known, value] : values_) {
    if (known == key) return value;
  }
  return fallback;
}

Result<std::uint64_t> SketchSpec::number(std::string_view key, const NumberRange& range) const {
  const std::string fallback = std::to_string(range.fallback);
  const std::string_view digits = text(key, fallback);
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (problem == std::errc::invalid_argument || end != digits.data() + digits.size()) {
    return error(fmt::format("{} needs a whole number", key));
  }
  if (problem != std::errc() || value < range.low || value > range.high) {
    return error(fmt::format("{} is from {} to {}", key, range.low, range.high));
  }
  return value;
}

}  // namespace twinsift
