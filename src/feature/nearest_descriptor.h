// SPDX-License-Identifier: Apache-2.0
// Which descriptor of a list is the nearest: all of the cost of visual words.
#pragma once

#include <cstdint>
#include <span>

#include "feature/key_points.h"

namespace twinsift {

struct NearestDescriptor {
  std::uint32_t index = 0;
  std::uint32_t squared_distance = 0;
};

// The square of their Euclidean distance.
std::uint32_t squared_distance(const SiftDescriptor& a, const SiftDescriptor& b);
std::uint32_t squared_distance_scalar(const SiftDescriptor& a, const SiftDescriptor& b);

// The first of the nearest.  Requires: the list is not empty.
NearestDescriptor nearest_descriptor(const SiftDescriptor& query,
                                     std::span<const SiftDescriptor> list);
NearestDescriptor nearest_descriptor_scalar(const SiftDescriptor& query,
                                            std::span<const SiftDescriptor> list);

}  // namespace twinsift
