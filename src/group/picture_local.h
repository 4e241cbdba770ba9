// SPDX-License-Identifier: Apache-2.0
// All pairs of pictures of which one shows a part of the other, by their key points.
//
// The key points of each picture, and of its mirror image, are looked up among those of all
// pictures before it (index/inverted_words.h); each candidate is verified (verify/local_match.h).
// What comes out is what comparing all pairs would give, for any number of threads, unless a
// picture is told as capped.
//
// Pictures are taken in blocks: the index and the key points of one block are in memory, and every
// picture from the block on is asked for its key points once for each block.  So memory does not
// grow with the number of pictures, and no word has too many key points to be looked up.
//
// Cost: 56 bytes for each key point of a block, and 300 bytes for each pair that is found.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

#include "feature/local_print.h"
#include "index/inverted_words.h"
#include "twinsift/result.h"
#include "twinsift/types.h"
#include "verify/local_match.h"

namespace twinsift {

struct LocalPictures {
  std::uint32_t count = 0;
  // The key points of one; called from many threads, and several times for each picture.  If those
  // of the mirrored pictures are empty, no mirror images are looked for.
  std::function<Result<LocalPrint>(std::uint32_t)> print{};
};

struct LocalPair {
  std::uint32_t a = 0;  // a < b
  std::uint32_t b = 0;
  LocalMatch match;  // without its points, which take more room than all the rest
};

struct LocalPairs {
  std::vector<LocalPair> pairs;       // by a, then by b
  std::uint64_t candidates = 0;       // pairs that were verified
  std::vector<std::uint32_t> capped;  // pictures that may have more matches before them
};

struct LocalPairsOptions {
  InvertedWordsOptions index{};  // its radius and least are those of `match`
  LocalMatchOptions match{};
  std::uint32_t block = 8192;  // pictures; fixed, so that results do not depend on the machine
  unsigned threads = 1;
};

// Fails if it is stopped, or as `print` does.
Result<LocalPairs> find_local_pairs(const LocalPictures& pictures, const LocalPairsOptions& options,
                                    const std::stop_token& stop = {});

}  // namespace twinsift
