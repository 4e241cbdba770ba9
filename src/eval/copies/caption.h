// SPDX-License-Identifier: Apache-2.0
// Writing on pictures: white letters with a black rim, as on the jokes that people pass on.
#pragma once

#include <cstdint>
#include <string_view>

#include "eval/copies/rgb_image.h"

namespace twinsift {

enum class CaptionPlace : std::uint8_t { kTop, kBottom };

// One line in the middle of the upper or lower edge, as large as nine tenths of the width and an
// eighth of the height allow.  Letters, digits and a few signs of ASCII can be written; others
// become a question mark.
void write_caption(RgbImage& image, std::string_view text, CaptionPlace place);

}  // namespace twinsift
