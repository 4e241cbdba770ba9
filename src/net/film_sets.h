// SPDX-License-Identifier: Apache-2.0
// The shots of a film as sets: see net/content_sets.h.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "feature/film_print.h"
#include "net/content_sets.h"

namespace twinsift::net {

// A stretch in which no frame differs much from the first one, and what most of it shows.
struct Shot {
  double begin = 0;  // seconds
  double end = 0;
  ImageCode code{};
};

// All shots, in their order: they cover all frames.
std::vector<Shot> shots_of(const FilmCodes& frames);

// Of the kMostShots longest shots that last kShortestShot.  kCorrupt if the words are none of a
// film.
Result<std::vector<ContentSet>> film_sets(const std::string& detector,
                                          std::span<const std::uint64_t> film);

}  // namespace twinsift::net
