// SPDX-License-Identifier: Apache-2.0
// Two recordings for a terminal: which stretches they share, as a table and drawn.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "twinsift/types.h"

namespace twinsift {

// `what` is "film" or "sound".  At most `width` columns, in ASCII: each stretch is drawn with its
// number, or a letter from the tenth on, and what only one of the two has with a dot.
//     film         2 stretches, 1:03 of A, agreement 94 %
//       1          A 0:20-0:45      B 0:01-0:21      lasts 0:25  offset +19.5 s
//     A            .....1111111....22222222222. 1:40
//     B            11111222222222               0:51
// Exported for `twinsift compare --explain`.
TWINSIFT_EXPORT std::string timeline_text(std::string_view what, const Timeline& timeline,
                                          std::size_t width);

}  // namespace twinsift
