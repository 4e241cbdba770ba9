// SPDX-License-Identifier: Apache-2.0
#include "base/tails.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace twinsift {
namespace {

// d(n) of the header.  Below 16 the series is too coarse, but n! is exact in a double.
double stirling_rest(double n) {
  if (n >= 16) {
    const double r = 1 / (n * n);
    return (1. / 12 - (1. / 360 - (1. / 1260 - (1. / 1680 - r / 1188) * r) * r) * r) / n;
  }
  double factorial = 1;
  for (int i = 2; i <= n; ++i) factorial *= i;
  return std::log(factorial) - (n + 0.5) * std::log(n) + n - 0.5 * std::log(2 * std::numbers::pi);
}

// first + first * ratio(x) + first * ratio(x) * ratio(x + step) + .. as long as it matters;
// ratio is 0 at the end of the support.  Requires: x lies on the falling side of the mode.
template <class Ratio>
double sum_outwards(double first, std::int64_t x, std::int64_t step, Ratio ratio) {
  double sum = 0;
  for (double term = first; term > sum * 1e-18; x += step) {
    sum += term;
    term *= ratio(static_cast<double>(x));
  }
  return std::min(sum, 1.0);
}

}  // namespace

double binomial_pmf(std::uint32_t n, double p, std::int64_t x) {
  assert(p >= 0 && p <= 1);
  if (x < 0 || x > n) return 0;
  if (p == 0 || p == 1) return x == (p == 0 ? 0 : std::int64_t{n}) ? 1 : 0;
  const double trials = n;
  const auto ones = static_cast<double>(x);
  const double zeros = trials - ones;
  if (x == 0) return std::exp(trials * std::log1p(-p));
  if (x == n) return std::exp(trials * std::log(p));
  const double excess = ones - trials * p;
  const double deviance =
      ones * std::log1p(excess / (trials * p)) + zeros * std::log1p(-excess / (trials * (1 - p)));
  return std::sqrt(trials / (2 * std::numbers::pi * ones * zeros)) *
         std::exp(stirling_rest(trials) - stirling_rest(ones) - stirling_rest(zeros) - deviance);
}

double binomial_below(std::uint32_t n, double p, std::int64_t m) {
  if (m <= 0) return 0;
  if (m > n) return 1;
  if (static_cast<double>(m) > n * p) return 1 - binomial_at_least(n, p, m);
  const auto down = [n, odds = (1 - p) / p](double x) { return x / (n - x + 1) * odds; };
  return sum_outwards(binomial_pmf(n, p, m - 1), m - 1, -1, down);
}

double binomial_at_least(std::uint32_t n, double p, std::int64_t m) {
  if (m <= 0) return 1;
  if (m > n) return 0;
  if (static_cast<double>(m) <= n * p) return 1 - binomial_below(n, p, m);
  const auto up = [n, odds = p / (1 - p)](double x) { return (n - x) / (x + 1) * odds; };
  return sum_outwards(binomial_pmf(n, p, m), m, 1, up);
}

// Two binomial counts given their sum: any p would do, draws/population keeps all terms large.
double hypergeometric_pmf(const Urn& urn, std::int64_t x) {
  assert(urn.good <= urn.population && urn.draws <= urn.population);
  if (urn.population == 0) return x == 0 ? 1 : 0;
  const double p = static_cast<double>(urn.draws) / urn.population;
  return binomial_pmf(urn.good, p, x) *
         binomial_pmf(urn.population - urn.good, p, std::int64_t{urn.draws} - x) /
         binomial_pmf(urn.population, p, urn.draws);
}

// Fewer than m good ones are more than draws - m bad ones: one tail is enough for both.
double hypergeometric_below(const Urn& urn, std::int64_t m) {
  const Urn bad{urn.population, urn.population - urn.good, urn.draws};
  return hypergeometric_at_least(bad, std::int64_t{urn.draws} - m + 1);
}

double hypergeometric_at_least(const Urn& urn, std::int64_t m) {
  const std::int64_t spare = std::int64_t{urn.population} - urn.good - urn.draws;
  if (m <= std::max(std::int64_t{0}, -spare)) return 1;
  if (m > std::min(urn.good, urn.draws)) return 0;
  const double mean = static_cast<double>(urn.good) * urn.draws / urn.population;
  if (static_cast<double>(m) <= mean) return 1 - hypergeometric_below(urn, m);
  const auto up = [&urn, rest = static_cast<double>(spare)](double x) {
    return (urn.good - x) * (urn.draws - x) / ((x + 1) * (rest + x + 1));
  };
  return sum_outwards(hypergeometric_pmf(urn, m), m, 1, up);
}

}  // namespace twinsift
