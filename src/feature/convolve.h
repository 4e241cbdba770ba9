// SPDX-License-Identifier: Apache-2.0
// Convolutions of square maps, as matrix products.
//
// Pixels have their channels next to each other.  So a row of the surroundings of a pixel is
// contiguous, and a convolution is one product for each row of its kernel (base/matrix.h), with
// nothing copied.  Networks are trained by the same code (learn/convolution.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace twinsift {

struct ConvolutionShape {
  std::size_t side = 0;  // of the map that goes in, without its border of kernel / 2 zeros
  std::size_t in = 0;    // channels
  std::size_t out = 0;
  std::size_t kernel = 3;  // odd
  std::size_t stride = 1;
  bool pool = false;  // the maximum of each 2 x 2 pixels follows

  [[nodiscard]] std::size_t border() const { return kernel / 2; }
  [[nodiscard]] std::size_t pitch() const { return side + 2 * border(); }
  [[nodiscard]] std::size_t middle_side() const { return side / stride; }  // before pooling
  [[nodiscard]] std::size_t out_side() const { return middle_side() / (pool ? 2 : 1); }
  // Weight (ky, kx, i, o) is at ((ky * kernel + kx) * in + i) * out + o.
  [[nodiscard]] std::size_t weights() const { return kernel * kernel * in * out; }
};

// A matrix of `columns` columns, cut into panels of 32 of them that are rows after rows without
// gaps; the last is filled up with zeros.  So a product reads it in order.
inline constexpr std::size_t kPanel = 32;
inline std::size_t panel_count(std::size_t columns) { return (columns + kPanel - 1) / kPanel; }
template <class Real>
std::vector<Real> panels_of(std::span<const Real> matrix, std::size_t columns);

// `runs` products of `length` numbers of A each, the r-th beginning r * a_run later in A and going
// on in the panels where the one before ended.
template <class Real>
struct PanelProduct {
  const Real* a = nullptr;
  std::span<const std::int64_t> a_rows;
  std::size_t a_run = 0;
  std::size_t runs = 0;
  std::size_t length = 0;
  const std::vector<Real>* panels = nullptr;
  Real* c = nullptr;
  std::span<const std::int64_t> c_rows;
  std::size_t columns = 0;
};
template <class Real>
void multiply_panels(const PanelProduct<Real>& product);

class ConvolutionPlan {
 public:
  explicit ConvolutionPlan(const ConvolutionShape& shape);

  [[nodiscard]] const ConvolutionShape& shape() const { return shape_; }
  // Where the surroundings of each pixel begin.
  [[nodiscard]] std::span<const std::int64_t> in_rows() const { return in_rows_; }

  // From a map with its border to one without: middle_side()^2 pixels.
  template <class Real>
  void convolve(const Real* in, const std::vector<Real>& panels, Real* middle) const;

 private:
  ConvolutionShape shape_;
  std::vector<std::int64_t> in_rows_, middle_rows_;
};

}  // namespace twinsift
