// SPDX-License-Identifier: Apache-2.0
#include "feature/convolve.h"

#include <algorithm>

#include "base/matrix.h"

namespace twinsift {

template <class Real>
std::vector<Real> panels_of(std::span<const Real> matrix, std::size_t columns) {
  const std::size_t rows = matrix.size() / columns;
  std::vector<Real> panels(panel_count(columns) * rows * kPanel, Real{0});
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      panels[(c / kPanel * rows + r) * kPanel + c % kPanel] = matrix[r * columns + c];
    }
  }
  return panels;
}

template <class Real>
void multiply_panels(const PanelProduct<Real>& p) {
  for (std::size_t panel = 0; panel < panel_count(p.columns); ++panel) {
    const Real* weights = p.panels->data() + panel * p.runs * p.length * kPanel;
    for (std::size_t run = 0; run < p.runs; ++run) {
      multiply(MatrixProduct<Real>{.a = p.a + run * p.a_run,
                                   .a_rows = p.a_rows,
                                   .b = weights + run * p.length * kPanel,
                                   .b_row = kPanel,
                                   .c = p.c + panel * kPanel,
                                   .c_rows = p.c_rows,
                                   .inner = p.length,
                                   .columns = std::min(kPanel, p.columns - panel * kPanel),
                                   .add = run > 0});
    }
  }
}

ConvolutionPlan::ConvolutionPlan(const ConvolutionShape& shape) : shape_(shape) {
  const std::size_t middle = shape.middle_side();
  for (std::size_t y = 0; y < middle; ++y) {
    for (std::size_t x = 0; x < middle; ++x) {
      const std::size_t from = (y * shape.pitch() + x) * shape.stride * shape.in;
      in_rows_.push_back(static_cast<std::int64_t>(from));
      middle_rows_.push_back(static_cast<std::int64_t>((y * middle + x) * shape.out));
    }
  }
}

template <class Real>
void ConvolutionPlan::convolve(const Real* in, const std::vector<Real>& panels,
                               Real* middle) const {
  multiply_panels(PanelProduct<Real>{.a = in,
                                     .a_rows = in_rows_,
                                     .a_run = shape_.pitch() * shape_.in,
                                     .runs = shape_.kernel,
                                     .length = shape_.kernel * shape_.in,
                                     .panels = &panels,
                                     .c = middle,
                                     .c_rows = middle_rows_,
                                     .columns = shape_.out});
}

#define TWINSIFT_INSTANTIATE(Real)                                                \
  template std::vector<Real> panels_of<Real>(std::span<const Real>, std::size_t); \
  template void multiply_panels<Real>(const PanelProduct<Real>&);                 \
  template void ConvolutionPlan::convolve<Real>(const Real*, const std::vector<Real>&, Real*) const
TWINSIFT_INSTANTIATE(float);
TWINSIFT_INSTANTIATE(double);
#undef TWINSIFT_INSTANTIATE

}  // namespace twinsift
