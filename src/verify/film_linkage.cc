// SPDX-License-Identifier: Apache-2.0
#include "verify/film_linkage.h"

#include <algorithm>
#include <tuple>

namespace twinsift {

Linkage linkage_of(std::span<const Timeline> timelines) {
  Linkage linkage;
  if (timelines.empty()) return linkage;
  const double seconds = timelines.front().seconds_a;
  std::vector<LinkedPart> all;
  for (std::size_t i = 0; i < timelines.size(); ++i) {
    for (const Stretch& stretch : timelines[i].stretches) all.push_back({i, stretch, 0});
  }
  // Of those that begin together the longest first, so that it is the one that counts.
  std::ranges::sort(all, {}, [](const LinkedPart& part) {
    return std::tuple(part.stretch.begin_a, -part.stretch.end_a, part.other);
  });
  constexpr double kNothing = 0.5;  // seconds, by which borders are uncertain
  double end = 0;
  double sum = 0;
  for (LinkedPart& part : all) {
    part.adds = std::min(part.stretch.end_a, seconds) - std::max(part.stretch.begin_a, end);
    if (part.adds <= 0) continue;
    end = part.stretch.end_a;
    sum += part.adds;
    if (part.adds > kNothing) linkage.parts.push_back(part);
  }
  linkage.covered = std::clamp(sum / seconds, 0.0, 1.0);
  return linkage;
}

}  // namespace twinsift
