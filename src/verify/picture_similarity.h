// SPDX-License-Identifier: Apache-2.0
// image1:gist: pictures resemble each other if their codes do, in one of eight orientations, and if
// one thumbnail can be laid over the other so that they agree (verify/alignment.h).  The score is
// that of the second look, s, or s^2 / .8 where it is below .8.
#pragma once

#include <cstdint>
#include <memory>

#include "verify/picture_detector.h"

namespace twinsift {

// Bits in which codes may differ: as the pictures are, and if one is turned or mirrored first,
// which happens less often and would bring seven times as many strangers.
inline constexpr std::uint32_t kNearBits = 84;
inline constexpr std::uint32_t kTurnedBits = 60;

std::unique_ptr<PictureDetector> make_picture_similarity();

}  // namespace twinsift
