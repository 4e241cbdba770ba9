// SPDX-License-Identifier: Apache-2.0
#include "verify/sound_line.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

#include "base/random.h"
#include "base/simd.h"

namespace twinsift {
namespace {

struct Counts {
  std::uint64_t differing = 0;
  std::uint32_t moments = 0;
};

SoundCode compared_bits(int shift) {
  constexpr SoundCode kAll = {~std::uint64_t{0}, ~std::uint64_t{0}};
  return shifted(kAll, shift);
}

unsigned differing_bits(const SoundCode& a, const SoundCode& b, int shift, const SoundCode& mask) {
  const SoundCode moved = shifted(b, shift);
  return static_cast<unsigned>(std::popcount((a[0] ^ moved[0]) & mask[0]) +
                               std::popcount((a[1] ^ moved[1]) & mask[1]));
}

std::ptrdiff_t nearest(double x) { return static_cast<std::ptrdiff_t>(std::floor(x + 0.5)); }

inline Counts count_differing(const Hearing& x, const Hearing& y, const SoundLine& line,
                              const Moments& moments) {
  const SoundCode mask = compared_bits(line.shift);
  Counts counts;
  for (std::ptrdiff_t j = std::max<std::ptrdiff_t>(moments.from, 0);
       j < std::min(moments.to, y.size()); j += moments.stride) {
    const std::ptrdiff_t i = nearest(line.at(static_cast<double>(j)));
    if (i < 0 || i >= x.size()) continue;
    const auto in_x = static_cast<std::size_t>(i);
    const auto in_y = static_cast<std::size_t>(j);
    if ((x.heard[in_x] & y.heard[in_y]) == 0) continue;
    counts.differing += differing_bits(x.codes[in_x], y.codes[in_y], line.shift, mask);
    ++counts.moments;
  }
  return counts;
}

// The same loop twice: only one of them may use the instruction that counts bits.
Counts count_along_scalar(const Hearing& x, const Hearing& y, const SoundLine& line,
                          const Moments& moments) {
  return count_differing(x, y, line, moments);
}
#if defined(__x86_64__)
TWINSIFT_AVX2 Counts count_along_avx2(const Hearing& x, const Hearing& y, const SoundLine& line,
                                      const Moments& moments) {
  return count_differing(x, y, line, moments);
}
#endif

Counts count_along(const Hearing& x, const Hearing& y, const SoundLine& line,
                   const Moments& moments) {
  TWINSIFT_DISPATCH(count_along, x, y, line, moments);
}

}  // namespace

Hearing::Hearing(const SoundPrint& print) : codes(print.codes) {
  heard.reserve(codes.size());
  for (const SoundCode& code : codes) heard.push_back(is_heard(code) ? 1 : 0);
}

Agreement agreement_along(const Hearing& x, const Hearing& y, const SoundLine& line,
                          const Moments& moments) {
  const Counts counts = count_along(x, y, line, moments);
  const double bits = kSoundBits - std::abs(line.shift);
  return {counts.moments - static_cast<double>(counts.differing) / bits, counts.moments};
}

double agreement_at(const Hearing& x, const Hearing& y, const SoundLine& line, std::ptrdiff_t j) {
  const Agreement agreement = agreement_along(x, y, line, {j, j + 1});
  return agreement.count == 0 ? -1 : agreement.sum;
}

double Spread::z(const Agreement& agreement) const {
  if (agreement.count == 0) return 0;
  return (agreement.sum - agreement.count * mean) / (sd * std::sqrt(agreement.count));
}

Spread spread_of(const Hearing& x, const Hearing& y, const SoundLine& line) {
  constexpr Spread kUsual;  // a sample of few windows must not claim less
  constexpr int kWindows = 64;
  constexpr std::ptrdiff_t kLength = 16;
  constexpr double kBeside = 8;  // moments so near are alike
  // What is usual counts as so many windows: of a recording of two seconds there are two pairs of
  // windows that are not beside the line, however often they are drawn.
  constexpr double kBelieved = 8;
  Rng rng(0x736F756E64);
  double sum = 0;
  double squares = 0;
  int windows = 0;
  for (int k = 0; k < kWindows; ++k) {
    const auto at_y = static_cast<std::ptrdiff_t>(rng.below(static_cast<std::uint32_t>(y.size())));
    const auto at_x = static_cast<std::ptrdiff_t>(rng.below(static_cast<std::uint32_t>(x.size())));
    if (std::abs(line.at(static_cast<double>(at_y)) - static_cast<double>(at_x)) < kBeside)
      continue;
    const SoundLine other{line.shift, 1, static_cast<double>(at_x - at_y)};
    const Agreement found = agreement_along(x, y, other, {at_y, at_y + kLength});
    if (found.count < kLength / 2) continue;
    const double mean = found.mean();
    sum += mean;
    squares += (mean - 0.5) * (mean - 0.5) * found.count;
    ++windows;
  }
  if (windows < kWindows / 8) return kUsual;
  const std::ptrdiff_t in_x = x.size() / kLength;
  const std::ptrdiff_t in_y = y.size() / kLength;
  const auto apart = static_cast<double>(in_x * in_y - std::min(in_x, in_y));
  const double share = apart < kWindows ? apart / (apart + kBelieved) : 1;
  const auto weighed = [&](double usual, double measured) {
    return usual + share * std::max(0.0, measured - usual);
  };
  return {weighed(kUsual.mean, sum / windows),
          std::sqrt(weighed(kUsual.sd * kUsual.sd, squares / windows))};
}

}  // namespace twinsift
