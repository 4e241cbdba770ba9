// SPDX-License-Identifier: Apache-2.0
// Sound at another rate: a windowed sinc, with a soft edge.
//
// An output sample at the time t is the sum of the input x_i, weighted by how far they are away:
//     h(u) = 0.9 sinc(0.9 u) I0(6 sqrt(1 - (u/5)^2)) / I0(6)  for u < 5,   u = |t_i - t| / T,
// T being the longer of the two sampling periods, divided by the number of inputs in T.  The phases
// that occur are few, since rates are whole numbers: each has its taps computed once.
//
// The edge is softer than that of today's resamplers on purpose: it is the one that the fooid
// fingerprint (fooid.h) was defined with, and its upper bands depend on it.
//
// Papers:  J. O. Smith, P. Gossett, "A Flexible Sampling-Rate Conversion Method", ICASSP 1984.
//          J. F. Kaiser, "Nonrecursive Digital Filter Design Using the I0-Sinh Window", 1974.
// Cost:    10 multiplications for each input sample in T and output sample; one table of taps for
//          each phase, at most as many as the output rate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace twinsift {

// Takes the input in pieces of any size; the output does not depend on how it was cut.
class Resampler {
 public:
  static constexpr std::uint32_t kMostRate = 768000;  // Hz

  Resampler(std::uint32_t from, std::uint32_t to);  // Requires: 0 < both <= kMostRate.

  // Appends to `out` whatever the input so far decides.
  void add(std::span<const float> in, std::vector<float>& out);

  // Appends the rest, as if silence followed: ceil(inputs * to / from) samples in all.
  void finish(std::vector<float>& out);

 private:
  void drain(std::vector<float>& out);

  std::uint32_t from_;  // both divided by what they have in common
  std::uint32_t to_;
  std::size_t half_ = 0;            // taps on each side
  std::vector<float> taps_;         // 2 * half_ for each of the to_ phases
  std::vector<float> waiting_;      // input that is still needed
  std::uint64_t waiting_from_ = 0;  // its place in the input with half_ - 1 zeros in front
  std::uint64_t next_ = 0;          // output sample
  std::uint64_t taken_ = 0;         // input samples
};

}  // namespace twinsift
