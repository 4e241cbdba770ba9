// SPDX-License-Identifier: Apache-2.0
#include "media/av/thinner.h"

#include <cstdint>

namespace twinsift {
namespace {

constexpr std::size_t kMeans = 3;

// Of so many means of numbers, one after the other.
std::vector<float> weights_of(unsigned by) {
  std::vector<double> weights = {1};
  for (std::size_t round = 0; round < kMeans; ++round) {
    std::vector<double> longer(weights.size() + by - 1, 0.0);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      for (std::size_t j = 0; j < by; ++j) longer[i + j] += weights[i] / by;
    }
    weights = std::move(longer);
  }
  return {weights.begin(), weights.end()};
}

// The weights are the same from both ends.  kBy is 0 where the compiler is not to know it.
template <std::size_t kBy>
void weigh(std::span<const float> samples, std::span<const float> weights, std::size_t by,
           std::span<float> out) {
  const std::size_t step = kBy > 0 ? kBy : by;
  const std::size_t taps = kMeans * (step - 1) + 1;
  const float* const w = weights.data();
  const float* from = samples.data();
  for (float& sum : out) {
    float total = taps % 2 == 1 ? w[taps / 2] * from[taps / 2] : 0.0F;
    for (std::size_t i = 0; i < taps / 2; ++i) total += w[i] * (from[i] + from[taps - 1 - i]);
    sum = total;
    from += step;
  }
}

// Channels of one plane each, or all in one.
template <class Sample, bool kPlanar>
void mix(const AVFrame& frame, float scale, std::vector<float>& mono) {
  const auto channels = static_cast<std::size_t>(frame.ch_layout.nb_channels);
  const auto count = static_cast<std::size_t>(frame.nb_samples);
  const float weight = scale / static_cast<float>(channels);
  if (!kPlanar && channels == 2) {  // the usual case, which compilers turn into SIMD
    mono.resize(count);
    const auto* both = reinterpret_cast<const Sample*>(frame.extended_data[0]);
    for (std::size_t i = 0; i < count; ++i) {
      mono[i] =
          weight * static_cast<float>(both[2 * i]) + weight * static_cast<float>(both[2 * i + 1]);
    }
    return;
  }
  mono.assign(count, 0.0F);
  for (std::size_t c = 0; c < channels; ++c) {
    const auto* plane = reinterpret_cast<const Sample*>(frame.extended_data[kPlanar ? c : 0]);
    const std::size_t step = kPlanar ? 1 : channels;
    const std::size_t first = kPlanar ? 0 : c;
    for (std::size_t i = 0; i < count; ++i) {
      mono[i] += weight * static_cast<float>(plane[first + i * step]);
    }
  }
}

}  // namespace

Thinner::Thinner(unsigned by)
    : by_(by), weights_(weights_of(by)), samples_(weights_.size() / 2, 0.0F) {}

void Thinner::add(std::span<const float> samples, std::vector<float>& out) {
  samples_.insert(samples_.end(), samples.begin(), samples.end());
  if (samples_.size() < weights_.size()) return;
  const std::size_t count = (samples_.size() - weights_.size()) / by_ + 1;
  const std::size_t before = out.size();
  out.resize(before + count);
  const std::span<float> to = std::span(out).subspan(before);
  switch (by_) {
    case 2:
      weigh<2>(samples_, weights_, by_, to);
      break;
    case 3:
      weigh<3>(samples_, weights_, by_, to);
      break;
    case 4:
      weigh<4>(samples_, weights_, by_, to);
      break;
    default:
      weigh<0>(samples_, weights_, by_, to);
  }
  samples_.erase(samples_.begin(), samples_.begin() + static_cast<std::ptrdiff_t>(count * by_));
}

void Thinner::finish(std::vector<float>& out) {
  add(std::vector<float>(weights_.size() / 2, 0.0F), out);
}

unsigned thinned_by(unsigned rate, unsigned wanted) {
  constexpr unsigned kMost = 32;
  unsigned best = 1;
  for (unsigned by = 2; by <= kMost && by * 2 * wanted <= rate; ++by) {
    if (rate % by == 0) best = by;
  }
  return best;
}

bool is_mixable(int format) {
  switch (format) {
    case AV_SAMPLE_FMT_FLTP:
    case AV_SAMPLE_FMT_FLT:
    case AV_SAMPLE_FMT_S16P:
    case AV_SAMPLE_FMT_S16:
    case AV_SAMPLE_FMT_S32P:
    case AV_SAMPLE_FMT_S32:
      return true;
    default:
      return false;
  }
}

void mix_evenly(const AVFrame& frame, std::vector<float>& mono) {
  switch (frame.format) {
    case AV_SAMPLE_FMT_FLTP:
      return mix<float, true>(frame, 1, mono);
    case AV_SAMPLE_FMT_FLT:
      return mix<float, false>(frame, 1, mono);
    case AV_SAMPLE_FMT_S16P:
      return mix<std::int16_t, true>(frame, 0x1p-15F, mono);
    case AV_SAMPLE_FMT_S16:
      return mix<std::int16_t, false>(frame, 0x1p-15F, mono);
    case AV_SAMPLE_FMT_S32P:
      return mix<std::int32_t, true>(frame, 0x1p-31F, mono);
    case AV_SAMPLE_FMT_S32:
      return mix<std::int32_t, false>(frame, 0x1p-31F, mono);
    default:
      return;
  }
}

}  // namespace twinsift
