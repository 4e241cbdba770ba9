// SPDX-License-Identifier: Apache-2.0
// How whole pictures are compared: by codes of 256 bits that find candidates, and by what decides.
//
// A detector defines a similarity in [0, 1] of which 0.8 means "the same picture", and the
// similarity of pictures whose codes differ in too many bits is 0: so the recall that an index of
// codes promises is the recall of pairs at or above a threshold.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "feature/learned_code.h"
#include "feature/weights.h"
#include "index/code_candidates.h"
#include "twinsift/result.h"
#include "twinsift/types.h"
#include "verify/picture_border.h"

namespace twinsift {

// What finding candidates takes.
struct PictureLook {
  std::uint32_t width = 0;  // of the original
  std::uint32_t height = 0;
  OrientedCodes codes{};
  // Too little in it for a code to mean anything: it goes only with those that have the same
  // pixels.
  bool plain = false;
  std::array<std::uint64_t, 2> pixels{};  // their digest; zeros if unknown
};

struct WholeMatch {
  double score = 0;
  std::uint32_t bits = 256;                     // that differ, for the best orientation
  std::optional<std::uint32_t> learned_bits{};  // the same of learned codes, if these found it
  std::optional<double> correlation{};
  std::optional<Placement> placement{};
  bool same_pixels = false;
};

// Threads may share one.
class PictureDetector {
 public:
  virtual ~PictureDetector() = default;

  // kCorrupt if these are not the words of a picture.
  [[nodiscard]] virtual Result<PictureLook> look(SetView packed) const = 0;
  // In how many bits codes may differ, for each orientation.
  [[nodiscard]] virtual std::array<std::uint32_t, 8> radii() const = 0;
  // Learned codes, which find candidates among those that the others leave, and in how many bits
  // they may differ; 0 and nothing for detectors that have none.
  [[nodiscard]] virtual std::uint32_t learned_radius() const { return 0; }
  [[nodiscard]] virtual Result<LearnedCodes> learned(SetView /*packed*/,
                                                     Mirrored /*mirrored*/) const {
    return LearnedCodes{};
  }
  // Of pictures whose learned codes lie so near, whatever the others say; asks no network.  The
  // score for (b, a) is the same.
  [[nodiscard]] virtual Result<WholeMatch> compare_learned(SetView /*a*/, SetView /*b*/,
                                                           LearnedDistance /*distance*/) const {
    return WholeMatch{};
  }
  // `codes_b` are those of look(b).  The score for (b, a) is the same.
  [[nodiscard]] virtual Result<WholeMatch> compare(SetView a, SetView b,
                                                   const OrientedCodes& codes_b) const = 0;
  [[nodiscard]] Result<WholeMatch> compare(SetView a, SetView b) const;
  // Which of them has a border that the other lacks; none if the detector keeps no pixels.
  [[nodiscard]] virtual Result<Borders> borders(SetView /*a*/, SetView /*b*/,
                                                const Placement& /*placement*/) const {
    return Borders{};
  }

 protected:
  // compare() of detectors that have nothing but codes: a score for the bits that differ.
  [[nodiscard]] Result<WholeMatch> compare_codes(
      SetView a, SetView b, const OrientedCodes& codes_b,
      const std::function<double(std::uint32_t bits)>& score_of) const;
};

// "gist" (verify/picture_similarity.h), with learned codes or without, "pdq"
// (verify/pdq_similarity.h) or "siamese:FILE".  Null for "words" and what begins with it, because
// sets of visual words are compared as texts are.
enum class LearnedLook : std::uint8_t { kNo, kYes };
Result<std::unique_ptr<PictureDetector>> make_picture_detector(
    std::string_view features, LearnedLook learned = LearnedLook::kNo);

Evidence evidence_of(WholeMatch match);

// The shares that are covered are those that are contained.
void place(Placement placement, Evidence& evidence);

// A placement found in pictures that are `small_a` and `small_b` pixels wide, as one in the
// originals, which are `full_a` and `full_b` wide.
struct Widths {
  std::uint32_t small_a = 0, small_b = 0, full_a = 0, full_b = 0;
};
Placement at_full_size(Placement placement, const Widths& widths);

}  // namespace twinsift
