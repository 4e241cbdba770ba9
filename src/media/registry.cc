// SPDX-License-Identifier: Apache-2.0
// The table of media types.
#include <optional>

#include "twinsift/media.h"

namespace twinsift {
namespace {

// "words:5" of "text1:words:5", for any version; nothing if the spec is of another medium.
std::optional<std::string_view> options_in(std::string_view spec, std::string_view name) {
  if (!spec.starts_with(name)) return std::nullopt;
  const std::size_t colon = spec.find(':');
  const std::string_view version = spec.substr(0, colon).substr(name.size());
  const bool digits =
      !version.empty() && version.find_first_not_of("0123456789") == std::string_view::npos;
  if (!digits || colon == std::string_view::npos) return std::nullopt;
  return spec.substr(colon + 1);
}

}  // namespace

MediaOptions media_options_of(std::span<const std::string> specs) {
  MediaOptions options;
  for (const std::string& spec : specs) {
    if (const auto text = options_in(spec, "text")) options.features = *text;
    if (const auto image = options_in(spec, "image")) options.pictures = *image;
    if (const auto recording = options_in(spec, "av")) {
      const std::size_t comma = recording->find(',');
      if (comma == std::string_view::npos) continue;
      options.sound = recording->substr(0, comma);
      options.film = recording->substr(comma + 1);
    }
  }
  return options;
}

Result<std::vector<std::unique_ptr<MediaType>>> make_media_types(const MediaOptions& options) {
  std::vector<std::unique_ptr<MediaType>> types;
  // The first bytes of a picture or recording may look like text; those of a text never like
  // either.
  TWINSIFT_TRY(auto image, make_image_media(options.pictures));
  types.push_back(std::move(image));
  TWINSIFT_TRY(auto recording, make_recording_media(options.sound, options.film));
  types.push_back(std::move(recording));
  TWINSIFT_TRY(auto text, make_text_media(options.features));
  types.push_back(std::move(text));
  return types;
}

}  // namespace twinsift
