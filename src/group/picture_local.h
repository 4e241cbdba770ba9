// SPDX-License-Identifier: Apache-2.0
// All pairs of pictures of which one shows a part of the other, by their key points.
//
// The key points of each picture, and of its mirror image, are looked up among those of all
// pictures before it (index/inverted_words.h); each candidate is verified (verify/local_match.h).
// What comes out is what comparing all pairs would give, for any number of threads, unless a
// picture is told as capped.
//
// Cost: the index, 24 bytes a key point, beside the key points themselves.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "feature/key_points.h"
#include "index/inverted_words.h"
#include "twinsift/result.h"
#include "twinsift/types.h"
#include "verify/local_match.h"

namespace twinsift {

struct LocalPictures {
  std::span<const LocalWords> words;
  // Of the pictures turned left side right; as many, or none: then no mirror images are looked for.
  std::span<const LocalWords> mirrored;
};

struct LocalPair {
  std::uint32_t a = 0;  // a < b
  std::uint32_t b = 0;
  LocalMatch match;
};

struct LocalPairs {
  std::vector<LocalPair> pairs;       // by a, then by b
  std::uint64_t candidates = 0;       // pairs that were verified
  std::vector<std::uint32_t> capped;  // pictures that may have more matches before them
};

struct LocalPairsOptions {
  InvertedWordsOptions index;  // its radius and least are those of `match`
  LocalMatchOptions match;
  unsigned threads = 1;
};

// Fails only if it is stopped.
Result<LocalPairs> find_local_pairs(const LocalPictures& pictures, const LocalPairsOptions& options,
                                    const std::stop_token& stop = {});

}  // namespace twinsift
