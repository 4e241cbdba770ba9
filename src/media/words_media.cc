// SPDX-License-Identifier: Apache-2.0
// Pictures by their visual words, as sets or counts (feature/word_bag.h): looked at as closely as
// those whose parts are looked for, and compared like texts.
#include "feature/shrink.h"
#include "feature/sift.h"
#include "feature/word_bag.h"
#include "media/image_media.h"

namespace twinsift {
namespace {

class WordsMedia final : public PictureMedia {
 public:
  explicit WordsMedia(const WordBagKind& kind) : kind_(kind) {}
  [[nodiscard]] std::string spec() const override { return "image1:" + spec_of(kind_); }

  [[nodiscard]] Result<Description> extract(const Input& input) const override {
    TWINSIFT_TRY(Picture picture, decode(input, {.min_side = kKeyPointsShorterSide, .grey = true}));
    const GreyImage small = shrunk(grey_of(picture), kKeyPointsLongestSide);
    const LocalWords words = shipped_vocabulary().words_of(find_key_points(small.view()));
    Description description{.features = {}, .facts = std::move(picture.facts)};
    const std::vector<TermCount> counts = word_counts(words);
    description.facts.emplace_back("visual_words", std::to_string(counts.size()));
    if (counts.size() < kFewestWords) return description;
    if (kind_.weights) {
      description.features.push_back(Feature{.value = as_weights(counts)});
    } else {
      description.features.push_back(Feature{.value = word_set(words)});
    }
    return description;
  }

 private:
  WordBagKind kind_;
};

}  // namespace

std::unique_ptr<MediaType> make_words_media(const WordBagKind& kind) {
  return std::make_unique<WordsMedia>(kind);
}

}  // namespace twinsift
