// SPDX-License-Identifier: Apache-2.0
#include "verify/picture_detector.h"

#include <algorithm>

#include "base/bit_code.h"
#include "feature/picture_features.h"
#include "feature/siamese_print.h"
#include "feature/word_bag.h"
#include "verify/pdq_similarity.h"
#include "verify/picture_similarity.h"
#include "verify/siamese_similarity.h"

namespace twinsift {

Result<WholeMatch> PictureDetector::compare(SetView a, SetView b) const {
  TWINSIFT_TRY(const PictureLook look_b, look(b));
  return compare(a, b, look_b.codes);
}

Result<WholeMatch> PictureDetector::compare_codes(
    SetView a, SetView b, const OrientedCodes& codes_b,
    const std::function<double(std::uint32_t bits)>& score_of) const {
  constexpr std::array<std::uint64_t, 2> kUnknown{};
  TWINSIFT_TRY(const PictureLook look_a, look(a));
  TWINSIFT_TRY(const PictureLook look_b, look(b));
  WholeMatch match;
  match.same_pixels = look_a.pixels == look_b.pixels && look_a.pixels != kUnknown;
  if (look_a.plain || look_b.plain) {
    match.score = match.same_pixels ? 1 : 0;
    return match;
  }
  for (const auto& code : codes_b) {
    match.bits = std::min(match.bits, hamming_distance(look_a.codes[0], code));
  }
  match.score = score_of(match.bits);
  return match;
}

Result<std::unique_ptr<PictureDetector>> make_picture_detector(std::string_view features,
                                                               LearnedLook learned) {
  if (features == "gist") return make_picture_similarity(learned);
  if (features == "pdq") return make_pdq_similarity();
  if (const auto file = siamese_file(features)) {
    TWINSIFT_TRY(const HashModel model, load_siamese(*file));
    return make_siamese_similarity(model.calibration());
  }
  if (parse_word_bag(features)) return std::unique_ptr<PictureDetector>();
  return unknown_picture_features(features);
}

Evidence evidence_of(WholeMatch match) {
  Evidence evidence;
  if (match.bits < 256) evidence.bits = match.bits;
  evidence.learned_bits = match.learned_bits;
  evidence.correlation = match.correlation;
  evidence.same_pixels = match.same_pixels;
  if (match.placement) place(*std::move(match.placement), evidence);
  return evidence;
}

void place(Placement placement, Evidence& evidence) {
  evidence.containment_a = placement.covered_a;
  evidence.containment_b = placement.covered_b;
  placement.matched = static_cast<std::uint32_t>(placement.points.size());
  evidence.placement = std::move(placement);
}

Placement at_full_size(Placement placement, const Widths& widths) {
  placement.scale *=
      (double(widths.full_b) / widths.small_b) / (double(widths.full_a) / widths.small_a);
  return placement;
}

}  // namespace twinsift
