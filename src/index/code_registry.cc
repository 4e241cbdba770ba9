// SPDX-License-Identifier: Apache-2.0
// The table of indexes of codes.
#include <fmt/format.h>

#include "index/code_index.h"
#include "index/hamming.h"
#include "index/mih.h"
#include "index/spec.h"

namespace twinsift {
namespace {

struct Entry {
  std::string_view name;
  Result<std::unique_ptr<CodeIndex>> (*make)(std::string_view spec);
};

constexpr Entry kCodeIndexes[] = {
    {"mih1", make_mih},
    {"hamming1", make_hamming_codes},
};

}  // namespace

Result<std::unique_ptr<CodeIndex>> make_code_index(std::string_view spec) {
  for (const Entry& entry : kCodeIndexes) {
    if (entry.name == index_name(spec)) return entry.make(spec);
  }
  return Error{ErrorCode::kInvalidArgument,
               fmt::format("\"{}\" is not an index of codes: try mih1:bits=256,radius=31", spec)};
}

}  // namespace twinsift
