// SPDX-License-Identifier: Apache-2.0
#include "verify/pdq_similarity.h"

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
    return compare_codes(a, b, codes_b, [](std::uint32_t bits) {
      return bits <= kFarthest ? 1 - bits / kBitsToZero : 0;
    });
  }
};

}  // namespace

std::unique_ptr<PictureDetector> make_pdq_similarity() { return std::make_unique<PdqSimilarity>(); }

}  // namespace twinsift
