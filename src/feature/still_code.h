// SPDX-License-Identifier: Apache-2.0
// The small pictures of the first seconds of a film, in few bytes.
//
// Cubes of 8 x 8 pixels and 8 moments go through a cosine transform in whole numbers, so that what
// stands still is in few of its terms, and these are divided by the least number with which all fit
// into 80 bytes a picture: where much moves, it may be told coarsely.  Most terms are 0 then; the
// others are coded bit by bit with models for their place in the cube (base/bit_model.h).
//
// What counts of them is how they change from picture to picture (verify/film_motion.h), so that
// fast changes are told more finely than slow ones.  Of 52 copies of films in sign language the
// least alike has a correlation of .86 as they are, .73 with 80 bytes, .66 with 50; with 20 so
// little is left of what moves that two films of one scene pass for still ones.
//
// Cost: 1 ms to code forty pictures of 1,024 bytes, less to decode.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "feature/film_print.h"

namespace twinsift {

// Not the same pictures come back, but on every machine the same for the same ones.
SmallStills code_stills(std::span<const SmallStill> stills);

// Whatever the bytes are, as many pictures as they are said to be.
std::vector<SmallStill> decode_stills(const SmallStills& stills);

}  // namespace twinsift
