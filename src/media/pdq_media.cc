// SPDX-License-Identifier: Apache-2.0
// Pictures by PDQ, for whoever exchanges its codes: they are among the facts.  It samples pixels of
// the full size, so that nothing can be shrunk while it is read.
#include <algorithm>

#include "feature/pdq_print.h"
#include "media/image_media.h"

namespace twinsift {
namespace {

class PdqMedia final : public PictureMedia {
 public:
  [[nodiscard]] std::string spec() const override { return "image1:pdq"; }

  [[nodiscard]] Result<Description> extract(const Input& input) const override {
    TWINSIFT_TRY(Picture picture, decode(input, {.digest = true}));
    const auto all = pdq_of_all_orientations(
        {{reinterpret_cast<const std::uint8_t*>(picture.bytes.data()), picture.bytes.size()},
         picture.columns,
         picture.rows});
    PdqPrint print{.width = picture.width,
                   .height = picture.height,
                   .quality = static_cast<std::uint32_t>(all.front().quality)};
    std::ranges::transform(all, print.codes.begin(), &Pdq::code);
    if (picture.digest) print.pixels = *picture.digest;
    Description description{.features = {}, .facts = std::move(picture.facts)};
    description.facts.emplace_back("pdq", pdq_hex(print.codes.front()));
    description.facts.emplace_back("pdq_quality", std::to_string(print.quality));
    description.features.push_back(Feature{.value = pack(print)});
    return description;
  }
};

}  // namespace

std::unique_ptr<MediaType> make_pdq_media() { return std::make_unique<PdqMedia>(); }

}  // namespace twinsift
