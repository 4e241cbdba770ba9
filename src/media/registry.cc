// SPDX-License-Identifier: Apache-2.0
// The table of media types.
#include "twinsift/media.h"

namespace twinsift {

Result<std::vector<std::unique_ptr<MediaType>>> make_media_types(std::string_view text_features,
                                                                 std::string_view pictures) {
  std::vector<std::unique_ptr<MediaType>> types;
  // The first bytes of a picture may look like text; those of a text never like a picture.
  TWINSIFT_TRY(auto image, make_image_media(pictures));
  types.push_back(std::move(image));
  TWINSIFT_TRY(auto text, make_text_media(text_features));
  types.push_back(std::move(text));
  return types;
}

}  // namespace twinsift
