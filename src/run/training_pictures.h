// SPDX-License-Identifier: Apache-2.0
// The pictures of folders, one after another, for those who learn from them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "feature/grey_image.h"
#include "run/train.h"
#include "twinsift/result.h"

namespace twinsift {

struct TrainingPictures {
  std::uint64_t files = 0;     // that were walked
  std::uint64_t pictures = 0;  // that were taken
  std::uint64_t skipped = 0;   // that could not be read; each has been told
};

// Calls take(number, picture) for every picture below the folders, in grey and shrunk while its
// shorter side stays at least min_side; from many threads, in any order, with its number among
// `files` files.  Fails if a folder cannot be walked, or if it is stopped.
Result<TrainingPictures> for_each_picture(
    const std::vector<std::string>& folders, const TrainOptions& options, std::uint32_t min_side,
    const std::function<void(std::uint64_t files)>& begin,
    const std::function<void(std::size_t number, GreyImage picture)>& take);

}  // namespace twinsift
