// SPDX-License-Identifier: Apache-2.0
// The table of media types.
#include "twinsift/media.h"

namespace twinsift {

Result<std::vector<std::unique_ptr<MediaType>>> make_media_types(std::string_view text_features) {
  std::vector<std::unique_ptr<MediaType>> types;
  TWINSIFT_TRY(auto text, make_text_media(text_features));
  types.push_back(std::move(text));
  return types;
}

}  // namespace twinsift
