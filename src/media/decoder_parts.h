// SPDX-License-Identifier: Apache-2.0
// Facts as parts of a decoder's answer: names and values in turn, at the end.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "media/decoder_wire.h"
#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

// An answer that no decoder in its right mind would give.
inline Error bad_answer() { return {ErrorCode::kCorrupt, "the decoder gave a senseless answer"}; }

inline void append_facts(Parts& parts, std::vector<Fact> facts) {
  for (auto& [name, value] : facts) {
    parts.push_back(std::move(name));
    parts.push_back(std::move(value));
  }
}

// The facts that begin at parts[first].
inline Result<std::vector<Fact>> facts_from(Parts parts, std::size_t first) {
  if (parts.size() < first || (parts.size() - first) % 2 != 0) return bad_answer();
  std::vector<Fact> facts;
  for (std::size_t i = first; i < parts.size(); i += 2) {
    facts.emplace_back(std::move(parts[i]), std::move(parts[i + 1]));
  }
  return facts;
}

}  // namespace twinsift
