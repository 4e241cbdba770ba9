// SPDX-License-Identifier: Apache-2.0
// The fast Fourier transform of powers of two, many side by side:
//     X[k] = sum_j x[j] exp(-2 pi i j k / n),
// and backwards with +i and without the factor 1/n.
//
// Real and imaginary parts stand in planes of their own, n rows of `lanes` numbers, and each lane
// is one transform: the inner loops go along the rows, which compilers turn into SIMD.  Two
// dimensions are one transform of all columns, a transposition, and another.
//
// Only +, -, *, / and sqrt are used, in a fixed order: cosines of halved angles are roots,
// the others products of these.  So the result is the same number on every machine.
//
// Papers:  Cooley, Tukey, "An Algorithm for the Machine Calculation of Complex Fourier Series",
//          Math. Comp. 1965.
// Cost:    5 n log2(n) operations for each lane.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace twinsift {

// Immutable: threads may share one.
class Fft {
 public:
  explicit Fft(std::size_t n);  // Requires: n is a power of two.

  [[nodiscard]] std::size_t size() const { return cosine_.empty() ? 1 : 2 * cosine_.size(); }

  // Both in place.  Require: re and im have size() * lanes numbers, those of row 0 first.
  void forward(std::span<float> re, std::span<float> im, std::size_t lanes) const;
  // Exchanging the two parts before and after turns the sign of the angle.
  void backward(std::span<float> re, std::span<float> im, std::size_t lanes) const {
    forward(im, re, lanes);
  }

 private:
  std::vector<float> cosine_;  // of 2 pi j / n, j < n/2
  std::vector<float> sine_;
  std::vector<std::pair<std::size_t, std::size_t>> swaps_;  // rows, by their reversed numbers
};

// Of a square of n by n numbers, in place.  Requires: n * n numbers.
void transpose_square(std::span<float> square, std::size_t n);

}  // namespace twinsift
