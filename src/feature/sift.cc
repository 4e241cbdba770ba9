// SPDX-License-Identifier: Apache-2.0
#include "feature/sift.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>
#include <utility>
#include <vector>

#include "base/portable_trig.h"
#include "feature/extrema.h"
#include "feature/scale_space.h"

namespace twinsift {
namespace {

struct Strong {
  Extremum extremum;
  std::size_t octave = 0;
};

struct Level {
  int number = 0;
  std::vector<Plane> blurs;
};

// The strongest first; of equal ones, those of the finest octave, the least blur, the first row.
void keep_strongest(std::vector<Strong>& all, std::size_t most) {
  std::ranges::stable_sort(all, std::ranges::greater{},
                           [](const Strong& one) { return one.extremum.contrast; });
  if (all.size() > most) all.resize(most);
}

}  // namespace

KeyPoints find_key_points(const GreyView& picture, const SiftOptions& options) {
  const bool small = std::min(picture.width, picture.height) < options.double_below;
  ScaleSpace space(picture, small ? -1 : 0);
  std::vector<Level> levels;
  std::vector<Strong> strong;
  while (auto octave = space.next()) {
    for (const Extremum& extremum :
         find_extrema(*octave, {.contrast = options.least_contrast, .edge = options.most_edge})) {
      strong.push_back({extremum, levels.size()});
    }
    levels.push_back({octave->number, std::move(octave->blurs)});
  }
  keep_strongest(strong, options.max_points);
  KeyPoints found{
      .width = picture.width, .height = picture.height, .points = {}, .descriptors = {}};
  for (const auto& [extremum, octave] : strong) {
    const Level& level = levels[octave];
    const double sigma =
        kFirstSigma * portable_exp(std::numbers::ln2 / kScalesPerOctave * double{extremum.blur});
    const PlaneSpot spot{.plane = level.blurs[static_cast<std::size_t>(extremum.blur + 0.5F)],
                         .x = extremum.x,
                         .y = extremum.y,
                         .sigma = static_cast<float>(sigma)};
    const auto pixel = static_cast<float>(std::ldexp(1.0, level.number));
    for (const float turns : orientations_at(spot)) {
      if (found.points.size() == options.max_points) return found;
      found.points.push_back({.x = spot.x * pixel,
                              .y = spot.y * pixel,
                              .scale = spot.sigma * pixel,
                              .angle = static_cast<float>(2 * std::numbers::pi * double{turns})});
      found.descriptors.push_back(descriptor_at(spot, turns, options.kind));
    }
  }
  return found;
}

}  // namespace twinsift
