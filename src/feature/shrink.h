// SPDX-License-Identifier: Apache-2.0
// Pictures brought down to a size, each pixel the mean of what it covers.
#pragma once

#include <cstdint>

#include "feature/grey_image.h"

namespace twinsift {

// With the longer side at most `longest`; a copy if it is no longer than that.
// Requires: no size is 0.
GreyImage shrunk(const GreyView& picture, std::uint32_t longest);

}  // namespace twinsift
