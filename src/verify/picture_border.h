// SPDX-License-Identifier: Apache-2.0
// Whether what a picture shows beyond another is a plain border.
//
// Of two pictures of which one shows all of the other and more, the larger one may be the original
// and the other a part of it; or somebody has put a frame, a mat, or a bar with a caption around
// the other.  Then it has more pixels, but none that show more.  A border is flat, and it ends
// where the picture begins:
//     flat    of the thumbnail's pixels outside the other picture at least six in ten, which leaves
//             room for a caption, have the colour of their side (its median, within 6 of 255);
//     edge    of those just inside at least half have another one (by more than 12).
// A white sky or the ground of a studio that was cut off is flat, too, but it has no edge there.
//
// Cost: less than 0.1 ms for each of the two that shows something that the other does not.
#pragma once

#include <vector>

#include "base/planar.h"
#include "feature/thumbnail.h"
#include "twinsift/types.h"

namespace twinsift {

// `to_other` maps places, 0 to 1, to those in the other picture.  False if less than one row of the
// thumbnail lies outside of that.
bool has_border(const Thumbnail& thumbnail, const PlanarMap& to_other);

// Which of two pictures has a border that the other lacks.
struct Borders {
  bool a = false;
  bool b = false;
};
Borders borders_of(const Thumbnail& a, const Thumbnail& b, const Placement& placement);

// Whether a is b with a border around it, and shows b with no more pixels than b itself has: then b
// is the one to keep, although a has more pixels in all.
bool is_bordered_copy(const Placement& placement, const Borders& borders);

// The fact `border`, how much of a picture is one, for each of them that has one and where it is
// not known yet.
void note_borders(const Placement& placement, const Borders& borders, std::vector<Fact>& facts_a,
                  std::vector<Fact>& facts_b);

}  // namespace twinsift
