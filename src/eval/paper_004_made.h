// SPDX-License-Identifier: Apache-2.0
// Made-up recordings, and what programs of our own make of them.
#pragma once

#include <vector>

#include "eval/paper_004.h"

namespace twinsift::paper_004 {

// Songs and films of one seed have seeds of their own, so that more of them change none.
std::vector<Sound> make_songs(const EvalOptions& options, const Sizes& sizes);
std::vector<Film> make_films(const EvalOptions& options, const Sizes& sizes);
Result<std::vector<Programme>> make_programmes(const EvalOptions& options, const Sizes& sizes);

// The recordings must outlive the trials.
Result<Trial<Heard>> trial_of(const std::vector<Sound>& songs);
Trial<Seen> trial_of(const std::vector<Film>& films);

// Cuts into 2, 3 and 4 parts and encodes these again.
Programme make_programme(const Film& whole);
// As they are: one split.
Programme programme_of(const Film& whole, const std::vector<Film>& parts);

}  // namespace twinsift::paper_004
