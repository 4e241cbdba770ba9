// SPDX-License-Identifier: Apache-2.0
// The ways to look at pictures, each a media type of its own.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "feature/grey_image.h"
#include "feature/hash_model.h"
#include "feature/word_bag.h"
#include "media/picture.h"
#include "twinsift/media.h"

namespace twinsift {

// What all of them have in common: they recognise the same files and show the same previews.
class PictureMedia : public MediaType {
 public:
  [[nodiscard]] std::string_view medium() const final { return "image"; }
  [[nodiscard]] bool recognises(std::span<const std::byte> head) const final;
  [[nodiscard]] Result<Explanation> explain(const Input& a, const Input& b) const final;

 protected:
  [[nodiscard]] Result<Picture> decode(const Input& input, const PictureRequest& request) const;

 private:
  std::unique_ptr<PictureDecoder> pictures_ = std::make_unique<PictureDecoder>();
};

// Requires: it was asked for in grey.
GreyView grey_of(const Picture& picture);

// At which size key points are looked for: those of a larger picture are mostly finer than what a
// copy of it still shows.  The decoder shrinks by powers of two: no less than what is needed for
// any shape up to 2:1.
inline constexpr std::uint32_t kKeyPointsLongestSide = 640;
inline constexpr std::uint32_t kKeyPointsShorterSide = kKeyPointsLongestSide / 2;

std::unique_ptr<MediaType> make_gist_media();  // the whole picture: feature/picture_print.h
std::unique_ptr<MediaType> make_pdq_media();   // the whole picture: feature/pdq_print.h
std::unique_ptr<MediaType> make_siamese_media(HashModel model);        // feature/siamese_print.h
std::unique_ptr<MediaType> make_words_media(const WordBagKind& kind);  // its words, as a text has

}  // namespace twinsift
