// SPDX-License-Identifier: Apache-2.0
// Which pictures of a training are duplicates of each other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "twinsift/result.h"

namespace twinsift {

struct PictureLabels {
  std::vector<std::optional<std::uint32_t>> of;  // each path; none: it is not to be used
  std::uint32_t count = 0;                       // labels are below
};

// Those below the same folder, of the folders directly below those given.  Pictures that lie in
// these themselves are a class as well.
Result<PictureLabels> labels_by_folder(const std::vector<std::string>& paths,
                                       const std::vector<std::string>& folders);

// By lines "path TAB path TAB 1" (duplicates) or "... TAB 0" (not): pictures that lines with 1 join
// are one class, all that are named are used, and those of different classes are no duplicates.
// Paths are as the pictures' are, or end these.  kInvalidArgument: a line is none, names an unknown
// picture, or says of two pictures of a class that they are no duplicates.
Result<PictureLabels> labels_by_file(const std::vector<std::string>& paths,
                                     const std::string& file);

}  // namespace twinsift
