// SPDX-License-Identifier: Apache-2.0
// The middle of find() for recordings: which contents sound or look the same, and for how long.
//
// Videos are compared by their films; only of those that match is the sound looked at as well, for
// people to know.  Recordings without a film are compared by their sound.
#include <algorithm>
#include <charconv>
#include <mutex>
#include <utility>

#include "base/cancel.h"
#include "base/parallel.h"
#include "group/film_matcher.h"
#include "group/recording_groups.h"
#include "group/sound_matcher.h"
#include "run/find.h"

namespace twinsift {
namespace {

const std::string* value_of(const std::vector<Fact>& facts, std::string_view name) {
  const auto found = std::ranges::find(facts, name, &Fact::first);
  return found == facts.end() ? nullptr : &found->second;
}

std::optional<bool> lossless_in(const std::vector<Fact>& facts) {
  const std::string* value = value_of(facts, "lossless");
  return value == nullptr ? std::nullopt : std::optional(*value == "yes");
}

std::uint32_t sample_rate_in(const std::vector<Fact>& facts) {
  const std::string* value = value_of(facts, "sample_rate");
  std::uint32_t rate = 0;
  if (value != nullptr) std::from_chars(value->data(), value->data() + value->size(), rate);
  return rate;
}

}  // namespace

Result<RecordingView> FindRun::recording_of(std::uint32_t content) const {
  TWINSIFT_TRY(const SetView packed, packed_of(content));
  return view_recording(packed);
}

// Fills in what the searches for sounds and films have in common.
template <class Task>
Task FindRun::recording_task(std::span<const std::uint32_t> contents) const {
  Task task;
  task.items = static_cast<std::uint32_t>(contents.size());
  task.recall = options_.match.recall;
  task.threads = resolved_.threads;
  task.stop = options_.callbacks.stop;
  if (options_.cross || collection_) {
    task.allowed = [this, contents](ItemId a, ItemId b) {
      return may_match(contents[a], contents[b]);
    };
  }
  if (options_.callbacks.progress) {
    task.progress = [this](std::string_view stage, std::uint64_t done, std::uint64_t total) {
      options_.callbacks.progress(
          {.stage = stage, .items = done, .total_items = total, .current = {}});
    };
  }
  return task;
}

Status FindRun::match_sounds(std::span<const std::uint32_t> contents) {
  auto task = recording_task<SoundTask>(contents);
  task.packed = [&](ItemId i) -> Result<std::span<const std::uint64_t>> {
    TWINSIFT_TRY(const RecordingView view, recording_of(contents[i]));
    return view.sound;
  };
  TWINSIFT_TRY(SoundPairs found, find_sound_pairs(task));
  MatchStats stats;
  stats.candidates = found.stats.candidates;
  stats.survivors = found.stats.verified;
  stats.matches = found.pairs.size();
  add_matched(stats, found.guarantee, {found.spec});
  for (const ItemId i : found.capped) matched_.capped.push_back(contents[i]);
  FoundRecordings matches;
  for (auto& pair : found.pairs) {
    matches.push_back({contents[pair.a], contents[pair.b],
                       recording_match_of(std::move(pair.timeline), std::nullopt, false)});
  }
  return take_recordings(contents, std::move(matches));
}

Status FindRun::match_films(std::span<const std::uint32_t> contents) {
  auto task = recording_task<FilmTask>(contents);
  task.packed = [&](ItemId i) -> Result<std::span<const std::uint64_t>> {
    TWINSIFT_TRY(const RecordingView view, recording_of(contents[i]));
    return view.film;
  };
  TWINSIFT_TRY(FilmPairs found, find_film_pairs(task));
  MatchStats stats;
  stats.candidates = found.candidates;
  stats.survivors = found.verified;
  stats.matches = found.pairs.size();
  add_matched(stats, found.guarantee, {found.index});
  for (const ItemId i : found.capped) matched_.capped.push_back(contents[i]);
  FoundRecordings matches(found.pairs.size());
  std::optional<Error> error;
  std::mutex mutex;
  parallel_for(matches.size(), resolved_.threads, options_.callbacks.stop,
               [&](std::size_t i, unsigned /*worker*/) {
                 auto& pair = found.pairs[i];
                 const auto sound = sounds_of(contents[pair.a], contents[pair.b]);
                 const std::scoped_lock lock(mutex);
                 if (!sound && !error) error = sound.error();
                 if (!sound) return;
                 matches[i] = {contents[pair.a], contents[pair.b],
                               recording_match_of(*sound, std::move(pair.timeline), true)};
               });
  if (options_.callbacks.stop.stop_requested()) return cancelled_error();
  if (error) return *error;
  return take_recordings(contents, std::move(matches));
}

Result<std::optional<Timeline>> FindRun::sounds_of(std::uint32_t a, std::uint32_t b) const {
  TWINSIFT_TRY(const RecordingView view_a, recording_of(a));
  TWINSIFT_TRY(const RecordingView view_b, recording_of(b));
  return match_sounds_of(view_a, view_b);
}

// What stays and goes among these, by all their matches at or above the threshold.
Status FindRun::take_recordings(std::span<const std::uint32_t> contents, FoundRecordings found) {
  std::erase_if(found, [&](const FoundRecording& match) {
    return match.how.time.score < picture_threshold(resolved_.threshold);
  });
  std::vector<RecordingItem> items;
  for (const std::uint32_t c : contents) {
    TWINSIFT_TRY(const RecordingView view, recording_of(c));
    TWINSIFT_TRY(const auto known, content_of(c));
    const std::vector<Fact> facts = known && view.width == 0 ? known->facts : std::vector<Fact>();
    items.push_back({.reference = has_reference(c),
                     .seconds = view.seconds,
                     .pixels = std::uint64_t{view.width} * view.height,
                     .sample_rate = sample_rate_in(facts),
                     .lossless = lossless_in(facts),
                     .bytes = files_[c].size});
  }
  const auto place = [&](std::uint32_t content) {
    return static_cast<ItemId>(std::ranges::lower_bound(contents, content) - contents.begin());
  };
  std::vector<RecordingPair> pairs;
  for (const FoundRecording& match : found) {
    const TimeScore& time = match.how.time;
    pairs.push_back({place(match.a), place(match.b), time.score, time.relation});
  }
  const RecordingGroups groups = group_recordings(items, pairs);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const FoundRecording& match = found[i];
    const bool a_stays = groups.keeper[pairs[i].b] == pairs[i].a;
    const bool b_stays = groups.keeper[pairs[i].a] == pairs[i].b;
    if (a_stays) recording_matches_.emplace(std::pair(match.a, match.b), match.how);
    if (b_stays) recording_matches_.emplace(std::pair(match.b, match.a), reversed(match.how));
  }
  for (ItemId i = 0; i < items.size(); ++i) {
    if (groups.keeper[i] == i) continue;
    matched_.duplicates.push_back({contents[i], contents[groups.keeper[i]]});
  }
  for (const std::uint32_t link : groups.links) links_.push_back(std::move(found[link]));
  return ok();
}

Status FindRun::match_recordings() {
  std::vector<std::uint32_t> sounds;
  std::vector<std::uint32_t> films;
  for (const std::uint32_t c : recordings_) {
    TWINSIFT_TRY(const RecordingView view, recording_of(c));
    (view.width > 0 ? films : sounds).push_back(c);
  }
  if (sounds.size() > 1) {
    TWINSIFT_TRY([[maybe_unused]] auto heard, match_sounds(sounds));
  }
  if (films.size() > 1) {
    TWINSIFT_TRY([[maybe_unused]] auto seen, match_films(films));
  }
  return ok();
}

Result<MemberPair> FindRun::compare_recordings(std::uint32_t keeper, std::uint32_t file) const {
  MemberPair pair;
  pair.identical = content_[keeper] == content_[file];
  if (pair.identical) {
    pair.score = 1;
    pair.evidence.containment_a = pair.evidence.containment_b = 1;
    return pair;
  }
  const RecordingMatch& match = recording_matches_.at({content_[keeper], content_[file]});
  pair.score = match.time.score;
  pair.relation = match.time.relation;
  pair.evidence = evidence_of(match);
  return pair;
}

// Of files, by the first of each content that is not told of as a duplicate.
void FindRun::add_links() {
  for (FoundRecording& link : links_) {
    const auto first_of = [&](std::uint32_t content) {
      std::vector<std::uint32_t> files = files_of_[content];
      sort_files(files);
      return files_[files.front()].path;
    };
    RecordingLink added{.a = first_of(link.a),
                        .b = first_of(link.b),
                        .medium = link.how.film ? "video" : "audio",
                        .score = link.how.time.score,
                        .relation = link.how.time.relation,
                        .sound = std::move(link.how.sound),
                        .film = std::move(link.how.film)};
    report_.links.push_back(std::move(added));
  }
  std::ranges::sort(report_.links, {}, [](const RecordingLink& link) {
    return std::pair(std::string_view(link.a), std::string_view(link.b));
  });
}

}  // namespace twinsift
