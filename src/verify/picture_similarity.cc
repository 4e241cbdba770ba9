// SPDX-License-Identifier: Apache-2.0
#include "verify/picture_similarity.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "base/bit_code.h"
#include "feature/picture_print.h"
#include "verify/alignment.h"

namespace twinsift {
namespace {

// An alignment below "the same picture" counts for less: strangers reach .67 (two dandelions before
// a dark ground), and that must stay below .6, the level of edited pictures.
double calibrated(double score) {
  return score >= kSamePicture ? score : score * score / kSamePicture;
}

class PictureSimilarity final : public PictureDetector {
 public:
  explicit PictureSimilarity(LearnedLook learned) : learned_(learned == LearnedLook::kYes) {}

  [[nodiscard]] Result<PictureLook> look(SetView packed) const override {
    TWINSIFT_TRY(const PicturePrint print, unpack_print(packed));
    PictureLook look{
        .width = print.width, .height = print.height, .plain = print.plain, .pixels = print.pixels};
    if (!print.plain) look.codes = CodeModel::shipped().codes_of_orientations(print.thumbnail);
    return look;
  }

  [[nodiscard]] std::array<std::uint32_t, 8> radii() const override {
    std::array<std::uint32_t, 8> radii{};
    radii.fill(kTurnedBits);
    radii[0] = kNearBits;
    return radii;
  }

  [[nodiscard]] std::uint32_t learned_radius() const override {
    return learned_ ? kLearnedBits : 0;
  }

  [[nodiscard]] Result<LearnedCodes> learned(SetView packed, Mirrored mirrored) const override {
    TWINSIFT_TRY(const PicturePrint print, unpack_print(packed));
    return print.plain ? LearnedCodes{} : learned_codes_of(print.thumbnail, mirrored);
  }

  [[nodiscard]] Result<WholeMatch> compare(SetView a, SetView b,
                                           const OrientedCodes& codes_b) const override {
    TWINSIFT_TRY(const PicturePrint print_a, unpack_print(a));
    TWINSIFT_TRY(const PicturePrint print_b, unpack_print(b));
    if (print_a.plain || print_b.plain) return compare_pixels(print_a, print_b);
    WholeMatch match;
    std::vector<int> orientations;  // of a that are worth a look
    for (int o = 0; o < kOrientations; ++o) {
      const auto place = static_cast<std::size_t>(o);
      const std::uint32_t bits = hamming_distance(print_a.code, codes_b[place]);
      match.bits = std::min(match.bits, bits);
      if (bits <= radii()[place]) orientations.push_back(inverse_orientation(o));
    }
    if (!orientations.empty()) lay_over(print_a, print_b, orientations, match);
    return match;
  }

  [[nodiscard]] Result<WholeMatch> compare_learned(SetView a, SetView b,
                                                   LearnedDistance distance) const override {
    TWINSIFT_TRY(const PicturePrint print_a, unpack_print(a));
    TWINSIFT_TRY(const PicturePrint print_b, unpack_print(b));
    if (print_a.plain || print_b.plain) return compare_pixels(print_a, print_b);
    WholeMatch match{.learned_bits = distance.bits};
    if (distance.bits > kLearnedBits) return match;
    const std::array<int, 1> orientation = {distance.mirrored ? 4 : 0};
    lay_over(print_a, print_b, orientation, match);
    return match;
  }

  [[nodiscard]] Result<Borders> borders(SetView a, SetView b,
                                        const Placement& placement) const override {
    TWINSIFT_TRY(const PicturePrint print_a, unpack_print(a));
    TWINSIFT_TRY(const PicturePrint print_b, unpack_print(b));
    return borders_of(print_a.thumbnail, print_b.thumbnail, placement);
  }

 private:
  // The second look.
  static void lay_over(const PicturePrint& a, const PicturePrint& b,
                       std::span<const int> orientations, WholeMatch& match) {
    const SizedThumbnail sized_a{a.thumbnail, a.width, a.height};
    const SizedThumbnail sized_b{b.thumbnail, b.width, b.height};
    const Alignment alignment = align(sized_a, sized_b, orientations);
    match.score = calibrated(alignment.score);
    match.correlation = alignment.correlation;
    match.placement = placement_of(alignment, sized_a, sized_b);
  }

  static WholeMatch compare_pixels(const PicturePrint& a, const PicturePrint& b) {
    constexpr std::array<std::uint64_t, 2> kUnknown{};
    WholeMatch match;
    match.same_pixels = a.plain && b.plain && a.pixels == b.pixels && a.pixels != kUnknown;
    match.score = match.same_pixels ? 1 : 0;
    return match;
  }

  bool learned_;
};

}  // namespace

double similar_score(std::uint32_t learned_bits) {
  constexpr double kBelowEdited = 1e-6;
  if (learned_bits > kSimilarBits) return 0;
  return 0.6 - kBelowEdited - 0.19 * learned_bits / kSimilarBits;
}

std::unique_ptr<PictureDetector> make_picture_similarity(LearnedLook learned) {
  return std::make_unique<PictureSimilarity>(learned);
}

}  // namespace twinsift
