// SPDX-License-Identifier: Apache-2.0
#include "verify/pdq_similarity.h"

#include <algorithm>

#include "base/bit_code.h"
#include "feature/pdq_print.h"

namespace twinsift {
namespace {

constexpr double kBitsToZero = 155;
// The score .6, which is as far as strangers stay away; there is no level below for PDQ.
constexpr std::uint32_t kFarthest = 62;

class PdqSimilarity final : public PictureDetector {
 public:
  [[nodiscard]] Result<PictureLook> look(SetView packed) const override {
    TWINSIFT_TRY(const PdqPrint print, unpack_pdq_print(packed));
    return PictureLook{.width = print.width,
                       .height = print.height,
                       .codes = print.codes,
                       .plain = print.quality < kPdqLeastQuality,
                       .pixels = print.pixels};
  }

  [[nodiscard]] std::array<std::uint32_t, 8> radii() const override {
    std::array<std::uint32_t, 8> radii{};
    radii.fill(kFarthest);
    return radii;
  }

  [[nodiscard]] Result<WholeMatch> compare(SetView a, SetView b,
                                           const OrientedCodes& codes_b) const override {
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
    if (match.bits <= kFarthest) match.score = 1 - match.bits / kBitsToZero;
    return match;
  }
};

}  // namespace

std::unique_ptr<PictureDetector> make_pdq_similarity() { return std::make_unique<PdqSimilarity>(); }

}  // namespace twinsift
