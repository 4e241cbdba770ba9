// SPDX-License-Identifier: Apache-2.0
// Contents as sets, by which peers compare them: what a collection keeps of a text, a picture or a
// recording, such that a Jaccard similarity of the network's threshold means a near-duplicate.
//
//     text        its set of shingles or terms, as it is
//     picture     for each of the 256 bits of its code the token "bit i is b":
//                 h bits that differ are a similarity of (256 - h) / (256 + h)
//     film        one such set for each of its longest shots: of each bit what most frames of the
//                 shot say.  A shot ends where a frame differs by more than kShotBits from its
//                 first one, so that nothing before it matters, and a part of a film has the shots
//                 of the whole film but for those that are cut through.
//     sound       how often each of 16 pitches rises in each quarter of a second of the first and
//                 of the last half minute that can be heard, in unary
//     other sets  (visual words, fooid, chromaprint, hsv) as they are
//
// What is published and what is asked are made by the same function.  Contents that cannot be
// compared by sets alone (weighted terms, codes of a network of one's own) give none.
//
// Papers:  [POND] sec. III-B ("dim:value", key frames, linkage by segments).
// Differs: the paper's fingerprints are exact colours and levels, which encoding changes; these are
//          single bits of codes that were made to survive it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "feature/weights.h"
#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift::net {

struct ContentSet {
  std::string detector;  // spec of what made it
  TokenSet set;          // sorted, unique, not empty
  double begin_seconds = 0;
  double end_seconds = 0;  // 0, 0: of the whole item
  friend bool operator==(const ContentSet&, const ContentSet&) = default;
};

inline constexpr std::uint32_t kShotBits = 64;
inline constexpr std::size_t kMostShots = 64;  // of one film
inline constexpr double kShortestShot = 0.5;   // seconds
inline constexpr double kSoundSeconds = 30;    // of each end
inline constexpr double kShortestSound = 5;    // seconds that are compared

// `spec` is that of the medium which has seen the content.  kCorrupt if the features are none of
// that medium's.
Result<std::vector<ContentSet>> content_sets(std::string_view spec, SetView features);

}  // namespace twinsift::net
