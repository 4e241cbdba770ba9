// SPDX-License-Identifier: Apache-2.0
// k-means: the k middles of many descriptors.
//
// The first middles are chosen from a sample, each with a probability that grows with the square of
// its distance from those before it.  Then each descriptor goes to its nearest middle, and each
// middle to the mean of its descriptors, a few times.  A middle that nobody goes to moves to the
// descriptor that is farthest from its own.  Sums are of whole numbers: the result depends on the
// seed, but not on threads or machines.
//
// Papers:  D. Arthur, S. Vassilvitskii, "k-means++", SODA 2007.
//          S. Lloyd, "Least squares quantization in PCM", IEEE Trans. Inf. Theory 28, 1982.
// Differs: many middles are searched in two steps (word_tree.h), which finds nearly always the
//          nearest.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include "feature/key_points.h"
#include "feature/word_tree.h"

namespace twinsift {

struct KMeansOptions {
  std::uint32_t clusters = 1;
  unsigned rounds = 10;
  std::uint64_t seed = 1;
  unsigned threads = 1;
  std::stop_token stop = {};                          // once requested, the result means nothing
  std::function<void(unsigned round)> progress = {};  // before each round; may be empty
};

struct KMeans {
  std::vector<SiftDescriptor> middles;  // as many as asked for, but not more than there are points
  double mean_squared_distance = 0;     // of the points to their middles, in the last round
};

// Requires: points, and at least one cluster.
KMeans k_means(std::span<const SiftDescriptor> points, const KMeansOptions& options);

// Puts words into about as many cells as each cell has words; changes their order.
WordTree make_word_tree(std::span<const SiftDescriptor> words, const KMeansOptions& options);

}  // namespace twinsift
