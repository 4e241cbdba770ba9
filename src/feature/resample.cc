// SPDX-License-Identifier: Apache-2.0
#include "feature/resample.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <numeric>

#include "base/portable_trig.h"

namespace twinsift {
namespace {

constexpr double kCutOff = 0.9;  // of half the lower rate
constexpr double kHalfWidth = 5;
constexpr double kBeta = 6;

// The modified Bessel function of order 0, by its series; a fixed number of terms is far more than
// arguments up to kBeta need.
double bessel_i0(double x) {
  double sum = 1;
  double term = 1;
  for (int k = 1; k <= 40; ++k) {
    const double half = x / (2 * k);
    term *= half * half;
    sum += term;
  }
  return sum;
}

double kernel(double u) {
  if (u >= kHalfWidth) return 0;
  const double angle = std::numbers::pi * kCutOff * u;
  const double sinc = angle == 0 ? 1 : portable_sine_cosine(angle).sine / angle;
  const double part = u / kHalfWidth;
  return kCutOff * sinc * bessel_i0(kBeta * std::sqrt(1 - part * part)) / bessel_i0(kBeta);
}

}  // namespace

Resampler::Resampler(std::uint32_t from, std::uint32_t to) {
  assert(from > 0 && to > 0 && from <= kMostRate && to <= kMostRate);
  const std::uint32_t common = std::gcd(from, to);
  from_ = from / common;
  to_ = to / common;
  const double inputs = std::max(1.0, static_cast<double>(from_) / to_);  // in T
  half_ = static_cast<std::size_t>(std::ceil(kHalfWidth * inputs));
  taps_.reserve(2 * half_ * to_);
  for (std::uint32_t phase = 0; phase < to_; ++phase) {
    for (std::size_t i = 0; i < 2 * half_; ++i) {
      const double place = static_cast<double>(i) - static_cast<double>(half_ - 1);
      const double distance = std::abs(place - static_cast<double>(phase) / to_);
      taps_.push_back(static_cast<float>(kernel(distance / inputs) / inputs));
    }
  }
  waiting_.assign(half_ - 1, 0.0F);
}

void Resampler::drain(std::vector<float>& out) {
  while (true) {
    const std::uint64_t position = next_ * from_;
    const auto first = static_cast<std::size_t>(position / to_ - waiting_from_);
    if (first + 2 * half_ > waiting_.size()) break;
    const float* const taps = &taps_[position % to_ * 2 * half_];
    float sum = 0;
    for (std::size_t i = 0; i < 2 * half_; ++i) sum += taps[i] * waiting_[first + i];
    out.push_back(sum);
    ++next_;
  }
  const auto used = std::min<std::uint64_t>(next_ * from_ / to_ - waiting_from_, waiting_.size());
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(used));
  waiting_from_ += used;
}

void Resampler::add(std::span<const float> in, std::vector<float>& out) {
  waiting_.insert(waiting_.end(), in.begin(), in.end());
  taken_ += in.size();
  drain(out);
}

void Resampler::finish(std::vector<float>& out) {
  const std::uint64_t whole = (taken_ * to_ + from_ - 1) / from_;
  const std::size_t already = out.size();
  const std::uint64_t wanted = whole - std::min(whole, next_);
  waiting_.insert(waiting_.end(), 2 * half_ + from_ / to_ + 1, 0.0F);
  drain(out);
  out.resize(already +
             static_cast<std::size_t>(std::min<std::uint64_t>(wanted, out.size() - already)));
}

}  // namespace twinsift
