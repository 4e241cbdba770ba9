// SPDX-License-Identifier: Apache-2.0
// Binomial, beta and hypergeometric probabilities: what a match count may be by chance.
//
// The usual exp(lgamma(..) - lgamma(..) ..) loses digits as the counts grow, because large
// logarithms cancel.  Here the large parts of Stirling's formula are cancelled on paper,
//     log x! = x log x - x + log(2 pi x)/2 + d(x),      d(x) = 1/(12 x) - 1/(360 x^3) + ..,
// so that only the small d(x) and the deviation from the mean remain:
//     P(x) = sqrt(n / (2 pi x (n-x))) exp(d(n) - d(x) - d(n-x) - D),
//     D    = x log(x / np) + (n-x) log((n-x) / nq).
// A tail is summed from its largest term outwards; the larger of the two tails is one minus the
// smaller.  Relative error <= 1e-9 down to the underflow at about 1e-300, for n <= 10^6.
// Counts outside the support are welcome: their probability is 0.
//
// Papers: Loader, "Fast and Accurate Computation of Binomial Probabilities", 2000.
// Cost:   O(1) for a probability; a tail adds the terms that still matter, O(sqrt n) of them.
#pragma once

#include <cstdint>

namespace twinsift {

// X = the ones among n independent trials, each 1 with probability p.  Require: 0 <= p <= 1.
double binomial_pmf(std::uint32_t n, double p, std::int64_t x);       // P(X = x)
double binomial_below(std::uint32_t n, double p, std::int64_t m);     // P(X < m)
double binomial_at_least(std::uint32_t n, double p, std::int64_t m);  // P(X >= m)

// X ~ Beta(a, b).  With whole numbers it lies below x exactly if at least a of a + b - 1
// independent uniform numbers do, so that the incomplete beta function is a binomial tail.
// Require: a, b > 0, a + b < 2^32, 0 <= x <= 1.
inline double beta_below(std::uint32_t a, std::uint32_t b, double x) {  // I_x(a, b)
  return binomial_at_least(a + b - 1, x, a);
}
inline double beta_above(std::uint32_t a, std::uint32_t b, double x) {  // 1 - I_x(a, b)
  return binomial_below(a + b - 1, x, a);
}

// X = the good ones among `draws` taken from `population` without replacement.
// Requires: good <= population and draws <= population.
struct Urn {
  std::uint32_t population = 0;
  std::uint32_t good = 0;
  std::uint32_t draws = 0;
};
double hypergeometric_pmf(const Urn& urn, std::int64_t x);
double hypergeometric_below(const Urn& urn, std::int64_t m);
double hypergeometric_at_least(const Urn& urn, std::int64_t m);

}  // namespace twinsift
