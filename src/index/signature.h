// SPDX-License-Identifier: Apache-2.0
// The signature of a set: what is kept of its sketch to find and to reject candidates.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "feature/weights.h"
#include "twinsift/index.h"
#include "twinsift/sketch.h"

namespace twinsift {

struct Signature {
  std::vector<std::uint8_t> codes;  // a byte for each component (sketch/set_sketch.h)
  std::vector<std::uint32_t> keys;  // one for each table of the index
};

// Gives empty components a value, as an index needs it.
void fill_for_index(const Sketcher& sketcher, Sketch& sketch);

// The sketch of a set with a value in every component, as an index needs it.
// Requires: the set is canonical and not empty, and the sketcher takes weights if it has some.
void sketch_for_index(const Sketcher& sketcher, SetView set, Sketch& sketch);

// The same, with its codes and keys.  Requires: as above; room for all of them.
void sign(const Sketcher& sketcher, const Index& index, SetView set, Sketch& sketch,
          std::span<std::uint8_t> codes, std::span<std::uint32_t> keys);

}  // namespace twinsift
