// SPDX-License-Identifier: Apache-2.0
// Models from the pictures of a folder.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "twinsift/pipeline.h"
#include "twinsift/result.h"

namespace twinsift {

struct TrainOptions {
  std::uint32_t words = 8192;
  std::uint64_t seed = 1;
  unsigned threads = 0;  // 0: one per core
  Callbacks callbacks;
};

struct TrainedModel {
  std::string bytes;  // of the file
  std::string spec;
  std::uint64_t pictures = 0;
  std::uint64_t key_points = 0;
  std::uint64_t skipped = 0;  // pictures that could not be read
};

// Visual words of all pictures below the folders, each at several sizes.  The same for any order
// of the files and any number of threads.
TWINSIFT_EXPORT Result<TrainedModel> train_vocabulary(const std::vector<std::string>& folders,
                                                      const TrainOptions& options);

}  // namespace twinsift
