// SPDX-License-Identifier: Apache-2.0
#include "index/spec.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace twinsift {

std::string_view index_name(std::string_view spec) { return spec.substr(0, spec.find(':')); }

Error IndexSpec::error(std::string_view why) const {
  return {ErrorCode::kInvalidArgument, fmt::format("\"{}\" is not an index: {}", spec_, why)};
}

Result<IndexSpec> IndexSpec::parse(std::string_view spec,
                                   std::initializer_list<std::string_view> keys) {
  IndexSpec parsed(spec);
  const std::size_t colon = spec.find(':');
  if (colon == std::string_view::npos) return parsed;
  for (std::size_t at = colon + 1; at <= spec.size();) {
    const std::string_view item = spec.substr(at, spec.substr(at).find(','));
    at += item.size() + 1;
    const std::string_view key = item.substr(0, item.find('='));
    if (std::ranges::find(keys, key) == keys.end()) {
      return parsed.error(fmt::format("unknown \"{}\"", key));
    }
    if (key.size() + 1 >= item.size()) return parsed.error(fmt::format("{} has no value", key));
    for (const auto& known : parsed.values_) {
      if (known.first == key) return parsed.error(fmt::format("{} is given twice", key));
    }
    parsed.values_.emplace_back(key, item.substr(key.size() + 1));
  }
  return parsed;
}

std::string_view IndexSpec::text(std::string_view key, std::string_view fallback) const {
  for (const auto& [known, value] : values_) {
    if (known == key) return value;
  }
  return fallback;
}

Result<std::uint64_t> IndexSpec::number(std::string_view key, std::uint64_t fallback,
                                        std::uint64_t low, std::uint64_t high) const {
  const std::string_view digits = text(key, "");
  if (digits.empty()) return fallback;
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (problem == std::errc::invalid_argument || end != digits.data() + digits.size()) {
    return error(fmt::format("{} needs a whole number", key));
  }
  if (problem != std::errc() || value < low || value > high) {
    return error(fmt::format("{} is from {} to {}", key, low, high));
  }
  return value;
}

Result<double> IndexSpec::real(std::string_view key, double fallback) const {
  const std::string_view digits = text(key, "");
  if (digits.empty()) return fallback;
  double value = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (problem != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value) ||
      value <= 0) {
    return error(fmt::format("{} needs a number above 0", key));
  }
  return value;
}

Result<std::size_t> IndexSpec::choice(std::string_view key,
                                      std::initializer_list<std::string_view> words) const {
  const auto at = std::ranges::find(words, text(key, *words.begin()));
  if (at == words.end()) return error(fmt::format("{} is one of {}", key, fmt::join(words, ", ")));
  return static_cast<std::size_t>(at - words.begin());
}

}  // namespace twinsift
