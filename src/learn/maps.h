// SPDX-License-Identifier: Apache-2.0
// What flows between the layers of a network: for each picture of a batch a square of pixels, each
// with its channels next to each other, inside a border of zeros that convolutions may look into.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/huge_pages.h"

namespace twinsift {

template <class Real>
struct Maps {
  std::size_t images = 0;
  std::size_t side = 0;
  std::size_t channels = 0;
  std::size_t border = 0;
  std::vector<Real, HugePages<Real>> values;

  Maps() = default;
  Maps(std::size_t n, std::size_t s, std::size_t c, std::size_t b)
      : images(n), side(s), channels(c), border(b), values(n * image_size()) {}

  [[nodiscard]] std::size_t pitch() const { return side + 2 * border; }  // pixels in a row
  [[nodiscard]] std::size_t image_size() const { return pitch() * pitch() * channels; }
  // Of the first channel, from the beginning of the image.
  [[nodiscard]] std::size_t offset(std::size_t y, std::size_t x) const {
    return ((y + border) * pitch() + x + border) * channels;
  }
  [[nodiscard]] Real* image(std::size_t i) { return values.data() + i * image_size(); }
  [[nodiscard]] const Real* image(std::size_t i) const { return values.data() + i * image_size(); }
  [[nodiscard]] Real* pixel(std::size_t i, std::size_t y, std::size_t x) {
    return image(i) + offset(y, x);
  }
  [[nodiscard]] const Real* pixel(std::size_t i, std::size_t y, std::size_t x) const {
    return image(i) + offset(y, x);
  }

  // Makes room for n images; the border of new ones is zero, as that of the old ones is.
  void resize(std::size_t n) {
    images = n;
    values.resize(n * image_size());
  }
};

// Images are dealt to this many groups, and what is summed over a batch is summed in each group
// and then over the groups: so that the sums are the same for any number of threads.
inline constexpr std::size_t kGroups = 8;

struct GroupRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};
inline GroupRange group_range(std::size_t group, std::size_t images) {
  return {group * images / kGroups, (group + 1) * images / kGroups};
}

// What is learnt, and how the loss changes with it.
template <class Real>
struct Parameters {
  std::vector<Real> values;
  std::vector<Real> gradient;

  void resize(std::size_t n) {
    values.assign(n, Real{0});
    gradient.assign(n, Real{0});
  }
};

}  // namespace twinsift
