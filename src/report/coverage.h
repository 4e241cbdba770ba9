// SPDX-License-Identifier: Apache-2.0
// What the parts of a recording make up together: whether the two halves of a film are all of it.
//
// Each part shares stretches of time with the whole (verify/film_match.h, verify/sound_match.h).
// They are laid along the clock of the whole, where what several of them have counts once.
//
// Papers:  the linkage of POND, docs/algorithms/linkage.md.
// Differs: stretches that were compared moment by moment instead of equal segments between cuts.
// Cost:    sorting the stretches.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "twinsift/report.h"

namespace twinsift {

struct Coverage {
  struct Part {
    std::uint32_t member = 0;  // its place in the group, or in LinkedCoverage::others
    double begin = 0;          // by the clock of the one to keep
    double end = 0;
  };
  using Interval = std::pair<double, double>;

  double seconds = 0;              // how long the one to keep is
  double share = 0;                // of it that the parts cover
  std::vector<Part> parts;         // one for each stretch, by their beginnings
  std::uint32_t members = 0;       // that are parts
  std::vector<Interval> gaps;      // of a second and more, that none of the parts has
  std::vector<Interval> overlaps;  // of a second and more, that several members have
};

// Of the members that the one to keep contains; nothing if there are not two at least.
std::optional<Coverage> coverage_of(const Group& group);

// "these 2 parts together are the film: 0:00-0:45 and 0:45-1:30, 100 % covered", with gaps and
// overlaps if there are any.
std::string coverage_words(const Coverage& coverage, std::string_view medium);

// A recording that others have nearly all of, each of which may have other things besides.
struct LinkedCoverage {
  std::string path;
  std::string medium;
  std::vector<std::string> others;  // paths
  Coverage coverage;
};

// Of the recordings with links, together with what they contain: those of which two others or more
// have 80 %, and more than its parts in a group have, in the order of their paths.  One recording
// may be a part of several.
std::vector<LinkedCoverage> linked_coverage(const Report& report);

// "these 2 recordings together have the film: ...", and the rest as above.
std::string coverage_words(const LinkedCoverage& linked);

}  // namespace twinsift
