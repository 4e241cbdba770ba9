// SPDX-License-Identifier: Apache-2.0
// Pictures by learned codes, of a model that `twinsift train siamese` made.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "feature/gist.h"
#include "feature/siamese_print.h"
#include "media/image_media.h"

namespace twinsift {
namespace {

constexpr std::uint32_t kLeastSide = 32;  // as for pictures by their gist

class SiameseMedia final : public PictureMedia {
 public:
  explicit SiameseMedia(HashModel model) : model_(std::move(model)) {}

  [[nodiscard]] std::string spec() const override { return "image1:" + model_.spec(); }

  [[nodiscard]] Result<Description> extract(const Input& input) const override {
    const HashNetShape& shape = model_.shape();
    const bool grey = shape.colours == 1;
    TWINSIFT_TRY(Picture picture,
                 decode(input, {.min_side = static_cast<std::uint32_t>(shape.side), .grey = grey}));
    SiamesePrint print =
        siamese_print_of({.bytes = {reinterpret_cast<const std::uint8_t*>(picture.bytes.data()),
                                    picture.bytes.size()},
                          .width = picture.columns,
                          .height = picture.rows,
                          .channels = picture.channels},
                         model_);
    print.width = picture.width;
    print.height = picture.height;
    TWINSIFT_TRY(const bool blank, is_blank(input, picture));
    print.plain = blank || std::min(picture.width, picture.height) < kLeastSide;
    if (print.plain) {
      TWINSIFT_TRY(const Picture full, decode(input, {.digest = true, .pixels = false}));
      if (full.digest) print.pixels = *full.digest;
      picture.facts.emplace_back("plain", "yes");
    }
    Description description{.features = {}, .facts = std::move(picture.facts)};
    description.features.push_back(Feature{.value = pack(print)});
    return description;
  }

 private:
  // Blank pictures are nobody's duplicates, whatever a network makes of them.
  [[nodiscard]] Result<bool> is_blank(const Input& input, const Picture& picture) const {
    if (picture.channels == 1) {
      return information_of(thumbnail_of(grey_of(picture))) < kLeastInformation;
    }
    TWINSIFT_TRY(const Picture grey, decode(input, {.min_side = kThumbnailSide, .grey = true}));
    return information_of(thumbnail_of(grey_of(grey))) < kLeastInformation;
  }

  HashModel model_;
};

}  // namespace

std::unique_ptr<MediaType> make_siamese_media(HashModel model) {
  return std::make_unique<SiameseMedia>(std::move(model));
}

}  // namespace twinsift
