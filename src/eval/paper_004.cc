// SPDX-License-Identifier: Apache-2.0
// Papapetrou, Ramesh, Siersdorfer, Nejdl: near duplicates in peer-to-peer networks (POND).
#include "eval/paper_004.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/cancel.h"
#include "eval/paper_004_made.h"
#include "eval/paper_004_real.h"
#include "eval/papers.h"

namespace twinsift {
namespace paper_004 {
namespace {

constexpr std::array<std::string_view, 6> kPartNames = {"tuning", "network", "peers",
                                                        "audio",  "video",   "linkage"};

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

std::string made_up(const EvalOptions& options, const Sizes& sizes) {
  return fmt::format(
      "Recordings are made up with seed {}: {} songs of {} s (voices in a key of their own, "
      "bass, beats), {} films of {} s (shots of 2 to 6 s with moving shapes in the film's colours, "
      "64 x 40 pixels, 4 frames a second) and {} programmes to be split. They are degraded by "
      "programs of our own: the codecs round terms of Fourier and cosine transforms. Such figures "
      "show what breaks a fingerprint and what does not, not how often that happens to real ones.",
      options.seed, sizes.songs, sizes.song_seconds, sizes.films, sizes.film_seconds,
      sizes.programmes * sizes.lengths.size());
}

std::string real(const EvalOptions& options, const Sizes& sizes) {
  return fmt::format(
      "Recordings are those of {}: up to {} songs and {} films, attacked by twinsift-av-copies, "
      "and the films and parts that bench/make_linkage has made. The paper's methods see mono "
      "sound at {} Hz and frames of 64 pixels, 4 a second; ours get the prints that find makes. "
      "What the folder does not have is left out.",
      options.recordings, sizes.songs, sizes.films, kSongRate);
}

std::string description(const EvalOptions& options, const Sizes& sizes) {
  return fmt::format(
             "Tuning and network: 802,253 articles on 100,000 peers, as in the paper, and "
             "similarities after Zipf's law; what is counted has {} documents on {} peers. Recall, "
             "and our labels beside the paper's: {}. ",
             sizes.documents, sizes.peers,
             options.corpus.empty() ? "made-up documents" : "the documents of " + options.corpus) +
         (options.recordings.empty() ? made_up(options, sizes) : real(options, sizes));
}

Status add(Result<EvalSection> section, EvalReport& report) {
  if (!section) return section.error();
  report.sections.push_back(*std::move(section));
  return ok();
}

Status add_all(Result<std::vector<EvalSection>> sections, EvalReport& report) {
  if (!sections) return sections.error();
  for (EvalSection& section : *sections) report.sections.push_back(std::move(section));
  return ok();
}

Status add_made_up(const EvalOptions& options, const Sizes& sizes, EvalReport& report) {
  if (wanted(options, "audio")) {
    TWINSIFT_TRY([[maybe_unused]] const auto begun, begin(options, "songs"));
    const auto songs = make_songs(options, sizes);
    TWINSIFT_TRY(const auto trial, trial_of(songs));
    TWINSIFT_TRY([[maybe_unused]] const auto added, add(sound_attacks(options, trial), report));
  }
  if (wanted(options, "video")) {
    TWINSIFT_TRY([[maybe_unused]] const auto begun, begin(options, "films"));
    const auto films = make_films(options, sizes);
    TWINSIFT_TRY([[maybe_unused]] const auto added,
                 add(film_attacks(options, trial_of(films)), report));
  }
  if (!wanted(options, "linkage")) return ok();
  TWINSIFT_TRY(const auto programmes, make_programmes(options, sizes));
  return add(linkage(options, programmes), report);
}

// Of all parts those that the folder has something for; a part that was asked for must have it.
Status add_real(const EvalOptions& options, const Sizes& sizes, EvalReport& report) {
  TWINSIFT_TRY([[maybe_unused]] const auto begun, begin(options, "recordings"));
  TWINSIFT_TRY(const auto folder, RealRecordings::open(options));
  const auto absent = [&](const Error& error) {
    return options.part.empty() && error.code == ErrorCode::kNotFound;
  };
  if (wanted(options, "audio")) {
    const auto trial = folder->songs(sizes.songs);
    if (!trial && !absent(trial.error())) return trial.error();
    if (trial) {
      TWINSIFT_TRY([[maybe_unused]] const auto added, add(sound_attacks(options, *trial), report));
    }
  }
  if (wanted(options, "video")) {
    const auto trial = folder->films(sizes.films);
    if (!trial && !absent(trial.error())) return trial.error();
    if (trial) {
      TWINSIFT_TRY([[maybe_unused]] const auto added, add(film_attacks(options, *trial), report));
    }
  }
  if (!wanted(options, "linkage")) return ok();
  const auto programmes = folder->programmes();
  if (!programmes) return absent(programmes.error()) ? ok() : Status(programmes.error());
  TWINSIFT_TRY(const Answers found, folder->find_parts());
  return add(linkage(options, *programmes, {found}), report);
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
    TWINSIFT_TRY([[maybe_unused]] const auto added, add_all(tuning(options, sizes), report));
  }
  if (wanted(options, "network")) {
    TWINSIFT_TRY([[maybe_unused]] const auto added, add_all(network(options, sizes), report));
  }
  // A build without peers has all the rest.
  if (wanted(options, "peers")) {
    Result<std::vector<EvalSection>> sections = virtual_peers(options, sizes);
    const bool absent = !sections && sections.error().code == ErrorCode::kNotFound;
    if (!absent || options.part == "peers") {
      TWINSIFT_TRY([[maybe_unused]] const auto added, add_all(std::move(sections), report));
    }
  }
  constexpr std::array<std::string_view, 3> kSilent = {"tuning", "network", "peers"};
  if (std::ranges::count(kSilent, options.part) > 0) return report;
  TWINSIFT_TRY([[maybe_unused]] const auto added, options.recordings.empty()
                                                      ? add_made_up(options, sizes, report)
                                                      : add_real(options, sizes, report));
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
    sizes.peers = 5000;
    sizes.documents = 40'113;
    sizes.searches = 10'000;
    sizes.texts = 4000;
    sizes.sample = 1000;
    sizes.configurations = 100;
    sizes.virtual_peers = 30;
    sizes.virtual_texts = 300;
    sizes.virtual_questions = 100;
    sizes.virtual_seeds = 1;
  }
  return paper_004::evaluate(options, sizes);
}

}  // namespace twinsift
