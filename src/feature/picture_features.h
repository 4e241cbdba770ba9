// SPDX-License-Identifier: Apache-2.0
// What pictures can be compared by, as --pictures names it.
#pragma once

#include <string_view>

#include <fmt/format.h>

#include "twinsift/result.h"

namespace twinsift {

inline Error unknown_picture_features(std::string_view features) {
  return {ErrorCode::kInvalidArgument,
          fmt::format("pictures cannot be compared by \"{}\": try gist, pdq, words, words:tfidf or "
                      "siamese:FILE",
                      features)};
}

}  // namespace twinsift
