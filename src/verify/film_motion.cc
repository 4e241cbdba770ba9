// SPDX-License-Identifier: Apache-2.0
#include "verify/film_motion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "feature/still_code.h"
#include "feature/thumbnail.h"
#include "verify/alignment.h"

namespace twinsift {
namespace {

constexpr double kReach = 0.16;  // seconds between pictures that are compared, at most
constexpr std::size_t kFewest = 8;
constexpr double kMoves = 2;  // grey levels: less may be noise
constexpr double kLikeness = 0.3;
constexpr std::size_t kSide = kSmallSide;

using Picture = std::array<float, kSide * kSide>;

// A part of a picture, which is 1 wide and 1 high: left, top, width, height.
using Window = std::array<float, 4>;

// The sums that a correlation is made of.
struct Sums {
  double n = 0, a = 0, b = 0, aa = 0, bb = 0, ab = 0;
  void add(float x, float y) {
    n += 1;
    a += x;
    b += y;
    aa += double{x} * x;
    bb += double{y} * y;
    ab += double{x} * y;
  }
  [[nodiscard]] double correlation() const {
    const double variances = (n * aa - a * a) * (n * bb - b * b);
    return variances > 0 ? (n * ab - a * b) / std::sqrt(variances) : 0;
  }
};

// Where the pixels of a window lie along one side of the picture: a pixel and a share of the next.
struct Steps {
  std::array<std::uint32_t, kSide> first;
  std::array<float, kSide> share;
  Steps(float begin, float length) {
    for (std::size_t i = 0; i < kSide; ++i) {
      const float centre = begin + length * (static_cast<float>(i) + 0.5F) / kSide;
      const float place = std::clamp(centre * kSide - 0.5F, 0.0F, kSide - 1.001F);
      first[i] = static_cast<std::uint32_t>(place);
      share[i] = place - static_cast<float>(first[i]);
    }
  }
};

Picture part_of(const Picture& picture, const Window& window) {
  const Steps across(window[0], window[2]);
  const Steps down(window[1], window[3]);
  Picture part;
  for (std::size_t y = 0; y < kSide; ++y) {
    const float* upper = &picture[down.first[y] * kSide];
    const float* lower = upper + kSide;
    const float below = down.share[y];
    for (std::size_t x = 0; x < kSide; ++x) {
      const std::uint32_t i = across.first[x];
      const float right = across.share[x];
      const float above = upper[i] + right * (upper[i + 1] - upper[i]);
      const float beneath = lower[i] + right * (lower[i + 1] - lower[i]);
      part[y * kSide + x] = above + below * (beneath - above);
    }
  }
  return part;
}

// Gradients, the steep ones hardly more than others: the edges of a logo are steeper than all else.
float softened(float gradient) {
  constexpr float kSteep = 6;  // grey levels a pixel
  return gradient / (std::abs(gradient) + kSteep);
}

double likeness_of(const Picture& a, const Picture& b) {
  Sums sums;
  for (std::size_t y = 0; y + 1 < kSide; ++y) {
    for (std::size_t x = 0; x + 1 < kSide; ++x) {
      const std::size_t i = y * kSide + x;
      sums.add(softened(a[i + 1] - a[i]), softened(b[i + 1] - b[i]));
      sums.add(softened(a[i + kSide] - a[i]), softened(b[i + kSide] - b[i]));
    }
  }
  return sums.correlation();
}

struct Laid {
  Window window{0, 0, 1, 1};
  double likeness = -1;
};

void try_window(const Picture& picture, const Picture& other, const Window& window, Laid& best) {
  const double likeness = likeness_of(part_of(picture, window), other);
  if (likeness > best.likeness) best = {window, likeness};
}

bool within(const Window& window) {
  constexpr float kBeyond = 0.02F;  // a bar may have been found a little wider in one of them
  return window[0] >= -kBeyond && window[1] >= -kBeyond && window[2] > 0.5F && window[3] > 0.5F &&
         window[0] + window[2] <= 1 + kBeyond && window[1] + window[3] <= 1 + kBeyond;
}

// The part of one picture that is the other.
Laid laid_over(const Picture& picture, const Picture& other) {
  constexpr int kSteps = 5;  // of a twentieth: cut off at most
  Laid best;
  for (int cut = 0; cut <= kSteps; ++cut) {
    const float side = 1 - 0.05F * static_cast<float>(cut);
    for (int x = 0; x <= cut; ++x) {
      for (int y = 0; y <= cut; ++y) {
        const Window window{0.05F * static_cast<float>(x), 0.05F * static_cast<float>(y), side,
                            side};
        try_window(picture, other, window, best);
      }
    }
  }
  // A side moves, or two opposite ones do.
  constexpr std::array<Window, 6> kShifts = {
      {{1, 0, -1, 0}, {0, 1, 0, -1}, {0, 0, 1, 0}, {0, 0, 0, 1}, {1, 0, 0, 0}, {0, 1, 0, 0}}};
  for (float step = 0.03F; step > 0.004F;) {
    const double before = best.likeness;
    for (const Window& move : kShifts) {
      for (const float way : {-step, step}) {
        Window window = best.window;
        for (std::size_t i = 0; i < window.size(); ++i) window[i] += way * move[i];
        if (within(window)) try_window(picture, other, window, best);
      }
    }
    if (best.likeness <= before) step /= 2;
  }
  return best;
}

Picture mean_of(const std::vector<Picture>& pictures) {
  Picture mean{};
  for (const Picture& picture : pictures) {
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += picture[i];
  }
  for (float& pixel : mean) pixel /= static_cast<float>(pictures.size());
  return mean;
}

// What the mean, brighter or darker and with more or less contrast, does not explain.
void take_rest(Picture& picture, const Picture& mean) {
  Sums sums;
  for (std::size_t i = 0; i < mean.size(); ++i) sums.add(mean[i], picture[i]);
  const double variance = sums.n * sums.aa - sums.a * sums.a;
  const double gain = variance > 0 ? (sums.n * sums.ab - sums.a * sums.b) / variance : 0;
  const auto bias = static_cast<float>((sums.b - gain * sums.a) / sums.n);
  for (std::size_t i = 0; i < mean.size(); ++i) {
    picture[i] -= bias + static_cast<float>(gain) * mean[i];
  }
}

void take_rests(std::vector<Picture>& pictures) {
  const Picture mean = mean_of(pictures);
  for (Picture& picture : pictures) take_rest(picture, mean);
}

// Pictures of a, and those of b at the same moments.
struct Moments {
  std::vector<Picture> a;
  std::vector<Picture> b;
};

Picture as_picture(const SmallStill& still, bool mirrored) {
  Picture picture;
  for (std::size_t y = 0; y < kSide; ++y) {
    for (std::size_t x = 0; x < kSide; ++x) {
      picture[y * kSide + x] = still[y * kSide + (mirrored ? kSide - 1 - x : x)];
    }
  }
  return picture;
}

Moments moments_of(const FilmMotionTask& films, const FilmLine& line, double begin_a,
                   double end_a) {
  Moments moments;
  const FilmCodes& times_a = films.a.frames;
  const FilmCodes& times_b = films.b.frames;
  const auto stills_a = decode_stills(films.a.stills);
  const auto stills_b = decode_stills(films.b.stills);
  for (std::size_t i = 0; i < stills_a.size(); ++i) {
    const double time = 0.001 * times_a.begin[i];
    if (time < begin_a || time > end_a) continue;
    const double in_b = line.in_b(time);
    double nearest = kReach;
    std::size_t best = stills_b.size();
    for (std::size_t j = 0; j < stills_b.size(); ++j) {
      const double away =
          std::max({0.0, 0.001 * times_b.begin[j] - in_b, in_b - 0.001 * times_b.end[j]});
      if (away >= nearest) continue;
      nearest = away;
      best = j;
    }
    if (best == stills_b.size()) continue;
    moments.a.push_back(as_picture(stills_a[i], films.mirrored));
    moments.b.push_back(as_picture(stills_b[best], false));
  }
  return moments;
}

// A part of one, and the other.
FilmMotion motion_of(std::vector<Picture> whole, std::vector<Picture> part, const Laid& laid) {
  for (Picture& picture : whole) picture = part_of(picture, laid.window);
  take_rests(whole);
  take_rests(part);
  Sums sums;
  for (std::size_t k = 1; k < whole.size(); ++k) {
    for (std::size_t i = 0; i < whole[k].size(); ++i) {
      sums.add(whole[k][i] - whole[k - 1][i], part[k][i] - part[k - 1][i]);
    }
  }
  return {.likeness = laid.likeness,
          .moves = std::sqrt(std::min(sums.aa, sums.bb) / sums.n),
          .together = sums.correlation()};
}

double alignment_of(const Picture& a, const Picture& b) {
  const auto doubled = [](const Picture& picture) {
    Thumbnail thumbnail{};
    for (std::size_t i = 0; i < thumbnail.size(); ++i) {
      const std::size_t x = i % kThumbnailSide / 2;
      const std::size_t y = i / kThumbnailSide / 2;
      thumbnail[i] = static_cast<std::uint8_t>(picture[y * kSide + x] + 0.5F);
    }
    return thumbnail;
  };
  static_assert(kThumbnailSide == 2 * kSide);
  const Thumbnail large_a = doubled(a);
  const Thumbnail large_b = doubled(b);
  return align({large_a, kThumbnailSide, kThumbnailSide}, {large_b, kThumbnailSide, kThumbnailSide})
      .score;
}

}  // namespace

std::optional<FilmMotion> look_closely(const FilmMotionTask& films, const FilmLine& line,
                                       double begin_a, double end_a) {
  const Moments moments = moments_of(films, line, begin_a, end_a);
  if (moments.a.size() < kFewest) return std::nullopt;
  const Picture mean_a = mean_of(moments.a);
  const Picture mean_b = mean_of(moments.b);
  // As they are, too: a logo may look like something that was cut off.
  FilmMotion motion = motion_of(moments.a, moments.b, {.likeness = likeness_of(mean_a, mean_b)});
  const auto look = [&](const FilmMotion& other) {
    if (other.likeness >= kLikeness && other.together > motion.together) motion = other;
  };
  look(motion_of(moments.a, moments.b, laid_over(mean_a, mean_b)));
  look(motion_of(moments.b, moments.a, laid_over(mean_b, mean_a)));
  if (motion.moves < kMoves) motion.aligned = alignment_of(mean_a, mean_b);
  return motion;
}

bool FilmMotion::agrees() const {
  constexpr double kTogether = 0.55;  // copies have 0.6 and more, recordings of one scene below 0.5
  if (moves < kMoves) return aligned >= kSamePicture;
  return together >= kTogether && likeness >= kLikeness;
}

}  // namespace twinsift
