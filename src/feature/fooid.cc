// SPDX-License-Identifier: Apache-2.0
#include "feature/fooid.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/portable_math.h"
#include "base/portable_trig.h"
#include "feature/token_set.h"

namespace twinsift {
namespace {

constexpr std::uint32_t kRate = 8000;
constexpr std::size_t kFrame = 8192;
constexpr std::size_t kBins = kFrame / 2;
constexpr std::size_t kFewest = 80000;  // samples
constexpr float kSilence = 1.0F / 32768;
constexpr std::size_t kBands = FooidPrinter::kBands;
constexpr std::size_t kFrames = FooidPrinter::kFrames;
constexpr std::size_t kHead = 10;  // bytes
constexpr std::size_t kLevelBytes = kFrames * kBands / 4;
constexpr std::size_t kStepBytes = 66;
constexpr std::uint8_t kSilentLevel = 3;

// The first bin of each band, about one Bark wide, and the end of the last one.
constexpr std::array<std::uint32_t, kBands + 1> kBorders = {
    107, 209, 304, 408, 522, 646, 784, 937, 1107, 1298, 1514, 1761, 2045, 2375, 2763, 3227, 4096};

// Where the next level begins; quartiles of a large collection of music, by their look.
constexpr std::array<std::array<double, 3>, kBands> kLevels = {{{.4273, .5300, .6216},
                                                                {.4233, .5267, .6220},
                                                                {.3827, .4800, .5754},
                                                                {.3783, .4765, .5736},
                                                                {.3848, .4853, .5838},
                                                                {.3726, .4711, .5699},
                                                                {.3669, .4635, .5595},
                                                                {.3500, .4430, .5374},
                                                                {.3440, .4356, .5281},
                                                                {.3281, .4147, .5032},
                                                                {.3256, .4117, .4983},
                                                                {.3148, .3993, .4850},
                                                                {.3091, .3892, .4674},
                                                                {.3031, .3825, .4612},
                                                                {.3340, .4151, .4929},
                                                                {.5660, .6249, .6746}}};

constexpr std::array<double, 63> kSteps = {  // Hz
    15.63,  40.04,  44.92,  48.83,  50.78,  52.73,  54.69,  57.62,  59.57,  62.50,  64.45,
    66.41,  69.34,  71.29,  73.24,  74.22,  77.15,  79.10,  82.03,  83.01,  83.98,  86.91,
    87.89,  91.80,  93.75,  97.66,  98.63,  99.61,  103.52, 105.47, 109.38, 110.35, 111.33,
    116.21, 119.14, 123.05, 125.00, 130.86, 134.77, 140.63, 146.48, 151.37, 159.18, 165.04,
    171.88, 182.62, 195.31, 201.17, 218.75, 228.52, 247.07, 262.70, 291.02, 310.61, 333.98,
    372.07, 414.06, 461.91, 523.44, 592.77, 699.22, 868.16, 1176.76};

std::vector<float> window() {
  std::vector<float> values(kFrame);
  for (std::size_t i = 0; i < kFrame / 2; ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / kFrame;
    const double value = std::sqrt(0.5 - 0.5 * portable_sine_cosine(angle).cosine);
    values[i] = values[kFrame - 1 - i] = static_cast<float>(value);
  }
  return values;
}

double decibel(float power) {
  return power <= 1e-15F ? 0 : 10 / std::numbers::ln10 * portable_log(double{power});
}

// How well a line describes the powers of a band: the level of the fourth root of r^2.
std::uint8_t level_of(std::span<const float> power, const std::array<double, 3>& borders) {
  const auto n = static_cast<double>(power.size());
  const double middle = (n - 1) / 2;
  double mean = 0;
  for (const float p : power) mean += decibel(p) / n;
  double xy = 0;
  double yy = 0;
  for (std::size_t i = 0; i < power.size(); ++i) {
    const double y = decibel(power[i]) - mean;
    xy += (static_cast<double>(i) - middle) * y;
    yy += y * y;
  }
  const double xx = n * (n * n - 1) / 12;
  if (!(yy > 0)) return kSilentLevel;
  const double r = std::sqrt(std::sqrt(xy * xy / (xx * yy)));
  return static_cast<std::uint8_t>(
      std::ranges::count_if(borders, [&](double b) { return b <= r; }));
}

std::uint8_t step_of(std::span<const float> power) {
  const auto highest = std::ranges::max_element(power) - power.begin();
  const double frequency = kRate / 2.0 * static_cast<double>(highest) / kBins;
  return static_cast<std::uint8_t>(std::ranges::upper_bound(kSteps, frequency) - kSteps.begin());
}

// Appends the lowest `bits` of each value to `out`, most significant first.
class BitWriter {
 public:
  explicit BitWriter(std::span<std::uint8_t> out) : out_(out) {}
  void put(std::uint8_t value, unsigned bits) {
    for (unsigned i = bits; i-- > 0; ++at_) {
      out_[at_ / 8] |= static_cast<std::uint8_t>((value >> i & 1U) << (7 - at_ % 8));
    }
  }

 private:
  std::span<std::uint8_t> out_;
  std::size_t at_ = 0;
};

void put_number(std::span<std::uint8_t> out, std::uint64_t number) {
  for (std::uint8_t& byte : out) {
    byte = static_cast<std::uint8_t>(number & 0xFFU);
    number >>= 8U;
  }
}

std::uint32_t centiseconds(const FooidPrint& print) {
  return std::uint32_t{print[2]} | std::uint32_t{print[3]} << 8U | std::uint32_t{print[4]} << 16U |
         std::uint32_t{print[5]} << 24U;
}

std::uint32_t step_at(const FooidPrint& print, std::size_t frame) {
  std::uint32_t step = 0;
  for (std::size_t bit = 6 * frame; bit < 6 * frame + 6; ++bit) {
    step = step << 1U | (print[kHead + kLevelBytes + bit / 8] >> (7 - bit % 8) & 1U);
  }
  return step;
}

Error unfit(std::string message) { return {ErrorCode::kUnsupported, std::move(message)}; }

}  // namespace

Result<FooidPrinter> FooidPrinter::make(std::uint32_t rate) {
  if (rate == 0 || rate > Resampler::kMostRate) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("a sound of {} samples a second has no fooid fingerprint", rate)};
  }
  return FooidPrinter(rate);
}

FooidPrinter::FooidPrinter(std::uint32_t rate)
    : resampler_(rate, kRate), spectra_(window(), kFrame) {}

bool FooidPrinter::full() const { return samples_ >= kFrames * kFrame; }

void FooidPrinter::add(std::span<const float> mono) {
  if (full()) return;
  if (!heard_) {
    const auto* const first = std::ranges::find_if(mono.data(), mono.data() + mono.size(),
                                                   [](float x) { return std::abs(x) >= kSilence; });
    mono = mono.subspan(static_cast<std::size_t>(first - mono.data()));
    heard_ = !mono.empty();
  }
  resampler_.add(mono, sound_);
  feed();
}

void FooidPrinter::feed() {
  samples_ += sound_.size();
  spectra_.add(sound_, [this](std::span<const float> power) { describe(power); });
  sound_.clear();
}

void FooidPrinter::describe(std::span<const float> power) {
  if (steps_.size() == kFrames) return;
  auto& levels = levels_.emplace_back();
  for (std::size_t band = 0; band < kBands; ++band) {
    levels[band] =
        level_of(power.subspan(kBorders[band], kBorders[band + 1] - kBorders[band]), kLevels[band]);
  }
  steps_.push_back(step_of(power));
}

Result<FooidPrint> FooidPrinter::finish(double seconds) {
  if (!heard_) return unfit("too quiet: there is nothing to hear");
  resampler_.finish(sound_);
  feed();
  if (samples_ < kFewest || !(seconds >= 10)) {
    return unfit("too short: a fooid fingerprint needs 10 seconds of sound");
  }
  sound_.assign(kFrames * kFrame - std::min(samples_, kFrames * kFrame), 0.0F);
  feed();
  spectra_.finish([this](std::span<const float> power) { describe(power); });
  FooidPrint print{};
  const std::span<std::uint8_t> bytes = print;
  put_number(bytes.subspan(2, 4),
             static_cast<std::uint64_t>(std::min(seconds * 100, 2147483647.0)));
  std::uint32_t levels = 0;
  std::uint32_t steps = 0;
  BitWriter level_bits(bytes.subspan(kHead, kLevelBytes));
  BitWriter step_bits(bytes.subspan(kHead + kLevelBytes));
  for (std::size_t frame = 0; frame < kFrames; ++frame) {
    for (const std::uint8_t level : levels_[frame]) {
      level_bits.put(level, 2);
      levels += level;
    }
    step_bits.put(steps_[frame], 6);
    steps += steps_[frame];
  }
  const auto mean = [](double sum, std::size_t of) {
    return static_cast<std::uint64_t>(std::lround(sum / static_cast<double>(of)));
  };
  put_number(bytes.subspan(6, 2), mean(1000.0 * levels, kFrames * kBands));
  put_number(bytes.subspan(8, 2), mean(100.0 * steps, kFrames));
  return print;
}

double fooid_confidence(const FooidPrint& a, const FooidPrint& b) {
  constexpr std::array<std::uint32_t, 4> kCost = {0, 1, 4, 9};  // of the levels' XOR, not distance
  constexpr double kMost = kFrames * kBands * 18.0 + kStepBytes * 8.0;  // 25584, as published
  std::uint32_t cost = 0;
  for (std::size_t i = kHead; i < kHead + kLevelBytes; ++i) {
    for (unsigned differing = a[i] ^ b[i]; differing > 0; differing >>= 2U) {
      cost += kCost[differing & 3U];
    }
  }
  for (std::size_t i = kHead + kLevelBytes; i < a.size(); ++i) {
    cost += static_cast<std::uint32_t>(std::popcount(static_cast<unsigned>(a[i] ^ b[i])));
  }
  return std::clamp(1 - 2 * cost / kMost, 0.0, 1.0);
}

bool fooid_lengths_agree(const FooidPrint& a, const FooidPrint& b) {
  const auto [shorter, longer] = std::minmax({centiseconds(a), centiseconds(b)});
  return std::uint64_t{longer - shorter} * 10 <= shorter;
}

std::pair<std::uint32_t, std::uint32_t> fooid_equal_codes(const FooidPrint& a,
                                                          const FooidPrint& b) {
  std::uint32_t levels = 0;
  for (std::size_t i = kHead; i < kHead + kLevelBytes; ++i) {
    for (unsigned shift = 0; shift < 8; shift += 2) {
      levels += ((a[i] ^ b[i]) >> shift & 3U) == 0 ? 1U : 0U;
    }
  }
  std::uint32_t steps = 0;
  for (std::size_t f = 0; f < kFrames; ++f) steps += step_at(a, f) == step_at(b, f) ? 1U : 0U;
  return {levels, steps};
}

TokenSet fooid_set(const FooidPrint& print) {
  TokenSet ids;
  ids.reserve(print.size());
  for (std::size_t i = 0; i < print.size(); ++i) ids.push_back(premix64(i << 8U | print[i]));
  make_set(ids);
  return ids;
}

}  // namespace twinsift
