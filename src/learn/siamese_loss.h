// SPDX-License-Identifier: Apache-2.0
// What the siamese network is trained to make small: duplicates far apart, others close together,
// and codes that are not near -1 or 1.
//
// For approximate codes a and b of V numbers and delta = 1 for duplicates, the paper has
//   E_c = 1/(2V) sum_v [delta (a_v - b_v)^2 + (1 - delta) max(m - |a_v - b_v|, 0)^2]   (2)
//   E_h = -cos(|a|, 1) - cos(|b|, 1)                                                   (6)
//
// Papers: W. Hu et al., 2018, section III-B.
// Errata: E_h does not depend on the length of a, so that it makes the numbers of a code equally
//         large, not 1.  E_c wants every bit of every pair of strangers to differ, which three
//         strangers cannot do.
// Differs: by default the margin is one of vectors, max(2 V rho - |a - b|^2, 0) / (2V), which codes
//         satisfy that differ in a share of rho / 2 of their bits; and the push is
//         mean(||a_v| - 1|).  A margin weighs all strangers alike, though only the nearest are ever
//         mistaken for duplicates: so there is also
//           E_s = -log( exp(ab / (V t)) / sum over all other c of the batch exp(ac / (V t)) )
//         for duplicates a and b, the logarithm of how sure a is of b among all others.
//         [OLV18] van den Oord, Li, Vinyals, "Representation learning with contrastive predictive
//         coding", 2018.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace twinsift {

enum class SiameseLoss : std::uint8_t { kVector, kPaper, kSoftmax };

struct SiameseLossOptions {
  SiameseLoss kind = SiameseLoss::kVector;
  double margin = 2;         // m, of the paper's loss; above 0, at most 2
  double rho = 0.5;          // of the vector margin
  double temperature = 0.1;  // t, of the softmax
  double push = 0.05;        // how much E_h, or the push, counts
};

// The terms for one pair, of kVector and kPaper, and for one code.  Gradients are added to d_a and
// d_b.
template <class Real>
double contrastive_loss(std::span<const Real> a, std::span<const Real> b, bool duplicates,
                        const SiameseLossOptions& options, std::span<Real> d_a, std::span<Real> d_b,
                        double weight = 1);
template <class Real>
double binary_loss(std::span<const Real> a, const SiameseLossOptions& options, std::span<Real> d_a,
                   double weight = 1);

// All pairs of a batch of codes of `bits` numbers, those of the same label being duplicates: the
// mean loss of duplicates plus that of others, or the mean E_s, and the mean of the push.  Every
// code is in both branches, and its gradient is the sum of both.
template <class Real>
double siamese_loss(std::span<const Real> codes, std::size_t bits,
                    std::span<const std::uint32_t> labels, const SiameseLossOptions& options,
                    std::vector<Real>& gradient);

}  // namespace twinsift
