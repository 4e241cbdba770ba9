// SPDX-License-Identifier: Apache-2.0
// The keep rules that give each file a number, whatever the others of its group are.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "act/keep_rules.h"

namespace twinsift {

struct KeepWord {
  std::string_view name;
  // Those with the highest number stay; empty if what is needed for it is not known.
  std::optional<double> (*judge)(const KeepCandidate&);
};

std::span<const KeepWord> keep_words();

}  // namespace twinsift
