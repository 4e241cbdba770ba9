// SPDX-License-Identifier: Apache-2.0
#include "verify/sound_scan.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/simd.h"

namespace twinsift {
namespace {

constexpr std::size_t kSample = 96;
constexpr std::size_t kFirst = 24;  // every fourth of them
constexpr double kFirstLook = 2.5;  // standard deviations
constexpr double kEvident = 6.5;

// Heard moments of y, evenly over them.
std::vector<std::ptrdiff_t> sample_of(const Hearing& y) {
  std::vector<std::ptrdiff_t> heard;
  for (std::ptrdiff_t j = 0; j < y.size(); ++j) {
    if (y.heard[static_cast<std::size_t>(j)] != 0) heard.push_back(j);
  }
  std::vector<std::ptrdiff_t> sample;
  if (heard.size() < kSample) return sample;
  for (std::size_t k = 0; k < kSample; ++k) {
    sample.push_back(heard[(2 * k + 1) * heard.size() / (2 * kSample)]);
  }
  return sample;
}

struct Scan {
  const Hearing& x;
  const Hearing& y;
  const std::vector<std::ptrdiff_t>& sample;
};

// The bits that agree beyond one half, and of how many moments, of each stride-th of the sample.
struct Sums {
  std::int32_t excess = 0;
  std::int32_t moments = 0;
  [[nodiscard]] double z() const {
    constexpr double kOne = Spread{}.sd * kSoundBits;
    return moments == 0 ? 0 : excess / (kOne * std::sqrt(moments));
  }
};

[[gnu::always_inline]] inline Sums sums_at(const Scan& scan, std::ptrdiff_t offset,
                                           std::size_t stride) {
  Sums sums;
  const auto size = static_cast<std::size_t>(scan.x.size());
  for (std::size_t k = 0; k < scan.sample.size(); k += stride) {
    const auto i = static_cast<std::size_t>(scan.sample[k] + offset);
    if (i >= size || scan.x.heard[i] == 0) continue;
    const SoundCode& a = scan.x.codes[i];
    const SoundCode& b = scan.y.codes[static_cast<std::size_t>(scan.sample[k])];
    sums.excess += kSoundBits / 2 - std::popcount(a[0] ^ b[0]) - std::popcount(a[1] ^ b[1]);
    ++sums.moments;
  }
  return sums;
}

[[gnu::always_inline]] inline SoundOffset best_offset(const Scan& scan) {
  SoundOffset best;
  std::int32_t most = 0;
  const std::ptrdiff_t middle = scan.sample[scan.sample.size() / 2];
  for (std::ptrdiff_t offset = -middle; offset < scan.x.size() - middle; ++offset) {
    const Sums first = sums_at(scan, offset, kSample / kFirst);
    if (2 * static_cast<std::size_t>(first.moments) < kFirst || first.z() < kFirstLook) continue;
    const Sums all = sums_at(scan, offset, 1);
    if (all.excess <= most || all.z() < kEvident) continue;
    most = all.excess;
    best = {offset, all.z()};
  }
  return best;
}

// The same twice: only one of them may use the instruction that counts bits.
SoundOffset best_offset_scalar(const Scan& scan) { return best_offset(scan); }
#if defined(__x86_64__)
TWINSIFT_AVX2 SoundOffset best_offset_avx2(const Scan& scan) { return best_offset(scan); }
#endif
SoundOffset best_offset_of(const Scan& scan) { TWINSIFT_DISPATCH(best_offset, scan); }

}  // namespace

std::optional<SoundOffset> scan_offsets(const Hearing& x, const Hearing& y) {
  const auto sample = sample_of(y);
  if (sample.empty() || x.codes.empty()) return std::nullopt;
  const SoundOffset best = best_offset_of({x, y, sample});
  return best.z > 0 ? std::optional(best) : std::nullopt;
}

}  // namespace twinsift
