// SPDX-License-Identifier: Apache-2.0
#include "sketch/spec.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace twinsift {

Error bad_sketch_spec(std::string_view spec, std::string_view why) {
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("\"{}\" is not a sketch: {}; try fss1:k=256,seed=7", spec, why)};
}

Result<SketchSpec> SketchSpec::parse(std::string_view spec,
                                     std::span<const std::string_view> keys) {
  SketchSpec parsed(spec);
  std::string_view list = spec.substr(std::min(spec.size(), spec.find(':')));
  list.remove_prefix(std::min<std::size_t>(list.size(), 1));
  while (!list.empty()) {
    const std::string_view item = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), item.size() + 1));
    const std::size_t equals = std::min(item.find('='), item.size());
    const std::string_view key = item.substr(0, equals);
    const std::string_view value = item.substr(std::min(item.size(), equals + 1));
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
