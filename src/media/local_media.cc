// SPDX-License-Identifier: Apache-2.0
// Pictures by their key points: what picture.h decodes becomes a local print
// (feature/local_print.h).  Made for those pictures alone that a look at the whole has left over.
#include "feature/local_print.h"
#include "feature/shrink.h"
#include "feature/sift.h"
#include "feature/visual_words.h"
#include "media/image_media.h"

namespace twinsift {
namespace {

class LocalMedia final : public PictureMedia {
 public:
  [[nodiscard]] std::string spec() const override {
    return "local1:" + shipped_vocabulary().spec();
  }

  [[nodiscard]] Result<Description> extract(const Input& input) const override {
    TWINSIFT_TRY(const Picture picture,
                 decode(input, {.min_side = kKeyPointsShorterSide, .grey = true}));
    const GreyImage small = shrunk(grey_of(picture), kKeyPointsLongestSide);
    const KeyPoints points = find_key_points(small.view());
    Description description;
    if (points.points.empty()) return description;
    const Vocabulary& vocabulary = shipped_vocabulary();
    const LocalPrint print{vocabulary.words_of(points), vocabulary.mirrored_words_of(points)};
    description.features.push_back(Feature{.value = pack(print)});
    return description;
  }
};

}  // namespace

std::unique_ptr<MediaType> make_local_media() { return std::make_unique<LocalMedia>(); }

}  // namespace twinsift
