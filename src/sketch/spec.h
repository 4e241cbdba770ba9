// SPDX-License-Identifier: Apache-2.0
// The spec of a sketch, "name:key=value,...", taken apart; and one kind of error for all of them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "twinsift/result.h"

namespace twinsift {

// What a whole number in a spec may be, and what it is if the spec does not say.
struct NumberRange {
  std::uint64_t fallback = 0;
  std::uint64_t low = 0;
  std::uint64_t high = UINT64_MAX;
};
inline constexpr NumberRange kComponents = {.fallback = 256, .low = 1, .high = 65536};

// `why` ends the sentence that says what is wrong with a spec.
Error bad_sketch_spec(std::string_view spec, std::string_view why);

// Whether a spec says something of a key; the spec with that key said, instead of or after what it
// says now; and the spec without it.  None of them checks the spec.
bool spec_has(std::string_view spec, std::string_view key);
std::string with_key(std::string_view spec, std::string_view key, std::string_view value);
std::string without_key(std::string_view spec, std::string_view key);

class SketchSpec {
 public:
  // Fails if a key is none of `keys` or comes twice.  Empty strings in `keys` count for nothing.
  static Result<SketchSpec> parse(std::string_view spec, std::span<const std::string_view> keys);

  [[nodiscard]] std::string_view text(std::string_view key, std::string_view fallback) const;
  [[nodiscard]] Result<std::uint64_t> number(std::string_view key, const NumberRange& range) const;

  [[nodiscard]] Error error(std::string_view why) const { return bad_sketch_spec(spec_, why); }

 private:
  explicit SketchSpec(std::string_view spec) : spec_(spec) {}
  std::string spec_;
  std::vector<std::pair<std::string, std::string>> values_;
};

}  // namespace twinsift
