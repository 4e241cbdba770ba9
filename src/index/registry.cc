// SPDX-License-Identifier: Apache-2.0
// The table of indexes, and their specs.
#include <charconv>

#include <fmt/format.h>

#include "index/banding.h"
#include "twinsift/index.h"

namespace twinsift {
namespace {

// "b=26,r=8" -> {26, 8}; both are needed, in this order.
Result<std::pair<std::uint32_t, std::uint32_t>> parse_bands(std::string_view spec,
                                                            std::string_view list) {
  const Error bad{ErrorCode::kInvalidArgument,
                  fmt::format("\"{}\" is not an index: try banding1:b=26,r=8", spec)};
  std::uint32_t values[2] = {};
  const char* at = list.data();
  const char* const end = at + list.size();
  for (int i = 0; i < 2; ++i) {
    const std::string_view name = i == 0 ? "b=" : ",r=";
    if (!std::string_view(at, static_cast<std::size_t>(end - at)).starts_with(name)) return bad;
    const auto [next, error] = std::from_chars(at + name.size(), end, values[i]);
    if (error != std::errc() || values[i] == 0 || values[i] > 65536) return bad;
    at = next;
  }
  if (at != end) return bad;
  return std::pair(values[0], values[1]);
}

Result<std::unique_ptr<Index>> make_banding(std::string_view spec, std::string_view list) {
  TWINSIFT_TRY(const auto bands, parse_bands(spec, list));
  return std::unique_ptr<Index>(std::make_unique<BandingIndex>(bands.first, bands.second));
}

struct Entry {
  std::string_view name;
  Result<std::unique_ptr<Index>> (*make)(std::string_view spec, std::string_view list);
};

constexpr Entry kIndexes[] = {
    {"banding1", make_banding},
};

}  // namespace

Result<std::unique_ptr<Index>> make_index(std::string_view spec) {
  const std::string_view name = spec.substr(0, spec.find(':'));
  for (const Entry& entry : kIndexes) {
    if (entry.name == name) {
      return entry.make(spec, spec.substr(std::min(spec.size(), name.size() + 1)));
    }
  }
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("\"{}\" is not an index: try banding1:b=26,r=8", spec)};
}

}  // namespace twinsift
