// SPDX-License-Identifier: Apache-2.0
#include "verify/siamese_similarity.h"

#include "feature/siamese_print.h"

namespace twinsift {
namespace {

class SiameseSimilarity final : public PictureDetector {
 public:
  explicit SiameseSimilarity(const HashCalibration& calibration) : calibration_(calibration) {}

  [[nodiscard]] Result<PictureLook> look(SetView packed) const override {
    TWINSIFT_TRY(const SiamesePrint print, unpack_siamese_print(packed));
    return PictureLook{.width = print.width,
                       .height = print.height,
                       .codes = print.codes,
                       .plain = print.plain,
                       .pixels = print.pixels};
  }

  [[nodiscard]] std::array<std::uint32_t, 8> radii() const override {
    std::array<std::uint32_t, 8> radii{};
    radii.fill(calibration_.far);
    return radii;
  }

  [[nodiscard]] Result<WholeMatch> compare(SetView a, SetView b,
                                           const OrientedCodes& codes_b) const override {
    return compare_codes(a, b, codes_b, [this](std::uint32_t bits) { return score_of(bits); });
  }

 private:
  [[nodiscard]] double score_of(std::uint32_t bits) const {
    const double near = calibration_.near;
    const double far = calibration_.far;
    if (bits <= calibration_.near) return bits == 0 ? 1 : 1 - 0.2 * bits / near;
    return bits > calibration_.far ? 0 : 0.8 - 0.4 * (bits - near) / (far - near);
  }

  HashCalibration calibration_;
};

}  // namespace

std::unique_ptr<PictureDetector> make_siamese_similarity(const HashCalibration& calibration) {
  return std::make_unique<SiameseSimilarity>(calibration);
}

}  // namespace twinsift
