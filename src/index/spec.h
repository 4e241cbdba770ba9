// SPDX-License-Identifier: Apache-2.0
// The spec of an index of codes or vectors, "name:key=value,...", taken apart.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "twinsift/result.h"

namespace twinsift {

class IndexSpec {
 public:
  // Fails if a key is none of `keys`, comes twice or has no value.
  static Result<IndexSpec> parse(std::string_view spec,
                                 std::initializer_list<std::string_view> keys);

  [[nodiscard]] std::string_view text(std::string_view key, std::string_view fallback) const;
  // A whole number in low..high.
  [[nodiscard]] Result<std::uint64_t> number(std::string_view key, std::uint64_t fallback,
                                             std::uint64_t low, std::uint64_t high) const;
  // A finite number above 0.
  [[nodiscard]] Result<double> real(std::string_view key, double fallback) const;
  // Which of the words it is; the first if the spec does not say.
  [[nodiscard]] Result<std::size_t> choice(std::string_view key,
                                           std::initializer_list<std::string_view> words) const;

  // `why` ends the sentence that says what is wrong with the spec.
  [[nodiscard]] Error error(std::string_view why) const;

 private:
  explicit IndexSpec(std::string_view spec) : spec_(spec) {}
  std::string spec_;
  std::vector<std::pair<std::string, std::string>> values_;
};

// What stands before the colon.
std::string_view index_name(std::string_view spec);

}  // namespace twinsift
