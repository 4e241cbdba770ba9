// SPDX-License-Identifier: Apache-2.0
#include "index/generator.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

namespace twinsift {
namespace {

// In the order of GeneratorKind.
constexpr std::array<std::string_view, 4> kNames = {"auto", "banding1", "prefix1", "sortmerge1"};
// Fewer would leave out more values than can be remembered; more would give each value up to half
// their square of pairs.
constexpr std::uint32_t kFewestItems = 10;
constexpr std::uint32_t kMostItems = 1'000'000;

Error bad_spec(std::string_view spec, std::string_view why) {
  return {ErrorCode::kInvalidArgument,
          fmt::format("\"{}\" is no way to find candidates: {}", spec, why)};
}

}  // namespace

Result<GeneratorOptions> parse_generator(std::string_view spec) {
  const std::string_view name = spec.substr(0, spec.find(':'));
  const auto found = std::ranges::find(kNames, name);
  if (found == kNames.end()) {
    return bad_spec(spec, "try auto, banding1, prefix1 or sortmerge1");
  }
  GeneratorOptions options;
  options.kind = static_cast<GeneratorKind>(found - kNames.begin());
  if (name.size() == spec.size()) return options;
  constexpr std::string_view kMax = "max=";
  const std::string_view item = spec.substr(name.size() + 1);
  if (options.kind != GeneratorKind::kSortMerge) {
    return bad_spec(spec, fmt::format("{} has no parameters here", name));
  }
  const char* const end = item.data() + item.size();
  const auto [next, error] =
      std::from_chars(item.data() + std::min(kMax.size(), item.size()), end, options.max_items);
  if (!item.starts_with(kMax) || error != std::errc() || next != end ||
      options.max_items < kFewestItems || options.max_items > kMostItems) {
    return bad_spec(
        spec, fmt::format("its one parameter is max=N, from {} to {}", kFewestItems, kMostItems));
  }
  return options;
}

std::string generator_spec(const GeneratorOptions& options) {
  std::string spec(kNames[static_cast<std::size_t>(options.kind)]);
  if (options.kind == GeneratorKind::kSortMerge) spec += fmt::format(":max={}", options.max_items);
  return spec;
}

}  // namespace twinsift
