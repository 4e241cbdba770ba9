// SPDX-License-Identifier: Apache-2.0
#include "verify/film_stretch.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>

#include "base/bit_code.h"

namespace twinsift {
namespace {

constexpr double kReach = 0.16;     // seconds between frames that are compared, at most
constexpr double kStep = 0.125;     // how long a frame counts
constexpr double kStrangers = 122;  // bits
constexpr double kHighestLevel = 94;
constexpr double kLowestLevel = 64;
constexpr double kMoves = 18;  // bits: less is as good as still

struct Sample {
  std::uint32_t frame_a = 0;
  std::uint32_t frame_b = 0;
  double time = 0;  // in a
  double lasts = 0;
  double bits = 0;
};

// How far a time is from that of an entry.
double distance_in_time(const FilmCodes& codes, std::size_t i, double seconds) {
  return std::max({0.0, 0.001 * codes.begin[i] - seconds, seconds - 0.001 * codes.end[i]});
}

std::optional<Sample> sample_of(const FilmPair& films, const FilmLine& line, std::size_t i) {
  const double time = films.a.middle(i);
  const double in_b = line.in_b(time);
  const auto& begins = films.b.begin;
  const auto after = std::ranges::upper_bound(begins, 1000 * in_b, {},
                                              [](std::uint32_t t) { return double{1} * t; });
  const auto next = static_cast<std::size_t>(after - begins.begin());
  std::optional<Sample> best;
  for (std::size_t j = next >= 2 ? next - 2 : 0; j < std::min(next + 2, films.b.size()); ++j) {
    if (distance_in_time(films.b, j, in_b) > kReach) continue;
    const double bits = hamming_distance(films.a.code(i), films.b.code(j));
    if (best && best->bits <= bits) continue;
    best = Sample{.frame_a = static_cast<std::uint32_t>(i),
                  .frame_b = static_cast<std::uint32_t>(j),
                  .time = time,
                  .lasts = kStep + 0.001 * (films.a.end[i] - films.a.begin[i]),
                  .bits = bits};
  }
  return best;
}

std::vector<Sample> samples_along(const FilmPair& films, const FilmLine& line) {
  std::vector<Sample> samples;
  const double from = line.in_a(0) - kStep / 2;
  const double to = line.in_a(films.seconds_b) + kStep / 2;
  for (std::size_t i = 0; i < films.a.size(); ++i) {
    if (films.a.middle(i) < from || films.a.middle(i) > to) continue;
    if (const auto sample = sample_of(films, line, i)) samples.push_back(*sample);
  }
  return samples;
}

// Half way between what the better half of the frames near the line are and strangers.
double level_of(const std::vector<Sample>& samples) {
  std::vector<double> near;
  for (const Sample& sample : samples) {
    if (sample.bits < kHighestLevel) near.push_back(sample.bits);
  }
  if (near.empty()) return kHighestLevel;
  const auto middle = near.begin() + std::ssize(near) / 2;
  std::nth_element(near.begin(), middle, near.end());
  return std::clamp((*middle + kStrangers) / 2, kLowestLevel, kHighestLevel);
}

struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
  double before = 0;  // sum of the scores before it, and up to its end
  double after = 0;
};

// Ruzzo and Tompa: each range has a positive sum and cannot be made better.
std::vector<Range> best_ranges(const std::vector<double>& scores) {
  std::vector<Range> ranges;
  double sum = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double before = sum;
    sum += scores[i];
    if (scores[i] <= 0) continue;
    Range range{i, i + 1, before, sum};
    while (true) {
      std::size_t j = ranges.size();
      while (j > 0 && ranges[j - 1].before >= range.before) --j;
      if (j == 0 || ranges[j - 1].after >= range.after) break;
      range.begin = ranges[j - 1].begin;
      range.before = ranges[j - 1].before;
      ranges.resize(j - 1);
    }
    ranges.push_back(range);
  }
  return ranges;
}

// What is shown several times is evidence once.
double evidence_in(const FilmPair& films, std::span<const Sample> samples) {
  constexpr std::uint32_t kOther = 32;  // bits
  constexpr std::size_t kRemembered = 16;
  std::vector<const Sample*> shown;
  double evidence = 0;
  for (const Sample& sample : samples) {
    const std::size_t from = shown.size() > kRemembered ? shown.size() - kRemembered : 0;
    const bool known = std::any_of(
        shown.begin() + static_cast<std::ptrdiff_t>(from), shown.end(), [&](const Sample* other) {
          return hamming_distance(films.a.code(sample.frame_a), films.a.code(other->frame_a)) <=
                 kOther;
        });
    if (known) continue;
    shown.push_back(&sample);
    evidence += evidence_of(sample.bits);
  }
  return evidence;
}

// How much each frame knows its time: see contrast in the header.
struct Motion {
  double own = 0;       // S
  double contrast = 1;  // of the half of the frames where it is least
};

Motion motion_in(const FilmPair& films, std::span<const Sample> samples, double bits) {
  constexpr std::size_t kFrames = 64;
  constexpr std::size_t kOthers = 12;
  const double length = samples.back().time - samples.front().time;
  const double apart = std::min(1.0, length / 3);
  const std::size_t step = std::max<std::size_t>(1, samples.size() / kFrames);
  const std::size_t other_step = std::max<std::size_t>(1, samples.size() / kOthers);
  Motion motion;
  double frames = 0;
  std::vector<double> contrasts;
  for (std::size_t k = 0; k < samples.size(); k += step) {
    const auto code = films.a.code(samples[k].frame_a);
    double between = 0;
    double own = 0;
    double count = 0;
    for (std::size_t other = k % other_step; other < samples.size(); other += other_step) {
      if (std::abs(samples[other].time - samples[k].time) < apart || other == k) continue;
      between += hamming_distance(code, films.b.code(samples[other].frame_b));
      own += hamming_distance(code, films.a.code(samples[other].frame_a));
      ++count;
    }
    if (count == 0) continue;
    ++frames;
    motion.own += own / count;
    if (own / count >= kMoves)
      contrasts.push_back((between / count - samples[k].bits) * count / own);
  }
  if (frames == 0) return motion;
  motion.own /= frames;
  if (contrasts.empty()) return motion;
  const auto half = (contrasts.size() + 1) / 2;
  std::ranges::sort(contrasts);
  motion.contrast = std::accumulate(contrasts.begin(),
                                    contrasts.begin() + static_cast<std::ptrdiff_t>(half), 0.0) /
                    static_cast<double>(half) / (1 - std::min(bits, 100.0) / 128);
  return motion;
}

FilmStretch described(const FilmPair& films, std::span<const Sample> samples) {
  FilmStretch stretch;
  stretch.begin_a = samples.front().time - samples.front().lasts / 2;
  stretch.end_a = samples.back().time + samples.back().lasts / 2;
  stretch.frames = static_cast<std::uint32_t>(samples.size());
  double lasts = 0;
  for (const Sample& sample : samples) {
    stretch.bits += sample.lasts * sample.bits;
    lasts += sample.lasts;
  }
  stretch.bits /= lasts;
  stretch.evidence = evidence_in(films, samples);
  const Motion motion = motion_in(films, samples, stretch.bits);
  stretch.motion = motion.own;
  stretch.contrast = motion.contrast;
  return stretch;
}

}  // namespace

bool FilmStretch::believed() const {
  constexpr double kEvidence = 6;
  constexpr double kEqualBits = 20;   // no more than an encoder does
  constexpr double kStillBits = 40;   // where time proves nothing
  constexpr double kEditedBits = 45;  // from here on it was cropped or covered
  constexpr double kVeryShort = 2;    // seconds in which time cannot prove much
  constexpr double kShort = 5;        // in which what moves may do so alike by chance
  if (frames < 3 || evidence < kEvidence) return false;
  if (bits <= kEqualBits) return true;
  const double length = end_a - begin_a;
  if (length < kVeryShort) return false;
  if (motion < kMoves) return bits <= kStillBits;
  if (bits < kEditedBits) return contrast >= (length < kShort ? 0.5 : 0.35);
  return contrast >= (length < kShort ? 0.33 : 0.22);
}

std::vector<FilmStretch> stretches_along(const FilmPair& films, const FilmLine& line) {
  const std::vector<Sample> samples = samples_along(films, line);
  const double level = level_of(samples);
  std::vector<double> scores;
  scores.reserve(samples.size());
  for (const Sample& sample : samples) {
    scores.push_back(sample.lasts * std::clamp((level - sample.bits) / 30, -1.0, 1.0));
  }
  std::vector<FilmStretch> stretches;
  for (const Range& range : best_ranges(scores)) {
    stretches.push_back(
        described(films, std::span(samples).subspan(range.begin, range.end - range.begin)));
  }
  return stretches;
}

Stretch placed(const FilmStretch& stretch, const FilmLine& line, const FilmPair& films) {
  const double first = std::max(0.0, line.in_a(0));
  const double last = std::min(films.seconds_a, line.in_a(films.seconds_b));
  // Before the first frame, and after the last, there may be nothing to see in either.
  const auto nothing = [](const FilmCodes& codes, double from, double to) {
    const auto next = std::ranges::lower_bound(codes.begin, 1000 * from, {},
                                               [](std::uint32_t t) { return double{1} * t; });
    return next == codes.begin.end() || *next >= 1000 * to;
  };
  double begin = std::clamp(stretch.begin_a, first, last);
  double end = std::clamp(stretch.end_a, begin, last);
  constexpr double kMargin = 0.2;
  if (nothing(films.a, first, begin - kMargin) &&
      nothing(films.b, line.in_b(first), line.in_b(begin - kMargin))) {
    begin = first;
  }
  if (nothing(films.a, end + kMargin, last) &&
      nothing(films.b, line.in_b(end + kMargin), line.in_b(last))) {
    end = last;
  }
  const auto in_b = [&](double a) { return std::clamp(line.in_b(a), 0.0, films.seconds_b); };
  return {.begin_a = begin, .end_a = end, .begin_b = in_b(begin), .end_b = in_b(end)};
}

}  // namespace twinsift
