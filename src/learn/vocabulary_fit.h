// SPDX-License-Identifier: Apache-2.0
// A vocabulary of visual words from the key points of many pictures.
#pragma once

#include <span>

#include "feature/visual_words.h"
#include "learn/k_means.h"
#include "twinsift/result.h"

namespace twinsift {

// With options.clusters words.  An error if there are not at least twice as many different
// descriptors, or the work was stopped.
Result<Vocabulary> fit_vocabulary(std::span<const SiftDescriptor> descriptors,
                                  const KMeansOptions& options);

}  // namespace twinsift
