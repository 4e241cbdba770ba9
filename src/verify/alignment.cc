// SPDX-License-Identifier: Apache-2.0
#include "verify/alignment.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

#include "verify/block_agreement.h"
#include "verify/plane.h"
#include "verify/registration.h"

namespace twinsift {
namespace {

// Correlations at which a picture is given up; those of unrelated photographs are below them
// nine times in ten, those of versions of one almost never.
constexpr double kHopelessAt16 = 0.68;
constexpr double kHopelessAt32 = 0.50;
constexpr double kGoodAt16 = 0.80;       // no other start is tried
constexpr double kPromisingAt16 = 0.45;  // after a few steps from one

double rounded(double value) { return std::round(value * 1e6) / 1e6; }

Affine about_middle(double xx, double xy, double yx, double yy) {
  return {xx, xy, (1 - xx - xy) / 2, yx, yy, (1 - yx - yy) / 2};
}

// Half of the surface cut out in nine places, either way, and turns about the middle of a picture
// whose width is `aspect` times its height.  Smaller crops and turns are within reach of the
// identity.
constexpr std::size_t kStarts = 24;
std::array<Affine, kStarts> other_starts(double aspect) {
  struct Turn {
    double sine, cosine;
  };
  constexpr std::array<Turn, 3> kTurns = {
      {{0.104528, 0.994522}, {0.207912, 0.978148}, {0.342020, 0.939693}}};  // 6, 12, 20 degrees
  std::array<Affine, kStarts> starts{};
  std::size_t count = 0;
  for (const double scale : {0.75, 1 / 0.75}) {
    for (int place = 0; place < 9; ++place) {
      starts[count++] = {scale, 0,     place % 3 * (1 - scale) / 2,
                         0,     scale, place / 3 * (1 - scale) / 2};
    }
  }
  for (const Turn& turn : kTurns) {
    for (const double sine : {turn.sine, -turn.sine})
      starts[count++] = about_middle(turn.cosine, -sine / aspect, sine * aspect, turn.cosine);
  }
  return starts;
}

Registration::Outcome register_coarsely(const Thumbnail& first, const Thumbnail& second,
                                        double aspect) {
  constexpr int kFewSteps = 3;
  constexpr int kSteps = 6;
  constexpr std::size_t kTried = 2;
  const Plane second_plane = coarse_plane(second, 16);
  Registration registration(coarse_plane(first, 16));
  Registration::Outcome best = registration.improve(second_plane, kIdentity, kSteps);
  if (best.correlation >= kGoodAt16) return best;
  const std::array<Affine, kStarts> starts = other_starts(aspect);
  std::array<std::pair<double, std::size_t>, kStarts> order{};
  for (std::size_t i = 0; i < kStarts; ++i)
    order[i] = {-registration.quick_correlation(second_plane, starts[i]), i};
  std::partial_sort(order.begin(), order.begin() + kTried, order.end());
  for (std::size_t i = 0; i < kTried; ++i) {
    Registration::Outcome other =
        registration.improve(second_plane, starts[order[i].second], kFewSteps);
    if (other.correlation > kPromisingAt16)
      other = registration.improve(second_plane, other.map, kSteps);
    if (other.correlation > best.correlation) best = other;
  }
  return best;
}

struct Laid {
  Affine map = kIdentity;
  double correlation = 0;
  double score = 0;
  bool converged = false;
};

// Requires: the second is not shown smaller than the first.
Laid finish(const Thumbnail& first, const Thumbnail& second, const Affine& start) {
  constexpr int kSteps = 5;
  const Plane second_plane = detail_plane(second);
  Registration registration(detail_plane(first));
  registration.set_weights(agreeing(registration.compare(second_plane, start)));
  const Registration::Outcome outcome = registration.improve(second_plane, start, kSteps);
  const double inside = std::max(covered_share(outcome.map), covered_share(inverse(outcome.map)));
  Laid laid{.map = outcome.map, .converged = outcome.converged};
  laid.score = block_score(registration.compare(second_plane, outcome.map), inside);
  Registration plain(grey_plane(first));
  Moments all;
  for (const Moments& block : plain.compare(grey_plane(second), outcome.map)) all.add(block);
  laid.correlation = all.correlation();
  return laid;
}

Laid lay_over(const Thumbnail& first, const Thumbnail& second, double aspect) {
  // Whoever is given up here has a score that no doubt can be about.
  const auto hopeless = [](const Registration::Outcome& outcome) {
    return Laid{outcome.map, outcome.correlation, 0.3 * std::max(0.0, outcome.correlation), false};
  };
  Registration::Outcome outcome = register_coarsely(first, second, aspect);
  if (outcome.correlation < kHopelessAt16) return hopeless(outcome);
  Registration middle(coarse_plane(first, 32));
  outcome = middle.improve(coarse_plane(second, 32), outcome.map, 6);
  if (outcome.correlation < kHopelessAt32) return hopeless(outcome);
  if (determinant(outcome.map) >= 1) return finish(first, second, outcome.map);
  // The second shows it smaller: detail that it cannot have is not to be missed in it.
  Laid laid = finish(second, first, inverse(outcome.map));
  laid.map = inverse(laid.map);
  return laid;
}

double aspect_of(const SizedThumbnail& picture) {
  return double{static_cast<double>(picture.width)} / picture.height;
}

Alignment align_one(const SizedThumbnail& a, const SizedThumbnail& b, int orientation) {
  Alignment alignment{.orientation = orientation};
  Laid laid;
  // Always the same one of the two is first, so that their order does not matter.
  if (b.thumbnail < a.thumbnail) {
    laid = lay_over(b.thumbnail, oriented(a.thumbnail, orientation), aspect_of(b));
    alignment.a_to_b = inverse(laid.map);
  } else {
    const int back = inverse_orientation(orientation);
    laid = lay_over(a.thumbnail, oriented(b.thumbnail, back), aspect_of(a));
    alignment.a_to_b =
        compose(orientation_map(orientation), compose(laid.map, orientation_map(back)));
  }
  alignment.correlation = rounded(laid.correlation);
  alignment.overlap_a = rounded(covered_share(alignment.a_to_b));
  alignment.overlap_b = rounded(covered_share(inverse(alignment.a_to_b)));
  alignment.score = rounded(laid.score);
  alignment.converged = laid.converged;
  return alignment;
}

}  // namespace

Alignment align(const SizedThumbnail& a, const SizedThumbnail& b,
                std::span<const int> orientations) {
  assert(!orientations.empty());
  Alignment best{.score = -1};
  for (const int orientation : orientations) {
    const Alignment alignment = align_one(a, b, orientation);
    if (alignment.score > best.score) best = alignment;
  }
  return best;
}

Alignment align(const SizedThumbnail& a, const SizedThumbnail& b) { return align_one(a, b, 0); }

Placement placement_of(const Alignment& alignment, const SizedThumbnail& a,
                       const SizedThumbnail& b) {
  const Affine m = compose(alignment.a_to_b, orientation_map(alignment.orientation));
  Placement placement;
  placement.a_to_b = {m[0], m[1], m[2], m[3], m[4], m[5], 0, 0, 1};
  placement.frame_of_b = frame_of_second(m);
  placement.mirrored = alignment.orientation >= 4;
  // From pixels to pixels; without the mirror, the nearest turn is that of the sum of the diagonal
  // and the difference beside it.
  const double sign = placement.mirrored ? -1 : 1;
  const double xx = sign * m[0] * b.width / a.width;
  const double xy = m[1] * b.width / a.height;
  const double yx = sign * m[3] * b.height / a.width;
  const double yy = m[4] * b.height / a.height;
  placement.turned = rounded(std::atan2(yx - xy, xx + yy) * 180 / std::numbers::pi);
  if (placement.turned <= -180) placement.turned = 180;
  placement.scale = rounded(std::sqrt(std::fabs(xx * yy - xy * yx)));
  placement.covered_a = alignment.overlap_a;
  placement.covered_b = alignment.overlap_b;
  return placement;
}

}  // namespace twinsift
