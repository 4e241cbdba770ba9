// SPDX-License-Identifier: Apache-2.0
#include "verify/sound_fit.h"

#include <algorithm>
#include <cmath>

namespace twinsift {
namespace {

constexpr double kSlowest = 0.88;
constexpr double kSpeedStep = 0.02;
constexpr int kSpeeds = 14;
constexpr std::ptrdiff_t kAround = 16;  // moments beyond the seed that are looked at
constexpr std::ptrdiff_t kGap = 32;     // moments
constexpr double kCore = 0.58;          // agreement of what is certainly no chance
constexpr double kFirstLook = 6;        // z of what is worth comparing as a whole

// Of this shift and speed, through (j, i).
SoundLine line_through(int shift, double speed, double j, double i) {
  return {shift, speed, i - speed * j};
}

double middle(const Moments& m) { return 0.5 * static_cast<double>(m.from + m.to - 1); }

// Enough of them for a fit.
Moments sampled(const Moments& moments) {
  return {moments.from, moments.to, std::max<std::ptrdiff_t>(1, (moments.to - moments.from) / 512)};
}

// The run of moments with the largest sum of what they agree beyond kCore.
Moments core_of(const Hearing& x, const Hearing& y, const SoundLine& line, const Moments& within) {
  Moments best{within.from, within.from};
  double best_sum = 0;
  double sum = 0;
  std::ptrdiff_t from = within.from;
  for (std::ptrdiff_t j = within.from; j < within.to; ++j) {
    const double agreement = agreement_at(x, y, line, j);
    if (agreement >= 0) sum += agreement - kCore;
    if (sum <= 0) {
      sum = 0;
      from = j + 1;
    } else if (sum > best_sum) {
      best_sum = sum;
      best = {from, j + 1};
    }
  }
  return best;
}

// The furthest moment that is worth it, from `j` on in steps of `by`; the last one taken.
std::ptrdiff_t reach(const Hearing& x, const Hearing& y, const SoundLine& line, std::ptrdiff_t j,
                     std::ptrdiff_t by, double level) {
  std::ptrdiff_t best = j - by;
  double sum = 0;
  double best_sum = 0;
  const double least = -static_cast<double>(kGap) * (level - 0.5);
  for (; j >= 0 && j < y.size(); j += by) {
    const double i = line.at(static_cast<double>(j));
    if (i < -0.5 || i >= static_cast<double>(x.size()) - 0.5) break;
    const double agreement = agreement_at(x, y, line, j);
    if (agreement < 0) continue;
    sum += agreement - level;
    if (sum > best_sum) {
      best_sum = sum;
      best = j;
    } else if (sum < best_sum + least) {
      break;
    }
  }
  return best;
}

}  // namespace

SoundStretch fit_seed(const Hearing& x, const Hearing& y, const SoundSeed& seed,
                      std::optional<double> speed) {
  const Moments around{std::max<std::ptrdiff_t>(0, seed.at_y - kAround),
                       std::min(y.size(), seed.at_y + kSeedLength + kAround)};
  const Moments some{around.from, around.to, around.to - around.from > 32 ? 3 : 1};
  const double j = middle(around);
  SoundStretch best{{}, around, {}};
  double best_sum = -1;
  for (int k = 0; k < (speed ? 1 : kSpeeds); ++k) {
    const double tried = speed ? *speed : kSlowest + kSpeedStep * k;
    for (std::ptrdiff_t d = 0; d < kSeedWidth; ++d) {
      const SoundLine line =
          line_through(seed.shift, tried, j, j + static_cast<double>(seed.offset + d));
      const Agreement agreement = agreement_along(x, y, line, some);
      const double sum = agreement.sum - 0.5 * agreement.count;
      if (sum > best_sum) {
        best_sum = sum;
        best.line = line;
      }
    }
  }
  best.moments = core_of(x, y, best.line, around);
  best.agreement = agreement_along(x, y, best.line, best.moments);
  return best;
}

bool is_worth_comparing(const Hearing& x, const Hearing& y, const SoundSeed& seed) {
  return Spread{}.z(fit_seed(x, y, seed, std::nullopt).agreement) >= kFirstLook;
}

SoundLine refine_line(const Hearing& x, const Hearing& y, const SoundStretch& stretch, bool turn) {
  const Moments some = sampled(stretch.moments);
  const double j = middle(stretch.moments);
  const auto sum_of = [&](const SoundLine& line) {
    const Agreement agreement = agreement_along(x, y, line, some);
    return agreement.sum - 0.5 * agreement.count;
  };
  SoundLine line = stretch.line;
  double sum = sum_of(line);
  double step = 0.5;  // moments, in the middle and at the ends
  const auto length = static_cast<double>(stretch.moments.to - stretch.moments.from);
  for (int round = 0; round < 24 && step > 0.1; ++round) {
    SoundLine better = line;
    for (const double move : {-1.0, 0.0, 1.0}) {
      for (const double turned : {-1.0, 0.0, 1.0}) {
        if (!turn && turned != 0) continue;
        const double speed = line.speed + turned * 2 * step / std::max(length, 16.0);
        if (speed < kSlowest - kSpeedStep || speed > kSlowest + kSpeedStep * kSpeeds) continue;
        const SoundLine tried = line_through(line.shift, speed, j, line.at(j) + move * step);
        const double tried_sum = sum_of(tried);
        if (tried_sum > sum) {
          sum = tried_sum;
          better = tried;
        }
      }
    }
    if (better.speed == line.speed && better.offset == line.offset) step /= 2;
    line = better;
  }
  return line;
}

SoundStretch grow(const Hearing& x, const Hearing& y, SoundStretch stretch, bool turn) {
  constexpr int kRounds = 12;
  for (int round = 0; round < kRounds; ++round) {
    stretch.line = refine_line(x, y, stretch, turn);
    const Agreement now = agreement_along(x, y, stretch.line, stretch.moments);
    const double level = std::max(0.54, 0.5 * (0.5 + now.mean()));
    const std::ptrdiff_t from = reach(x, y, stretch.line, stretch.moments.from - 1, -1, level);
    const std::ptrdiff_t to = reach(x, y, stretch.line, stretch.moments.to, 1, level) + 1;
    const bool grown = from < stretch.moments.from || to > stretch.moments.to;
    stretch.moments = {from, to};
    if (!grown) break;
  }
  stretch.agreement = agreement_along(x, y, stretch.line, stretch.moments);
  return stretch;
}

Moments with_silence(const Hearing& x, const Hearing& y, const SoundStretch& stretch) {
  const auto in_x = [&](std::ptrdiff_t j) {
    return std::floor(stretch.line.at(static_cast<double>(j)) + 0.5);
  };
  const auto is_inside = [&](std::ptrdiff_t j) {
    return j >= 0 && j < y.size() && in_x(j) >= 0 && in_x(j) < static_cast<double>(x.size());
  };
  const auto is_silent = [&](std::ptrdiff_t j) {
    return y.heard[static_cast<std::size_t>(j)] == 0 &&
           x.heard[static_cast<std::size_t>(in_x(j))] == 0;
  };
  std::ptrdiff_t from = stretch.moments.from;
  std::ptrdiff_t to = stretch.moments.to;
  while (is_inside(from - 1) && is_silent(from - 1)) --from;
  while (is_inside(to) && is_silent(to)) ++to;
  return {is_inside(from - 1) ? stretch.moments.from : from,
          is_inside(to) ? stretch.moments.to : to};
}

}  // namespace twinsift
