// SPDX-License-Identifier: Apache-2.0
// Why two pictures are thought to be the same, in one plain line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "twinsift/report.h"

namespace twinsift {

// How the line calls the two: "shows 48 % of it", or "shows 48 % of A".
struct PictureNames {
  std::string_view a = "it";
  std::string_view b = "this one";
};

// Of b as a copy of a: "same picture, 3 of 256 bits differ, 1600x1200 -> 800x600, JPEG quality 60"
// or "shows 48 % of it, mirrored, turned by 25 degrees clockwise, 143 key points agree".  Facts of
// the members that nobody checked are made harmless for a terminal.  Empty if there is no evidence
// of pictures.  Exported for `twinsift compare`.
TWINSIFT_EXPORT std::string picture_words(const Evidence& evidence, const Member& a,
                                          const Member& b, const PictureNames& names = {});

// How many key points agree, whether or not they are listed.
TWINSIFT_EXPORT std::size_t matched_points(const Placement& placement);

}  // namespace twinsift
