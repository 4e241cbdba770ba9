// SPDX-License-Identifier: Apache-2.0
#include "verify/sound_match.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "base/portable_math.h"
#include "base/portable_trig.h"
#include "index/sound_index.h"
#include "verify/sound_fit.h"
#include "verify/sound_scan.h"
#include "verify/time_score.h"

namespace twinsift {
namespace {

constexpr std::size_t kSeeds = 48;
constexpr std::size_t kGrown = 3;  // of the best seeds
// In music made of loops, the places a loop apart agree as well as the right one, which only shows
// when they are grown: it is the longest.
constexpr std::size_t kGrownLoops = 16;
constexpr double kLikeTheBest = 0.9;
constexpr double kBinsPerOctave = 36;
// At a speed of one's choice the beats of two tracks fit for a few bars: what is shorter must be
// most of a recording, and more of its bits must agree.
constexpr std::ptrdiff_t kLeastChanged = 160;  // moments
constexpr double kMoreIfChanged = 0.05;
// What noise leaves of a whole track may be little, but it is far from chance.
constexpr double kFarBeyond = 2;
constexpr double kLessIfEvident = 0.05;

// As many bits as make a hundred thousand equal keys of unrelated sounds, whatever the lengths.
unsigned key_bits(const Hearing& x, const Hearing& y) {
  constexpr int kChance = 17;
  const auto pairs = static_cast<std::uint64_t>(x.size()) * static_cast<std::uint64_t>(y.size()) *
                     (2 * kMostShift + 1) * 2;
  const int bits = static_cast<int>(std::bit_width(pairs)) - kChance;
  return static_cast<unsigned>(std::clamp(bits, 10, static_cast<int>(kMostKeyBits)));
}

double excess(const SoundStretch& s) { return s.agreement.sum - 0.5 * s.agreement.count; }

// One matching of y, the shorter one, in x.
class SoundMatching {
 public:
  SoundMatching(const SoundPrint& x, const SoundPrint& y, const SoundMatchOptions& options)
      : print_x_(x), print_y_(y), x_(x), y_(y), options_(options) {}

  std::optional<Timeline> run() {
    find_seeds();
    std::optional<SoundStretch> best = find_longest();
    if (!best) return std::nullopt;
    settle_pitch(*best);
    settle_speed(*best);
    stretches_.push_back(*best);
    find_others();
    return timeline();
  }

 private:
  void find_seeds() {
    SoundIndex index({.bits = key_bits(x_, y_), .tables = 2, .longest = 1U << 20U});
    index.add(x_.codes);
    index.seal();
    const auto answer = index.ask({y_.codes, 1, 1, kSeeds});
    for (const SoundCandidate& candidate : answer.candidates) seeds_.push_back(candidate.seed);
    if (const auto best = scan_offsets(x_, y_)) {
      const std::ptrdiff_t at_y = std::max<std::ptrdiff_t>(0, (y_.size() - kSeedLength) / 2);
      scanned_ = SoundSeed{.at_y = at_y, .offset = best->offset - kSeedWidth / 2};
    }
  }

  [[nodiscard]] bool is_evident(const SoundStretch& stretch) const {
    const std::ptrdiff_t length = stretch.moments.to - stretch.moments.from;
    const bool changed = stretch.line.shift != 0 || !is_one(stretch);
    if (changed && length < kLeastChanged && 2 * length < y_.size()) return false;
    if (stretch.agreement.count == 0) return false;
    const double z = spread_of(x_, y_, stretch.line).z(stretch.agreement);
    double least = options_.least_agreement;
    if (changed) least += kMoreIfChanged;
    if (!changed && z >= options_.least_z + kFarBeyond) least -= kLessIfEvident;
    return z >= options_.least_z && stretch.agreement.mean() >= least;
  }

  std::optional<SoundStretch> find_longest() {
    std::vector<SoundStretch> fits;
    for (const SoundSeed& seed : seeds_) {
      fits.push_back(fit_seed(x_, y_, seed, std::nullopt));
    }
    std::ranges::stable_sort(
        fits, [](const SoundStretch& a, const SoundStretch& b) { return excess(a) > excess(b); });
    std::optional<SoundStretch> best = scanned_stretch();
    std::size_t grown = 0;
    for (const SoundStretch& fit : fits) {
      if (fit.agreement.count == 0 || grown == kGrownLoops) break;
      if (grown >= kGrown && excess(fit) < kLikeTheBest * excess(fits.front())) break;
      if (best && lies_on(fit, *best)) continue;
      ++grown;
      const SoundStretch stretch = grow(x_, y_, fit, true);
      if (is_evident(stretch) && (!best || excess(stretch) > excess(*best))) best = stretch;
    }
    return best;
  }

  // At its own speed and pitch, where most of it agrees.
  std::optional<SoundStretch> scanned_stretch() {
    if (!scanned_) return std::nullopt;
    SoundStretch fit = fit_seed(x_, y_, *scanned_, 1);
    if (fit.agreement.count == 0) return std::nullopt;
    fit = grow(x_, y_, fit, true);
    return is_evident(fit) ? std::optional(fit) : std::nullopt;
  }

  // It would grow into the same.
  static bool lies_on(const SoundStretch& fit, const SoundStretch& stretch) {
    const double j = 0.5 * static_cast<double>(fit.moments.from + fit.moments.to);
    return fit.line.shift == stretch.line.shift && fit.moments.from < stretch.moments.to &&
           fit.moments.to > stretch.moments.from &&
           std::abs(fit.line.at(j) - stretch.line.at(j)) < 2;
  }

  // The shift that agrees best, and where between the shifts the pitch lies.
  void settle_pitch(SoundStretch& stretch) {
    const auto mean_at = [&](int shift) {
      SoundLine line = stretch.line;
      line.shift = shift;
      return agreement_along(x_, y_, line, stretch.moments).mean();
    };
    std::array<double, 3> means{};
    for (int round = 0; round < 3; ++round) {
      for (int k = 0; k < 3; ++k) {
        means[static_cast<std::size_t>(k)] = mean_at(stretch.line.shift + k - 1);
      }
      const int move = means[0] > means[1] ? -1 : (means[2] > means[1] ? 1 : 0);
      if (move == 0 || std::abs(stretch.line.shift + move) > kMostShift + 1) break;
      stretch.line.shift += move;
    }
    stretch.agreement = agreement_along(x_, y_, stretch.line, stretch.moments);
    const double bend = 2 * means[1] - means[0] - means[2];
    const double between = bend > 0 ? 0.5 * (means[2] - means[0]) / bend : 0;
    bins_ = stretch.line.shift + std::clamp(between, -0.5, 0.5);
  }

  // Almost the same speed is the same speed.
  static bool is_one(const SoundStretch& s) {
    return std::abs(s.line.speed - 1) * static_cast<double>(s.moments.to - s.moments.from) < 1;
  }

  void settle_speed(SoundStretch& stretch) {
    if (is_one(stretch)) {
      SoundStretch level = stretch;
      const double j = 0.5 * static_cast<double>(stretch.moments.from + stretch.moments.to - 1);
      level.line.speed = 1;
      level.line.offset = stretch.line.at(j) - j;
      level.line = refine_line(x_, y_, level, false);
      level.agreement = agreement_along(x_, y_, level.line, level.moments);
      if (excess(level) > 0.99 * excess(stretch)) stretch = level;
    }
    const double speed_bins = portable_log(stretch.line.speed) / std::numbers::ln2 * kBinsPerOctave;
    if (std::abs(speed_bins - bins_) < 0.25) bins_ = speed_bins;
  }

  void find_others() {
    const SoundStretch first = stretches_.front();
    for (const SoundSeed& seed : seeds_) {
      if (stretches_.size() >= options_.most_stretches) break;
      if (std::abs(seed.shift - first.line.shift) > 1) continue;
      SoundSeed same = seed;
      same.shift = first.line.shift;
      SoundStretch found = fit_seed(x_, y_, same, first.line.speed);
      if (found.agreement.count == 0 || overlaps(found)) continue;
      found = grow(x_, y_, found, false);
      trim(found);
      if (is_evident(found)) stretches_.push_back(found);
    }
  }

  [[nodiscard]] bool overlaps(const SoundStretch& found) const {
    const double j = 0.5 * static_cast<double>(found.moments.from + found.moments.to);
    const double i = found.line.at(j);
    return std::ranges::any_of(stretches_, [&](const SoundStretch& s) {
      const auto from = static_cast<double>(s.moments.from);
      const auto to = static_cast<double>(s.moments.to);
      return (j >= from && j <= to) || (i >= s.line.at(from) && i <= s.line.at(to));
    });
  }

  // Leaves to a new stretch what none of the others has, of x and of y.
  void trim(SoundStretch& found) const {
    Moments& m = found.moments;
    const auto inside = [&](const SoundStretch& s, std::ptrdiff_t j) {
      const double i = found.line.at(static_cast<double>(j));
      return (j >= s.moments.from && j < s.moments.to) ||
             (i >= s.line.at(static_cast<double>(s.moments.from)) &&
              i < s.line.at(static_cast<double>(s.moments.to)));
    };
    const auto taken = [&](std::ptrdiff_t j) {
      return std::ranges::any_of(stretches_, [&](const SoundStretch& s) { return inside(s, j); });
    };
    std::ptrdiff_t middle = (m.from + m.to) / 2;
    std::ptrdiff_t from = middle;
    std::ptrdiff_t to = middle;
    while (from > m.from && !taken(from - 1)) --from;
    while (to < m.to && !taken(to)) ++to;
    m = {from, to};
    found.agreement = agreement_along(x_, y_, found.line, m);
  }

  [[nodiscard]] Stretch seconds_of(const SoundStretch& s) const {
    const double row = kSoundRowSeconds;
    const auto in_x = [&](double t) {
      return s.line.speed * (t - 1.5 * row) + (s.line.offset + 1.5) * row;
    };
    const auto in_y = [&](double t) {
      return (t - (s.line.offset + 1.5) * row) / s.line.speed + 1.5 * row;
    };
    // A code stands for the sixteenth of a second about it, the first and last for all before
    // and after.
    const Moments m = with_silence(x_, y_, s);
    double begin = m.from <= 1 ? 0 : static_cast<double>(m.from + 1) * row;
    double end = m.to + 1 >= y_.size() ? print_y_.seconds() : static_cast<double>(m.to + 1) * row;
    begin = std::max(begin, in_y(0));
    end = std::min(end, in_y(print_x_.seconds()));
    return {in_x(begin), in_x(end), begin, end};
  }

  [[nodiscard]] Timeline timeline() const {
    Timeline result;
    result.seconds_a = print_x_.seconds();
    result.seconds_b = print_y_.seconds();
    Agreement all;
    for (const SoundStretch& s : stretches_) {
      result.stretches.push_back(seconds_of(s));
      all.sum += s.agreement.sum;
      all.count += s.agreement.count;
    }
    result.speed = stretches_.front().line.speed;
    result.pitch = portable_exp(bins_ / kBinsPerOctave * std::numbers::ln2);
    result.agreement = std::clamp(2 * all.mean() - 1, 0.0, 1.0);
    return result;
  }

  const SoundPrint& print_x_;
  const SoundPrint& print_y_;
  Hearing x_;
  Hearing y_;
  SoundMatchOptions options_;
  std::vector<SoundSeed> seeds_;
  std::optional<SoundSeed> scanned_;
  std::vector<SoundStretch> stretches_;
  double bins_ = 0;  // by which y is higher
};

// Stretches meet at whole moments of y, which are parts of moments of x.
void separate(std::vector<Stretch>& stretches) {
  std::ranges::sort(stretches, {}, &Stretch::begin_b);
  for (std::size_t i = 1; i < stretches.size(); ++i) {
    stretches[i].begin_b = std::max(stretches[i].begin_b, stretches[i - 1].end_b);
  }
  std::ranges::sort(stretches, {}, &Stretch::begin_a);
  for (std::size_t i = 1; i < stretches.size(); ++i) {
    stretches[i].begin_a = std::max(stretches[i].begin_a, stretches[i - 1].end_a);
  }
}

}  // namespace

std::optional<Timeline> match_sound(const SoundPrint& a, const SoundPrint& b,
                                    const SoundMatchOptions& options) {
  if (a.codes.empty() || b.codes.empty()) return std::nullopt;
  const bool swapped = a.samples != b.samples ? a.samples < b.samples : a.codes < b.codes;
  auto found = SoundMatching(swapped ? b : a, swapped ? a : b, options).run();
  if (!found) return std::nullopt;
  if (swapped) found = reversed(*found);
  separate(found->stretches);
  return found;
}

}  // namespace twinsift
