// SPDX-License-Identifier: Apache-2.0
// Which key points of two pictures look alike: the same visual word, and signatures that agree.
//
// A key point takes at most a few partners, the most alike first, so that a pattern that repeats
// (leaves, bricks, letters) does not outvote everything else.
//
// Papers:  [JDS08] Jegou, Douze, Schmid, "Hamming Embedding and Weak Geometric Consistency for
// Large
//          Scale Image Search", ECCV 2008.
// Cost:    one pass over both lists, and a comparison of 16 bytes for each pair of the same word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "feature/key_points.h"
#include "feature/word_signature.h"

namespace twinsift {

struct WordMatch {
  std::uint32_t a = 0;  // place in words
  std::uint32_t b = 0;
  std::uint32_t distance = 0;
};

struct WordMatchOptions {
  std::uint32_t radius = kSignatureRadius;
  std::uint32_t partners = 2;  // of one key point
  std::size_t most = 512;      // of all matches those with the smallest distance
};

// By distance, then by a, then by b.
std::vector<WordMatch> match_words(const LocalWords& a, const LocalWords& b,
                                   const WordMatchOptions& options);

}  // namespace twinsift
