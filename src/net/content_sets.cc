// SPDX-License-Identifier: Apache-2.0
#include "net/content_sets.h"

#include <optional>

#include "feature/pdq_print.h"
#include "feature/picture_print.h"
#include "feature/recording_print.h"
#include "net/film_sets.h"
#include "net/sound_sets.h"
#include "net/unary_set.h"
#include "verify/pdq_similarity.h"

namespace twinsift::net {
namespace {

constexpr std::string_view kGist = "image1:gist";
constexpr std::string_view kPdq = "image1:pdq";

std::vector<ContentSet> code_set(std::string_view spec, std::span<const std::uint64_t> code) {
  return {{.detector = "bits1:" + std::string(spec), .set = bit_set(code)}};
}

// What of "av3:print,codes" is about the sound, and about the film.
struct RecordingSpec {
  std::string version;
  std::string sound;
  std::string film;
};
std::optional<RecordingSpec> parse_recording_spec(std::string_view spec) {
  const std::size_t colon = spec.find(':');
  const std::size_t comma = spec.find(',');
  if (!spec.starts_with("av") || colon > comma || comma == std::string_view::npos) {
    return std::nullopt;
  }
  return RecordingSpec{std::string(spec.substr(0, colon)),
                       std::string(spec.substr(colon + 1, comma - colon - 1)),
                       std::string(spec.substr(comma + 1))};
}

Result<std::vector<ContentSet>> recording_sets(const RecordingSpec& spec, SetView features) {
  TWINSIFT_TRY(const RecordingView view, view_recording(features));
  if (view.width > 0) {
    if (view.film.empty()) return std::vector<ContentSet>{};
    return film_sets("shots1:" + spec.version + ':' + spec.film, view.film);
  }
  if (view.sound.empty()) return std::vector<ContentSet>{};
  return sound_sets("ends1:" + spec.version + ':' + spec.sound, view.sound);
}

}  // namespace

Result<std::vector<ContentSet>> content_sets(std::string_view spec, SetView features) {
  if (features.ids.empty() || !features.weights.empty()) return std::vector<ContentSet>{};
  if (!features.packed) {
    return std::vector<ContentSet>{
        {.detector = std::string(spec), .set = TokenSet(features.ids.begin(), features.ids.end())}};
  }
  if (spec == kGist) {
    TWINSIFT_TRY(const PicturePrint print, unpack_print(features));
    if (print.plain) return std::vector<ContentSet>{};
    return code_set(spec, print.code);
  }
  if (spec == kPdq) {
    TWINSIFT_TRY(const PdqPrint print, unpack_pdq_print(features));
    if (print.quality < kPdqLeastQuality) return std::vector<ContentSet>{};
    return code_set(spec, print.codes.front());
  }
  if (const auto recording = parse_recording_spec(spec)) {
    return recording_sets(*recording, features);
  }
  return std::vector<ContentSet>{};
}

}  // namespace twinsift::net
