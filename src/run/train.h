// SPDX-License-Identifier: Apache-2.0
// Models from the pictures of a folder.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "twinsift/pipeline.h"
#include "twinsift/result.h"

namespace twinsift {

struct TrainOptions {
  std::uint32_t words = 8192;  // of a vocabulary
  std::uint64_t seed = 1;
  unsigned threads = 1;
  Callbacks callbacks;
};

struct TrainedModel {
  std::string bytes;  // of the file
  std::string spec;
  std::uint64_t pictures = 0;
  std::uint64_t samples = 0;  // that were fitted to
  std::string_view sample;    // what one of them is
  std::uint64_t skipped = 0;  // pictures that could not be read
  std::string checkpoint{};   // a file that has served once the model is stored
};

// Both take all pictures below the folders, and give the same for any number of threads.

// Visual words, from key points at several sizes: models/words1.bin.
TWINSIFT_EXPORT Result<TrainedModel> train_vocabulary(const std::vector<std::string>& folders,
                                                      const TrainOptions& options);

// The planes of the codes of whole pictures, from parts of them and copies of these:
// models/codes1.bin.
TWINSIFT_EXPORT Result<TrainedModel> train_codes(const std::vector<std::string>& folders,
                                                 const TrainOptions& options);

}  // namespace twinsift
