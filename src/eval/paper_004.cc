// SPDX-License-Identifier: Apache-2.0
// Papapetrou, Ramesh, Siersdorfer, Nejdl: near duplicates in peer-to-peer networks (POND).
#include "eval/paper_004.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/cancel.h"
#include "base/hash.h"
#include "eval/papers.h"

namespace twinsift {
namespace paper_004 {
namespace {

constexpr std::array<std::string_view, 4> kPartNames = {"tuning", "audio", "video", "linkage"};

bool wanted(const EvalOptions& options, std::string_view part) {
  return options.part.empty() || options.part == part;
}

Status check(const EvalOptions& options) {
  if (!options.sketches.empty() || !options.filters.empty()) {
    return Error{ErrorCode::kInvalidArgument,
                 "paper 004 compares fingerprints of recordings and plans of labels: --sketch and "
                 "--filter have no place there"};
  }
  if (!options.part.empty() && std::ranges::count(kPartNames, options.part) == 0) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("paper 004 has no part \"{}\": its parts are {}", options.part,
                             fmt::join(kPartNames, ", "))};
  }
  return ok();
}

// Songs and films of one seed have seeds of their own, so that more of them change none.
std::vector<Sound> make_songs(const EvalOptions& options, const Sizes& sizes) {
  std::vector<Sound> songs;
  for (std::uint32_t i = 0; i < sizes.songs; ++i) {
    songs.push_back(make_music(sizes.song_seconds, kSongRate, seed_key(options.seed, i)));
  }
  return songs;
}

std::vector<Film> make_films(const EvalOptions& options, const Sizes& sizes) {
  std::vector<Film> films;
  for (std::uint32_t i = 0; i < sizes.films; ++i) {
    films.push_back(make_film(sizes.film_seconds, seed_key(options.seed, i)));
  }
  return films;
}

std::vector<Programme> make_programmes(const EvalOptions& options, const Sizes& sizes) {
  std::vector<Programme> programmes;
  for (const double length : sizes.lengths) {
    for (std::uint32_t i = 0; i < sizes.programmes; ++i) {
      const std::uint64_t number = 1000 + programmes.size();
      programmes.push_back(make_programme(make_film(length, seed_key(options.seed, number))));
    }
  }
  return programmes;
}

std::string description(const EvalOptions& options, const Sizes& sizes) {
  return fmt::format(
      "Tuning: 802,253 articles on 100,000 peers, as in the paper, and similarities after Zipf's "
      "law. Recordings are made up with seed {}: {} songs of {} s (voices in a key of their own, "
      "bass, beats), {} films of {} s (shots of 2 to 6 s with moving shapes in the film's colours, "
      "64 x 40 pixels, 4 frames a second) and {} programmes to be split. They are degraded by "
      "programs of our own: the codecs round terms of Fourier and cosine transforms. Such figures "
      "show what breaks a fingerprint and what does not, not how often that happens to real ones.",
      options.seed, sizes.songs, sizes.song_seconds, sizes.films, sizes.film_seconds,
      sizes.programmes * sizes.lengths.size());
}

}  // namespace

Status begin(const EvalOptions& options, std::string_view what) {
  if (options.stop.stop_requested()) return cancelled_error();
  if (options.progress) options.progress(what);
  return ok();
}

Result<EvalReport> evaluate(const EvalOptions& options, const Sizes& sizes) {
  TWINSIFT_TRY([[maybe_unused]] const auto checked, check(options));
  EvalReport report{.paper =
                        "Papapetrou, Ramesh, Siersdorfer, Nejdl: Optimizing Near Duplicate "
                        "Detection for P2P Networks, 2010",
                    .data = description(options, sizes),
                    .sections = {}};
  if (wanted(options, "tuning")) {
    TWINSIFT_TRY(report.sections, tuning(options, sizes));
  }
  if (wanted(options, "audio")) {
    TWINSIFT_TRY([[maybe_unused]] const auto begun, begin(options, "songs"));
    TWINSIFT_TRY(EvalSection section, sound_attacks(options, make_songs(options, sizes)));
    report.sections.push_back(std::move(section));
  }
  if (wanted(options, "video")) {
    TWINSIFT_TRY([[maybe_unused]] const auto begun, begin(options, "films"));
    TWINSIFT_TRY(EvalSection section, film_attacks(options, make_films(options, sizes)));
    report.sections.push_back(std::move(section));
  }
  if (wanted(options, "linkage")) {
    TWINSIFT_TRY([[maybe_unused]] const auto begun, begin(options, "programmes"));
    TWINSIFT_TRY(EvalSection section, linkage(options, make_programmes(options, sizes)));
    report.sections.push_back(std::move(section));
  }
  return report;
}

}  // namespace paper_004

Result<EvalReport> eval_paper_004(const EvalOptions& options) {
  paper_004::Sizes sizes;
  if (options.quick) {
    sizes.songs = 6;
    sizes.films = 8;
    sizes.programmes = 3;
    sizes.lengths = {25, 50, 90};
    sizes.pairs = 150;
  }
  return paper_004::evaluate(options, sizes);
}

}  // namespace twinsift
