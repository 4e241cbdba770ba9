// SPDX-License-Identifier: Apache-2.0
#include "values.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "base/moment.h"
#include "help.h"

namespace twinsift::cli {
namespace {

constexpr unsigned kMostCount = 4096;

}  // namespace

std::optional<double> parse_share(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  // The negated comparison also refuses a NaN.
  if (error != std::errc{} || stop != end || !(value > 0 && value <= 1)) return std::nullopt;
  return value;
}

std::optional<unsigned> parse_count(std::string_view text) {
  unsigned value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || value > kMostCount) return std::nullopt;
  return value;
}

std::optional<double> parse_number(std::string_view text) {
  constexpr double kMost = 1e15;
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || !(value >= 0 && value <= kMost)) return std::nullopt;
  return value;
}

Result<std::uint64_t> parse_size(std::string_view text) {
  const Error refused{ErrorCode::kInvalidArgument,
                      "allowed are bytes with k, M, G or T after the number, as in 512M or 1.5G"};
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  if (error != std::errc{} || !(number >= 0)) return refused;
  std::string_view unit(stop, static_cast<std::size_t>(end - stop));
  if (unit.ends_with("iB")) unit.remove_suffix(2);
  if (unit.ends_with('B')) unit.remove_suffix(1);
  constexpr std::string_view kUnits = "kMGT";
  if (unit.size() > 1) return refused;
  double scale = 1;
  if (!unit.empty()) {
    const std::size_t power = kUnits.find(unit[0] == 'K' ? 'k' : unit[0]);
    if (power == std::string_view::npos) return refused;
    scale = std::pow(1024.0, static_cast<double>(power + 1));
  }
  constexpr double kMost = 9e18;  // any larger number would not fit into 64 bits
  if (number * scale > kMost) return refused;
  return static_cast<std::uint64_t>(number * scale);
}

std::optional<std::string> complaint(const Option& option, std::string_view value) {
  switch (option.kind) {
    case Kind::kFlag:
      return std::nullopt;
    case Kind::kText:
    case Kind::kFile:
    case Kind::kFolder:
      if (value.empty()) return "a value that is not empty is needed";
      return std::nullopt;
    case Kind::kShare:
      if (!parse_share(value)) return "allowed are numbers above 0 and up to 1, as in 0.85";
      return std::nullopt;
    case Kind::kCount:
      if (!parse_count(value)) return fmt::format("allowed are whole numbers, 0 to {}", kMostCount);
      return std::nullopt;
    case Kind::kNumber:
      if (!parse_number(value)) return "allowed are numbers from 0 to 1e15, as in 250000 or 2.5e5";
      return std::nullopt;
    case Kind::kSize:
      if (const auto size = parse_size(value); !size) return size.error().message;
      return std::nullopt;
    case Kind::kAge:
      if (const auto age = parse_age(value); !age) return age.error().message;
      return std::nullopt;
    case Kind::kTime:
      if (const auto time = parse_moment(value, 0); !time) return time.error().message;
      return std::nullopt;
    case Kind::kChoice:
      break;
  }
  const auto allowed = choices(option);
  if (std::ranges::find(allowed, value) != allowed.end()) return std::nullopt;
  return fmt::format("allowed are {}{}", fmt::join(allowed, ", "), did_you_mean(value, allowed));
}

}  // namespace twinsift::cli
