// SPDX-License-Identifier: Apache-2.0
// image1:gist: pictures resemble each other if their codes do, in one of eight orientations, and if
// one thumbnail can be laid over the other so that they agree (verify/alignment.h).  The score is
// that of the second look, s, or s^2 / .8 where it is below .8.
//
// With learned codes (feature/learned_code.h), pictures whose codes do not resemble each other but
// whose learned codes do get the second look, too.  If nothing else shows what they have in common,
// and the learned codes differ in a few bits only, they are similar, for a reason that nobody can
// see.
#pragma once

#include <cstdint>
#include <memory>

#include "verify/picture_detector.h"

namespace twinsift {

// Bits in which codes may differ: as the pictures are, and if one is turned or mirrored first,
// which happens less often and would bring seven times as many strangers.
inline constexpr std::uint32_t kNearBits = 84;
inline constexpr std::uint32_t kTurnedBits = 60;

// The same of learned codes; and in how many they may differ if nothing else is seen in common.
inline constexpr std::uint32_t kLearnedBits = 64;
inline constexpr std::uint32_t kSimilarBits = 48;

// The score of pictures that have nothing in common but that: from .6, exclusive, down to .41; 0
// beyond kSimilarBits.
double similar_score(std::uint32_t learned_bits);

std::unique_ptr<PictureDetector> make_picture_similarity(LearnedLook learned);

}  // namespace twinsift
