// SPDX-License-Identifier: Apache-2.0
#include "media/image_media.h"

#include "feature/picture_features.h"
#include "feature/siamese_print.h"
#include "media/preview.h"

namespace twinsift {
bool PictureMedia::recognises(std::span<const std::byte> head) const {
  return recognise_picture(head) != PictureKind::kNone;
}

Result<Picture> PictureMedia::decode(const Input& input, const PictureRequest& request) const {
  return pictures_->decode(input, recognise_picture(head_of_picture(input.bytes)), request);
}

Result<Explanation> PictureMedia::explain(const Input& a, const Input& b) const {
  Explanation explanation;
  constexpr PictureRequest kRequest = {.pixels = false, .preview = kPreviewSide};
  TWINSIFT_TRY(Picture picture_a, decode(a, kRequest));
  TWINSIFT_TRY(Picture picture_b, decode(b, kRequest));
  explanation.preview_a = std::move(picture_a.preview);
  explanation.preview_b = std::move(picture_b.preview);
  return explanation;
}

GreyView grey_of(const Picture& picture) {
  return {{reinterpret_cast<const std::uint8_t*>(picture.bytes.data()), picture.bytes.size()},
          picture.columns,
          picture.rows};
}

Result<std::unique_ptr<MediaType>> make_image_media(std::string_view features) {
  if (features == "gist") return make_gist_media();
  if (features == "pdq") return make_pdq_media();
  if (const auto file = siamese_file(features)) {
    TWINSIFT_TRY(HashModel model, load_siamese(*file));
    return make_siamese_media(std::move(model));
  }
  if (const auto words = parse_word_bag(features)) return make_words_media(*words);
  return unknown_picture_features(features);
}

}  // namespace twinsift
