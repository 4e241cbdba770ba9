// SPDX-License-Identifier: Apache-2.0
#include "verify/frame_match.h"

#include "base/bit_code.h"
#include "verify/time_score.h"

namespace twinsift {

bool has_frame_codes(const MediaType& pictures) { return pictures.spec() == "image1:gist"; }

std::optional<FrameMatch> match_frame(const OrientedCodes& codes, const FilmPrint& film) {
  FrameMatch best;
  const auto look = [&](const FilmCodes& frames, bool mirrored) {
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const std::uint32_t bits = hamming_distance(codes[0], frames.code(i));
      if (bits >= best.bits) continue;
      best = {.seconds = frames.middle(i), .bits = bits, .mirrored = mirrored};
    }
  };
  look(film.frames, false);
  look(film.mirrored, true);
  if (best.bits > kFrameBits) return std::nullopt;
  best.score = 0.6 + 0.19 * (1 - static_cast<double>(best.bits) / 128);
  return best;
}

Evidence evidence_of(const FrameMatch& match, const FilmPrint& film, bool picture_first) {
  Timeline timeline{.seconds_a = 0,
                    .seconds_b = film.seconds,
                    .stretches = {{0, 0, match.seconds, match.seconds}},
                    .agreement = 1 - static_cast<double>(match.bits) / 128};
  timeline.mirrored = match.mirrored;
  Evidence evidence;
  evidence.film = picture_first ? timeline : reversed(timeline);
  (picture_first ? evidence.containment_a : evidence.containment_b) = 1;
  return evidence;
}

}  // namespace twinsift
