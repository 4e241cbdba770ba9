// SPDX-License-Identifier: Apache-2.0
// A picture and a film: is the picture a frame of it, and which one?
//
// The code of the picture (feature/whole_image.h) is looked for among those of the film's frames
// (feature/film_print.h), of which there are eight a second, as it is and mirrored.  There is no
// thumbnail of a frame to compare the picture with, so the codes must be much closer than those of
// pictures are: two recordings of one room look alike all the same, and what was found is a hint,
// never a reason to remove anything.
//
// Cost: 25 ns a frame.
#pragma once

#include <cstdint>
#include <optional>

#include "feature/film_print.h"
#include "index/code_candidates.h"
#include "twinsift/media.h"
#include "twinsift/report.h"
#include "twinsift/types.h"

namespace twinsift {

// What a copy of a frame differs in at most.
inline constexpr std::uint32_t kFrameBits = 40;

struct FrameMatch {
  double seconds = 0;  // of the film, in the middle of the time that the frame is shown
  std::uint32_t bits = 256;
  bool mirrored = false;
  double score = 0;  // 0.6 to 0.79, as of whatever is contained in something
};

// Whether its pictures have codes of the same kind as the frames of films.
bool has_frame_codes(const MediaType& pictures);

// The closest frame, and of equal ones the first; nothing if none is within kFrameBits.
// `codes` are those of the picture in all orientations.
std::optional<FrameMatch> match_frame(const OrientedCodes& codes, const FilmPrint& film);

// The picture as a recording that lasts no time: its timeline has one stretch, from the moment to
// the moment.  `picture_first`: the picture is a.
Evidence evidence_of(const FrameMatch& match, const FilmPrint& film, bool picture_first);

}  // namespace twinsift
