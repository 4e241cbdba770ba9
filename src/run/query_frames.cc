// SPDX-License-Identifier: Apache-2.0
#include "run/query_frames.h"

#include <algorithm>

#include "feature/recording_print.h"

namespace twinsift {
namespace {

// Copies of one film are about equally close; another recording of the same room is not.
constexpr std::uint32_t kEquallyClose = 8;  // bits

}  // namespace

Result<FramesFound> search_frames(const Collection& collection, DetectorId films,
                                  const OrientedCodes& codes, SearchStats& stats) {
  FramesFound found;
  const auto compare = [&](const ContentRecord& content) -> Status {
    if (content.features.ids.empty()) return ok();
    TWINSIFT_TRY(const RecordingView view, view_recording(content.features));
    if (view.film.empty()) return ok();
    ++stats.candidates;
    TWINSIFT_TRY(const FilmPrint film, unpack_film_print(view.film));
    const auto match = match_frame(codes, film);
    if (!match) return ok();
    ++stats.survivors;
    found.emplace(content.digest, *match);
    return ok();
  };
  TWINSIFT_TRY([[maybe_unused]] auto compared, collection.contents_of(films, compare));
  std::uint32_t closest = kFrameBits;
  for (const auto& [digest, match] : found) closest = std::min(closest, match.bits);
  std::erase_if(found, [&](const auto& f) { return f.second.bits > closest + kEquallyClose; });
  return found;
}

}  // namespace twinsift
