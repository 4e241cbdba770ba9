// SPDX-License-Identifier: Apache-2.0
// The ends of a sound as sets: see net/content_sets.h.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "net/content_sets.h"

namespace twinsift::net {

// Of the first and of the last kSoundSeconds between the first and the last moment that is heard;
// one set if these are nearly the same, none if there are fewer than kShortestSound.  kCorrupt if
// the words are none of a sound.
Result<std::vector<ContentSet>> sound_sets(const std::string& detector,
                                           std::span<const std::uint64_t> sound);

}  // namespace twinsift::net
