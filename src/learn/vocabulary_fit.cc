// SPDX-License-Identifier: Apache-2.0
#include "learn/vocabulary_fit.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace twinsift {

Result<Vocabulary> fit_vocabulary(std::span<const SiftDescriptor> descriptors,
                                  const KMeansOptions& options) {
  if (options.clusters == 0 || options.clusters > Vocabulary::kMostWords) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("a vocabulary has 1 to {} words", Vocabulary::kMostWords)};
  }
  // In an order that does not depend on that of the pictures.
  std::vector<SiftDescriptor> points(descriptors.begin(), descriptors.end());
  std::ranges::sort(points);
  points.erase(std::unique(points.begin(), points.end()), points.end());
  if (points.size() / 2 < options.clusters) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("the pictures have {} different key points, too few for {} words",
                             points.size(), options.clusters)};
  }
  const KMeans found = k_means(points, options);
  const Error stopped{ErrorCode::kCancelled, "stopped by the user"};
  if (options.stop.stop_requested()) return stopped;
  WordTree tree = make_word_tree(found.middles, options);
  if (options.stop.stop_requested()) return stopped;
  return Vocabulary(std::move(tree));
}

}  // namespace twinsift
