// SPDX-License-Identifier: Apache-2.0
// Registration: the affine map that lays one picture over another.
//
// Gauss-Newton steps on the squared difference of the pixels, inverse compositional: gradients and
// normal equations belong to the first picture, which does not move, and each step costs one
// resampling of the second one.  Brightness and contrast are unknowns of the same equations, so
// that gain and bias change nothing.
//
// Papers:  Baker, Matthews, "Lucas-Kanade 20 Years On: A Unifying Framework", IJCV 56 (2004).
//          Evangelidis, Psarakis, "Parametric Image Alignment Using Enhanced Correlation
//          Coefficient Maximization", PAMI 30 (2008): why gain and bias go into the equations.
// Differs: the normal equations are made once per call, for the part that both pictures show at its
//          start; the residual always belongs to what they show now, so the fixed point is the
//          same.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "verify/affine.h"
#include "verify/plane.h"

namespace twinsift {

// The sums that a correlation is made of; t is the first picture (the template), i the second.
struct Moments {
  double n = 0, t = 0, i = 0, tt = 0, ii = 0, ti = 0;
  void add(const Moments& other);
  [[nodiscard]] double first_variance() const { return n > 0 ? tt / n - t / n * (t / n) : 0; }
  [[nodiscard]] double second_variance() const { return n > 0 ? ii / n - i / n * (i / n) : 0; }
  [[nodiscard]] double correlation() const;  // 0 if either is flat
};

inline constexpr std::uint32_t kBlocks = 8;  // in each direction
using BlockWeights = std::array<float, std::size_t{kBlocks} * kBlocks>;
using BlockMoments = std::array<Moments, std::size_t{kBlocks} * kBlocks>;

// One picture, ready to have others laid over it.  Not for use by several threads at once.
class Registration {
 public:
  explicit Registration(const Plane& first);

  // From now on each block counts as much as its weight.
  void set_weights(const BlockWeights& weights);

  struct Outcome {
    Affine map = kIdentity;  // places of the first picture in the second
    double correlation = 0;  // over what both show
    bool converged = false;
  };
  // Improves a map by at most so many steps.  Requires: the second is as large as the first.
  Outcome improve(const Plane& second, const Affine& start, int steps);

  // The correlation under a map, from a quarter of the pixels.
  [[nodiscard]] double quick_correlation(const Plane& second, const Affine& map) const;

  // How the two agree under a map, block by block of the first picture.
  BlockMoments compare(const Plane& second, const Affine& map);

 private:
  static constexpr std::size_t kUnknowns = 8;
  using Matrix = std::array<std::array<double, kUnknowns>, kUnknowns>;
  // What of a row of the first picture lies within the second one.
  struct Run {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };

  void resample(const Plane& second, const Affine& map);
  [[nodiscard]] double common_share() const;
  [[nodiscard]] Moments moments() const;
  [[nodiscard]] Matrix normal_equations() const;
  [[nodiscard]] bool prepare();
  [[nodiscard]] bool step(const Moments& sums, Affine& map) const;

  Plane first_;
  Plane::Pixels across_;  // gradients
  Plane::Pixels down_;
  Plane::Pixels weights_;
  Plane::Pixels moved_;  // the second picture, resampled
  std::array<Run, Plane::kMaxSide> runs_{};
  std::array<float, Plane::kMaxSide> centred_{};  // of each column or row, -1/2 to 1/2
  Matrix factor_{};                               // Cholesky, lower
};

}  // namespace twinsift
