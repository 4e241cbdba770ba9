// SPDX-License-Identifier: Apache-2.0
// Everything that is told about how one picture lies in another, from the map between them.
#pragma once

#include <optional>

#include "base/planar.h"
#include "twinsift/types.h"
#include "verify/consensus.h"

namespace twinsift {

// The map is one of places, 0 to 1 in each picture; sizes give the pixels that `scale` and `turned`
// are about.  Without points.  Nothing if the map cannot be inverted or sends a part of either
// picture to infinity.
std::optional<Placement> placement_of(const PlanarMap& a_to_b, PictureSize a, PictureSize b);

// The same placement seen from b.
std::optional<Placement> reversed(const Placement& placement, PictureSize a, PictureSize b);

}  // namespace twinsift
