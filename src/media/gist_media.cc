// SPDX-License-Identifier: Apache-2.0
// Pictures as wholes: what picture.h decodes becomes a print (feature/picture_print.h).
#include <algorithm>

#include "feature/picture_print.h"
#include "media/image_media.h"

namespace twinsift {
namespace {

// Smaller pictures are icons and dots: there is too little in them to tell strangers apart.
constexpr std::uint32_t kLeastSide = 32;

class GistMedia final : public PictureMedia {
 public:
  [[nodiscard]] std::string spec() const override { return "image1:gist"; }

  [[nodiscard]] Result<Description> extract(const Input& input) const override {
    TWINSIFT_TRY(Picture picture, decode(input, {.min_side = kThumbnailSide, .grey = true}));
    PicturePrint print{.width = picture.width, .height = picture.height};
    print.thumbnail = thumbnail_of(grey_of(picture));
    const WholeImage whole = CodeModel::shipped().describe(print.thumbnail);
    print.plain = std::min(picture.width, picture.height) < kLeastSide ||
                  whole.information < kLeastInformation;
    if (print.plain) {
      TWINSIFT_TRY(const Picture full, decode(input, {.digest = true, .pixels = false}));
      if (full.digest) print.pixels = *full.digest;
      picture.facts.emplace_back("plain", "yes");
    } else {
      print.code = whole.code;
    }
    Description description{.features = {}, .facts = std::move(picture.facts)};
    description.features.push_back(Feature{.value = pack(print)});
    return description;
  }
};

}  // namespace

std::unique_ptr<MediaType> make_gist_media() { return std::make_unique<GistMedia>(); }

}  // namespace twinsift
