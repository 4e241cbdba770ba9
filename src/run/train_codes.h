// SPDX-License-Identifier: Apache-2.0
// 'twinsift train codes': pictures of folders become models/codes1.bin.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

struct TrainCodesOptions {
  std::vector<std::string> images;  // files and folders
  std::string out;
  std::uint64_t seed = 1;
};

struct TrainedCodes {
  std::uint64_t pictures = 0;    // that could be read
  std::uint32_t photos = 0;      // parts of them that were fitted to
  std::vector<Skipped> skipped;  // pictures that could not be read; other files are passed over
};

// The file is the same for the same pictures in the same order of their paths.
TWINSIFT_EXPORT Result<TrainedCodes> train_codes(const TrainCodesOptions& options,
                                                 const std::stop_token& stop);

}  // namespace twinsift
