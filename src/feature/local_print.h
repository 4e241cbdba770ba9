// SPDX-License-Identifier: Apache-2.0
// What is kept of the key points of a picture: its visual words, and those that it would have if it
// were mirrored, which cannot be made from the former.
#pragma once

#include "feature/key_points.h"
#include "feature/weights.h"
#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

struct LocalPrint {
  LocalWords words;
  LocalWords mirrored;  // of the mirrored picture, which has the same size
};

// Width and height, both counts, then four words for each key point.
Packed pack(const LocalPrint& print);

// kCorrupt if these are not the words of such a print.
Result<LocalPrint> unpack_local_print(SetView packed);

}  // namespace twinsift
