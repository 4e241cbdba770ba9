// SPDX-License-Identifier: Apache-2.0
#include "index/signature.h"

#include "sketch/doph.h"
#include "sketch/set_sketch.h"

namespace twinsift {

void fill_for_index(const Sketcher& sketcher, Sketch& sketch) {
  if (sketcher.leaves_empty()) densify(sketch, 0);
}

void sketch_for_index(const Sketcher& sketcher, SetView set, Sketch& sketch) {
  if (set.weights.empty()) {
    sketch.resize(sketcher.k());
    sketcher.sketch_ids(set.ids, sketch);
  } else {
    WeightedSet copy;
    copy.tokens.assign(set.ids.begin(), set.ids.end());
    copy.weights.assign(set.weights.begin(), set.weights.end());
    sketch = *sketcher.sketch(Feature{.value = std::move(copy)});  // canonical: cannot fail
  }
  fill_for_index(sketcher, sketch);
}

void sign(const Sketcher& sketcher, const Index& index, SetView set, Sketch& sketch,
          std::span<std::uint8_t> codes, std::span<std::uint32_t> keys) {
  sketch_for_index(sketcher, set, sketch);
  make_codes(sketch, codes);
  index.keys(sketch, keys);
}

}  // namespace twinsift
