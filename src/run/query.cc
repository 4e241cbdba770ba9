// SPDX-License-Identifier: Apache-2.0
// query(): what in the collection resembles one item.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "feature/local_print.h"
#include "group/sound_question.h"
#include "report/recording_words.h"
#include "run/open_item.h"
#include "run/query_frames.h"
#include "run/run.h"
#include "store/collection.h"
#include "store/volume.h"
#include "twinsift/media.h"
#include "twinsift/store.h"
#include "verify/local_match.h"
#include "verify/picture_detector.h"
#include "verify/recording_match.h"

namespace twinsift {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// A film and a mere sound are not compared.
Result<RecordingMatch> match_sound_of(const RecordingView& view, const SoundQuestion& question) {
  if (view.width > 0 || view.sound.empty()) return RecordingMatch{};
  TWINSIFT_TRY(const SoundPrint print, unpack_sound_print(view.sound));
  return recording_match_of(question.match(print), std::nullopt, false);
}

class QueryRun {
 public:
  static Result<QueryRun> make(const QueryOptions& options);
  Status read(const Input& item);
  Status read(const std::string& path);
  Status search();
  Status search(std::string_view signature);
  QueryAnswer answer() { return std::move(answer_); }

 private:
  Status describe(const MediaType* medium);
  [[nodiscard]] Result<std::vector<Neighbour>> search_recordings(SearchStats& stats);
  [[nodiscard]] Result<std::optional<SoundQuestion>> sound_question(
      const RecordingView& asked) const;
  [[nodiscard]] Result<std::vector<Neighbour>> search_pictures(SearchStats& stats) const;
  Status search_parts(std::vector<Neighbour>& found, SearchStats& stats) const;
  Status search_films(std::vector<Neighbour>& found, SearchStats& stats);
  Status tell(const std::vector<Neighbour>& found, const SearchStats& stats);
  Status add_match(const Neighbour& neighbour);
  [[nodiscard]] SearchOptions wanted() const;
  Status add_places(const Digest& digest, QueryMatch& match);

  QueryOptions options_;
  Resolved resolved_;
  std::vector<std::unique_ptr<MediaType>> media_;
  std::unique_ptr<Collection> collection_;
  Digest digest_;
  DetectorId detector_ = 0;  // 0: nothing to compare but the bytes
  WeightedSet set_;
  Input item_;                      // the caller's, or of the next
  std::optional<OpenItem> opened_;  // if a path was given
  Packed picture_;                  // empty: it is none
  Packed recording_;                // empty: it is none
  std::unique_ptr<PictureDetector> pictures_by_;
  DetectorId films_ = 0;  // if a picture was given, and the collection has films
  FramesFound frames_;    // of these films it is
  QueryAnswer answer_;
};

Result<QueryRun> QueryRun::make(const QueryOptions& options) {
  QueryRun run;
  run.options_ = options;
  TWINSIFT_TRY(run.resolved_, resolve(options.match));
  TWINSIFT_TRY(run.media_, make_media_types(options.match));
  TWINSIFT_TRY(run.pictures_by_, make_picture_detector(options.match.pictures));
  TWINSIFT_TRY(run.collection_,
               Collection::open(options.collection, {.mode = CollectionOptions::Mode::kRead}));
  return run;
}

Status QueryRun::read(const std::string& path) {
  TWINSIFT_TRY(opened_, OpenItem::open(path, media_));
  TWINSIFT_TRY(digest_, opened_->digest());
  TWINSIFT_TRY(item_, opened_->input());
  answer_.item.size = opened_->entry().size;
  return describe(opened_->medium());
}

Status QueryRun::read(const Input& item) {
  item_ = item;
  digest_ = digest_of(item.bytes);
  answer_.item.size = item.bytes.size();
  const auto head = item.bytes.first(std::min(item.bytes.size(), FileReader::kHead));
  const auto medium =
      std::ranges::find_if(media_, [&](const auto& type) { return type->recognises(head); });
  return describe(medium == media_.end() ? nullptr : medium->get());
}

Status QueryRun::describe(const MediaType* medium) {
  const Input& item = item_;
  answer_.item.path = item.uri;
  answer_.item.digest = digest_.hex();
  answer_.medium = "file";
  if (medium == nullptr) return ok();
  auto description = medium->extract(item);
  if (!description) {
    return Error{description.error().code,
                 fmt::format("{}: {}", item.uri, description.error().message)};
  }
  answer_.item.facts = std::move(description->facts);
  answer_.medium = medium->medium_of(answer_.item.facts);
  if (description->features.empty()) return ok();
  const SetView set = view_of(description->features.front());
  if (!set.weights.empty()) {
    return Error{
        ErrorCode::kUnsupported,
        "query cannot weigh terms: their weights depend on the whole collection; use words, "
        "chars or terms"};
  }
  if (set.packed) {
    (medium->streams() ? recording_ : picture_).words.assign(set.ids.begin(), set.ids.end());
  } else {
    set_.tokens.assign(set.ids.begin(), set.ids.end());
  }
  const std::string spec = medium->spec();
  const auto detector = collection_->detector(spec);
  if (!detector) {
    return Error{
        ErrorCode::kNotFound,
        fmt::format("the collection has nothing that was seen with {}: run 'twinsift index "
                    "add' with the same --features",
                    spec)};
  }
  detector_ = *detector;
  return ok();
}

Status QueryRun::add_places(const Digest& digest, QueryMatch& match) {
  const auto take = [&](const FileView& file) -> Status {
    const std::string path(file.path);
    match.places.push_back({.path = path,
                            .part = file.part,
                            .size = file.size,
                            .mtime_ns = file.mtime_ns,
                            .offline = is_offline(path, file.volume)});
    return ok();
  };
  TWINSIFT_TRY([[maybe_unused]] auto listed, collection_->files_with(digest, take));
  std::ranges::sort(match.places, {},
                    [](const QueryPlace& p) { return std::pair(p.path, p.part); });
  return ok();
}

// A content that no file has any more is not an answer.
Status QueryRun::add_match(const Neighbour& neighbour) {
  const Digest& digest = neighbour.digest;
  QueryMatch match{.score = neighbour.score,
                   .std_error = neighbour.std_error,
                   .identical = digest == digest_,
                   .digest = digest.hex()};
  TWINSIFT_TRY([[maybe_unused]] auto placed, add_places(digest, match));
  if (match.places.empty()) return ok();
  const auto frame = frames_.find(digest);
  const DetectorId detector = frame == frames_.end() ? detector_ : films_;
  if (detector != 0) {
    TWINSIFT_TRY(auto content, collection_->content(detector, digest));
    if (content) match.facts = std::move(content->facts);
  }
  if (frame != frames_.end()) match.facts.emplace_back("frame", clock_time(frame->second.seconds));
  answer_.matches.push_back(std::move(match));
  return ok();
}

Status QueryRun::search() {
  const auto start = std::chrono::steady_clock::now();
  std::vector<Neighbour> found;
  SearchStats stats;
  if (!set_.tokens.empty()) {
    TWINSIFT_TRY(found, collection_->search(SetView(set_.tokens), wanted(), stats));
    TWINSIFT_TRY(answer_.signature, collection_->signature(SetView(set_.tokens), detector_));
  }
  if (!picture_.words.empty()) {
    TWINSIFT_TRY(found, search_pictures(stats));
    if (resolved_.threshold <= kEditedThreshold) {
      TWINSIFT_TRY([[maybe_unused]] auto closer, search_parts(found, stats));
      TWINSIFT_TRY([[maybe_unused]] auto frames, search_films(found, stats));
    }
  }
  if (!recording_.words.empty()) {
    TWINSIFT_TRY(found, search_recordings(stats));
  }
  if (set_.tokens.empty()) {
    std::ranges::sort(found, [](const Neighbour& a, const Neighbour& b) {
      return std::pair(b.score, a.digest) < std::pair(a.score, b.digest);
    });
  }
  // Equal bytes are alike, even if there is nothing in them to compare.
  if (std::ranges::none_of(found, [&](const Neighbour& n) { return n.digest == digest_; })) {
    found.insert(found.begin(), {.digest = digest_, .score = 1});
  }
  answer_.seconds = seconds_since(start);
  if (const auto removed = collection_->removed(digest_)) answer_.removed_path = removed->path;
  return tell(found, stats);
}

Status QueryRun::search(std::string_view signature) {
  const auto start = std::chrono::steady_clock::now();
  SearchStats stats;
  TWINSIFT_TRY(const auto found, collection_->search_signature(signature, wanted(), stats));
  answer_.signature = signature;
  answer_.seconds = seconds_since(start);
  return tell(found, stats);
}

// All codes are read: that is quicker than decoding the question, up to a hundred thousand of them.
Result<std::vector<Neighbour>> QueryRun::search_pictures(SearchStats& stats) const {
  TWINSIFT_TRY(const PictureLook look, pictures_by_->look(picture_));
  std::vector<Neighbour> found;
  const auto compare = [&](const ContentRecord& content) -> Status {
    ++stats.candidates;
    TWINSIFT_TRY(const WholeMatch match,
                 pictures_by_->compare(content.features, picture_, look.codes));
    if (match.score > 0) ++stats.survivors;
    if (match.score >= picture_threshold(resolved_.threshold)) {
      found.push_back({.digest = content.digest, .score = match.score});
    }
    return ok();
  };
  TWINSIFT_TRY([[maybe_unused]] auto compared, collection_->contents_of(detector_, compare));
  stats.scanned = true;
  stats.promised = 1;
  return found;
}

// Each is read: its film is compared with that of the question, and its sound if it has an equal
// key (sound_probe.h).  That is quicker than decoding the question, up to thousands of hours.
Result<std::vector<Neighbour>> QueryRun::search_recordings(SearchStats& stats) {
  TWINSIFT_TRY(const RecordingView asked, view_recording(recording_));
  TWINSIFT_TRY(const auto question, sound_question(asked));
  std::vector<Neighbour> found;
  const auto compare = [&](const ContentRecord& content) -> Status {
    if (content.features.ids.empty()) return ok();
    TWINSIFT_TRY(const RecordingView view, view_recording(content.features));
    ++stats.candidates;
    TWINSIFT_TRY(const RecordingMatch match,
                 question ? match_sound_of(view, *question) : match_recordings(view, asked));
    if (match.time.score > 0) ++stats.survivors;
    if (match.time.score >= picture_threshold(resolved_.threshold)) {
      found.push_back({.digest = content.digest, .score = match.time.score});
    }
    return ok();
  };
  TWINSIFT_TRY([[maybe_unused]] auto compared, collection_->contents_of(detector_, compare));
  stats.scanned = true;
  stats.promised = 1;
  if (question) answer_.guarantee = question->plan().guarantee();
  return found;
}

// Of a recording that is compared by its sound alone.
Result<std::optional<SoundQuestion>> QueryRun::sound_question(const RecordingView& asked) const {
  std::optional<SoundQuestion> question;
  if (asked.width > 0 || asked.sound.empty()) return question;
  TWINSIFT_TRY(SoundPrint print, unpack_sound_print(asked.sound));
  question.emplace(std::move(print), options_.match.recall);
  return question;
}

// Pictures of which the collection has key points, because find() has looked closer at them.
Status QueryRun::search_parts(std::vector<Neighbour>& found, SearchStats& stats) const {
  const auto local = make_local_media();
  const auto detector = collection_->detector(local->spec());
  if (!detector) return ok();
  TWINSIFT_TRY(const Description description, local->extract(item_));
  if (description.features.empty()) return ok();
  TWINSIFT_TRY(const LocalPrint asked, unpack_local_print(view_of(description.features.front())));
  LocalMatchOptions how;
  how.least_score = picture_threshold(resolved_.threshold);
  const auto compare = [&](const ContentRecord& content) -> Status {
    ++stats.candidates;
    TWINSIFT_TRY(const LocalPrint print, unpack_local_print(content.features));
    const auto match = match_local_or_mirrored(print.words, asked.words, asked.mirrored, how);
    if (!match) return ok();
    ++stats.survivors;
    const auto known = std::ranges::find(found, content.digest, &Neighbour::digest);
    if (known == found.end()) {
      found.push_back({.digest = content.digest, .score = match->score});
    } else {
      known->score = std::max(known->score, match->score);
    }
    return ok();
  };
  return collection_->contents_of(*detector, compare);
}

// Films that have the picture as a frame.
Status QueryRun::search_films(std::vector<Neighbour>& found, SearchStats& stats) {
  const auto medium = std::ranges::find_if(media_, [](const auto& m) { return m->streams(); });
  const auto pictures =
      std::ranges::find_if(media_, [](const auto& m) { return has_frame_codes(*m); });
  if (medium == media_.end() || pictures == media_.end()) return ok();
  const auto detector = collection_->detector((*medium)->spec());
  TWINSIFT_TRY(const PictureLook look, pictures_by_->look(picture_));
  if (!detector || look.plain) return ok();
  films_ = *detector;
  TWINSIFT_TRY(frames_, search_frames(*collection_, films_, look.codes, stats));
  for (const auto& [digest, match] : frames_) {
    found.push_back({.digest = digest, .score = match.score});
  }
  return ok();
}

SearchOptions QueryRun::wanted() const {
  return {.detector = detector_, .threshold = resolved_.threshold, .recall = options_.match.recall};
}

Status QueryRun::tell(const std::vector<Neighbour>& found, const SearchStats& stats) {
  for (const Neighbour& neighbour : found) {
    if (options_.limit != 0 && answer_.matches.size() == options_.limit) break;
    TWINSIFT_TRY([[maybe_unused]] auto added, add_match(neighbour));
  }
  answer_.candidates = stats.candidates;
  answer_.survivors = stats.survivors;
  if (!answer_.guarantee.empty()) return ok();  // recordings have their own
  answer_.guarantee =
      fmt::format("{}, P(found at {:.2f}) >= {:.4f}", stats.scanned ? "all sketches" : "buckets",
                  resolved_.threshold, std::floor(stats.promised * 1e4) / 1e4);
  return ok();
}

}  // namespace

Result<QueryAnswer> query(const Input& item, const QueryOptions& options) {
  TWINSIFT_TRY(QueryRun run, QueryRun::make(options));
  TWINSIFT_TRY([[maybe_unused]] auto read, run.read(item));
  TWINSIFT_TRY([[maybe_unused]] auto searched, run.search());
  return run.answer();
}

Result<QueryAnswer> query_file(const std::string& path, const QueryOptions& options) {
  TWINSIFT_TRY(QueryRun run, QueryRun::make(options));
  TWINSIFT_TRY([[maybe_unused]] auto read, run.read(path));
  TWINSIFT_TRY([[maybe_unused]] auto searched, run.search());
  return run.answer();
}

Result<QueryAnswer> query_signature(std::string_view signature, const QueryOptions& options) {
  TWINSIFT_TRY(QueryRun run, QueryRun::make(options));
  TWINSIFT_TRY([[maybe_unused]] auto searched, run.search(signature));
  return run.answer();
}

}  // namespace twinsift
