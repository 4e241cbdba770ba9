// SPDX-License-Identifier: Apache-2.0
// A layer of convolutions (feature/convolve.h) and its gradients, optionally followed by the
// maximum of each 2 x 2 pixels.
//
// Those of 3 x 3 on maps whose side is a multiple of 4 are computed by minimal filtering
// (learn/winograd.h).
//
// Cost: kernel^2 * channels in * channels out multiplications for each pixel, or 2.25 in place of
//       the kernel's 9; backwards twice that.
#pragma once

#include <cstdint>
#include <vector>

#include "base/huge_pages.h"
#include "feature/convolve.h"
#include "learn/maps.h"
#include "learn/winograd.h"

namespace twinsift {

template <class Real>
class Convolution {
 public:
  explicit Convolution(const ConvolutionShape& shape);

  [[nodiscard]] const ConvolutionShape& shape() const { return plan_.shape(); }
  Parameters<Real>& weights() { return weights_; }
  // After a change of the weights.
  void prepare();

  void forward(const Maps<Real>& in, Maps<Real>& out, unsigned threads);
  // Sets the gradient of the weights, and that of what went in unless d_in is null.
  // Requires: `in` is what the last forward() saw; a stride of 1 if d_in is not null.
  void backward(const Maps<Real>& in, const Maps<Real>& d_out, Maps<Real>* d_in, unsigned threads);

 private:
  using Numbers = std::vector<Real, HugePages<Real>>;
  // Of images begin..end-1.  The gradient of the weights, by tiles place by place, is added.
  void forward_plainly(const Maps<Real>& in, GroupRange range, Maps<Real>& out);
  void forward_tiles(const Maps<Real>& in, GroupRange range, Maps<Real>& out);
  void backward_plainly(const Maps<Real>& in, const Maps<Real>& d_out, GroupRange range,
                        Maps<Real>* d_in, std::span<Real> gradient) const;
  void backward_tiles(const Maps<Real>& in, const Maps<Real>& d_out, GroupRange range,
                      Maps<Real>* d_in, std::span<Real> places) const;
  void finish(const std::vector<Real>& middle, std::size_t image, Maps<Real>& out);
  void pool(const std::vector<Real>& middle, std::size_t image, Maps<Real>& out);
  void unpool(const Maps<Real>& d_out, std::size_t image, Maps<Real>& d_middle) const;
  void backward_image(const Real* in, const Maps<Real>& d_middle, Real* d_in,
                      std::span<Real> gradient) const;
  [[nodiscard]] std::size_t cells() const {
    return shape().out_side() * shape().out_side() * shape().out;
  }

  ConvolutionPlan plan_;
  Parameters<Real> weights_;
  bool by_tiles_;
  std::vector<Real> panels_;          // the weights
  std::vector<Real> flipped_panels_;  // and for the gradient of what went in
  std::vector<std::vector<Real>> tile_panels_, flipped_tile_panels_;  // the same, by_tiles_
  std::vector<std::int64_t> d_rows_;     // surroundings in the gradient of the middle
  std::vector<std::int64_t> d_pixels_;   // pixels in it
  std::vector<std::int64_t> d_in_rows_;  // pixels in the gradient of what went in
  std::vector<std::uint8_t> winners_;    // which of each four was the maximum
  // Of the groups, added up in the first.  They are kept from step to step: new memory each time
  // would take a tenth of it.
  std::array<Numbers, kGroups> gradients_;
};

}  // namespace twinsift
