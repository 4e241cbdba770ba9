// SPDX-License-Identifier: Apache-2.0
#include "run/compare.h"

#include <algorithm>

#include <fmt/format.h>

#include "feature/local_print.h"
#include "feature/shingle.h"
#include "feature/tfidf.h"
#include "feature/word_bag.h"
#include "ingest/reader.h"
#include "run/run.h"
#include "sketch/set_sketch.h"
#include "sketch/table.h"
#include "verify/decide.h"
#include "verify/frame_match.h"
#include "verify/local_match.h"
#include "verify/recording_match.h"
#include "verify/similarity.h"

namespace twinsift {
namespace {

// The feature of a file that can be decoded; an empty set if there is too little in it.
Result<Feature> feature_of(const MediaType& medium, const Input& input, Member& member) {
  Result<Description> description = medium.extract(input);
  if (!description) {
    return Error{description.error().code,
                 fmt::format("{}: {}", input.uri, description.error().message)};
  }
  member.facts = std::move(description->facts);
  if (description->features.empty()) return Feature{};
  return std::move(description->features.front());
}

// Without words if there is nothing to hold on to.
Result<LocalPrint> local_print_of(const MediaType& local, const Input& input) {
  TWINSIFT_TRY(const Description description, local.extract(input));
  if (description.features.empty()) return LocalPrint{};
  return unpack_local_print(view_of(description.features.front()));
}

WeightedSet set_of(const Feature& feature) {
  const SetView view = view_of(feature);
  WeightedSet set;
  set.tokens.assign(view.ids.begin(), view.ids.end());
  set.weights.assign(view.weights.begin(), view.weights.end());
  return set;
}

// Without weights it is a plain set.
Feature as_feature(const WeightedSet& set) {
  if (set.weights.empty()) return {.value = set.tokens};
  return {.value = set};
}

// Two documents are a corpus, too: what both say weighs less.
void weigh(IdfVariant variant, WeightedSet& a, WeightedSet& b) {
  DocumentFrequencies frequencies;
  frequencies.add(as_counts(a));
  frequencies.add(as_counts(b));
  const IdfTable idf = IdfTable::freeze(frequencies, variant);
  a = idf.weigh(as_counts(a));
  b = idf.weigh(as_counts(b));
}

}  // namespace

Result<CompareRun> CompareRun::make(const CompareOptions& options) {
  const MatchOptions& match = options.match;
  CompareRun run;
  TWINSIFT_TRY(run.media_, make_media_types(match));
  TWINSIFT_TRY(run.pictures_by_, make_picture_detector(match.pictures));
  TWINSIFT_TRY(const Shingler shingler, Shingler::make(match.features));
  TWINSIFT_TRY(run.texts_, compare_sets(options, shingler.weights()));
  if (const auto words = parse_word_bag(match.pictures)) {
    TWINSIFT_TRY(run.worded_, compare_sets(options, words->weights));
  }
  TWINSIFT_TRY(run.recorded_, compare_sets(options, std::nullopt));
  return run;
}

Result<CompareRun::SetComparison> CompareRun::compare_sets(const CompareOptions& options,
                                                           std::optional<IdfVariant> weights) {
  if (weights == IdfVariant::kPaper) {  // ln(2 / (df + 1)) is never above 0
    return Error{ErrorCode::kInvalidArgument,
                 "with two documents tfidf:paper leaves no term a weight: use tfidf"};
  }
  SetComparison sets{.weights = weights, .sketches = {}};
  if (!options.sketch) return sets;
  TWINSIFT_TRY(const Resolved resolved, resolve(options.match));
  TWINSIFT_TRY(sets.sketches,
               SketchComparison::make({.threshold = resolved.threshold,
                                       .recall = options.match.recall,
                                       .sketch = sketch_of(options.match, weights.has_value()),
                                       .filter = options.match.filter,
                                       .weighted = weights.has_value()}));
  return sets;
}

Status CompareRun::read_one(const std::string& path, Side& side, Member& member) const {
  TWINSIFT_TRY(side.item, OpenItem::open(path, media_));
  TWINSIFT_TRY(const Digest digest, side.item->digest());
  TWINSIFT_TRY(side.input, side.item->input());
  const FileEntry& entry = side.item->entry();
  member = {
      .path = entry.path, .size = entry.size, .mtime_ns = entry.mtime_ns, .digest = digest.hex()};
  return ok();
}

Status CompareRun::read(const std::string& a, const std::string& b) {
  TWINSIFT_TRY([[maybe_unused]] auto done_a, read_one(a, a_, comparison_.a));
  TWINSIFT_TRY([[maybe_unused]] auto done_b, read_one(b, b_, comparison_.b));
  if (a_.item->medium() == b_.item->medium()) medium_ = a_.item->medium();
  comparison_.medium = medium_ == nullptr ? "file" : medium_->medium();
  comparison_.identical =
      comparison_.a.size == comparison_.b.size && comparison_.a.digest == comparison_.b.digest;
  comparison_.score = comparison_.identical ? 1 : 0;
  return ok();
}

Status CompareRun::measure() {
  if (medium_ == nullptr) return measure_frame();
  auto read_a = feature_of(*medium_, a_.input, comparison_.a);
  if (!read_a && comparison_.identical) {
    medium_ = nullptr;  // equal bytes are alike, even if nobody can read them
    return ok();
  }
  TWINSIFT_TRY(const Feature feature_a, std::move(read_a));
  TWINSIFT_TRY(const Feature feature_b, feature_of(*medium_, b_.input, comparison_.b));
  if (medium_->streams()) return measure_recordings(feature_a, feature_b);
  if (view_of(feature_a).packed) return measure_pictures(feature_a, feature_b);
  return measure_sets(feature_a, feature_b);
}

Status CompareRun::measure_pictures(const Feature& a, const Feature& b) {
  if (comparison_.identical) {
    comparison_.evidence.same_pixels = true;
    return ok();
  }
  const SetView packed_a = view_of(a);
  TWINSIFT_TRY(const PictureLook look_a, pictures_by_->look(packed_a));
  TWINSIFT_TRY(const PictureLook look_b, pictures_by_->look(view_of(b)));
  TWINSIFT_TRY(WholeMatch match, pictures_by_->compare(packed_a, view_of(b), look_b.codes));
  comparison_.score = match.score;
  comparison_.evidence = evidence_of(std::move(match));
  if (look_a.plain || look_b.plain) return ok();
  if (comparison_.score < kSameThreshold) {
    TWINSIFT_TRY([[maybe_unused]] auto closer, look_closer(look_a.width, look_b.width));
  }
  if (!comparison_.evidence.placement) return ok();
  const Placement& placement = *comparison_.evidence.placement;
  TWINSIFT_TRY(const Borders borders, pictures_by_->borders(packed_a, view_of(b), placement));
  note_borders(placement, borders, comparison_.a.facts, comparison_.b.facts);
  return ok();
}

Status CompareRun::measure_recordings(const Feature& a, const Feature& b) {
  const std::string_view medium_a = medium_->medium_of(comparison_.a.facts);
  const bool alike = medium_a == medium_->medium_of(comparison_.b.facts);
  comparison_.medium = alike ? medium_a : "file";
  if (comparison_.identical || !alike) return ok();
  // With nothing to hear or see they are alike only if their bytes are.
  if (view_of(a).ids.empty() || view_of(b).ids.empty()) return ok();
  if (!view_of(a).packed) return measure_sets(a, b);
  TWINSIFT_TRY(const RecordingView view_a, view_recording(view_of(a)));
  TWINSIFT_TRY(const RecordingView view_b, view_recording(view_of(b)));
  TWINSIFT_TRY(RecordingMatch match, match_recordings(view_a, view_b));
  comparison_.score = match.time.score;
  comparison_.relation = match.time.relation;
  comparison_.evidence = evidence_of(std::move(match));
  return ok();
}

// A picture and a film, in either order: whether it is one of its frames.
Status CompareRun::measure_frame() {
  const MediaType* medium_a = a_.item->medium();
  const MediaType* medium_b = b_.item->medium();
  if (medium_a == nullptr || medium_b == nullptr) return ok();
  const bool picture_first = medium_b->streams();
  const MediaType& pictures = picture_first ? *medium_a : *medium_b;
  const MediaType& films = picture_first ? *medium_b : *medium_a;
  if (!films.streams() || !has_frame_codes(pictures)) return ok();
  TWINSIFT_TRY(const Feature a, feature_of(*medium_a, a_.input, comparison_.a));
  TWINSIFT_TRY(const Feature b, feature_of(*medium_b, b_.input, comparison_.b));
  const SetView picture = view_of(picture_first ? a : b);
  const SetView recording = view_of(picture_first ? b : a);
  if (!picture.packed || !recording.packed) return ok();
  TWINSIFT_TRY(const PictureLook look, pictures_by_->look(picture));
  TWINSIFT_TRY(const RecordingView view, view_recording(recording));
  if (look.plain || view.film.empty()) return ok();
  TWINSIFT_TRY(const FilmPrint film, unpack_film_print(view.film));
  const auto match = match_frame(look.codes, film);
  if (!match) return ok();
  comparison_.medium = "video";
  comparison_.score = match->score;
  comparison_.relation = picture_first ? Relation::kContained : Relation::kContains;
  comparison_.evidence = evidence_of(*match, film, picture_first);
  return ok();
}

// Whether one shows a part of the other; the better of both looks counts.
Status CompareRun::look_closer(std::uint32_t width_a, std::uint32_t width_b) {
  const auto local = make_local_media();
  TWINSIFT_TRY(const LocalPrint a, local_print_of(*local, a_.input));
  TWINSIFT_TRY(const LocalPrint b, local_print_of(*local, b_.input));
  auto match = match_local_or_mirrored(a.words, b.words, b.mirrored);
  if (!match || match->score <= comparison_.score) return ok();
  comparison_.score = match->score;
  const Widths widths{
      .small_a = a.words.width, .small_b = b.words.width, .full_a = width_a, .full_b = width_b};
  place(at_full_size(std::move(match->placement), widths), comparison_.evidence);
  return ok();
}

Status CompareRun::measure_sets(const Feature& a, const Feature& b) {
  WeightedSet set_a = set_of(a);
  WeightedSet set_b = set_of(b);
  const SetComparison& rest = medium_->streams() ? recorded_ : texts_;
  const SetComparison& how = medium_->medium() == "image" ? worded_ : rest;
  if (how.weights) weigh(*how.weights, set_a, set_b);
  comparison_.evidence = evidence_of(set_a, set_b);
  // Texts too short to be compared are alike only if their bytes are.
  const bool comparable = !set_a.tokens.empty() && !set_b.tokens.empty();
  if (comparable) comparison_.score = comparison_.evidence.jaccard;
  if (comparable && how.sketches) {
    TWINSIFT_TRY([[maybe_unused]] auto looked, look_at_sketches(*how.sketches, set_a, set_b));
  }
  if (comparison_.identical || comparable) return ok();
  comparison_.evidence.jaccard = 0;
  comparison_.evidence.containment_a = comparison_.evidence.containment_b = 0;
  return ok();
}

// The estimate is the algorithm's own; the filter decides by byte codes, as in a run.
Status CompareRun::look_at_sketches(const SketchComparison& sketches, const WeightedSet& a,
                                    const WeightedSet& b) {
  const Sketcher& sketcher = sketches.sketcher();
  TWINSIFT_TRY(Sketch sketch_a, sketcher.sketch(as_feature(a)));
  TWINSIFT_TRY(Sketch sketch_b, sketcher.sketch(as_feature(b)));
  const Estimate estimate = sketcher.similarity(sketch_a, sketch_b);
  const EarlyStopTable& early_stop = sketches.early_stop();
  std::vector<std::uint32_t> looks;
  for (const Look& look : early_stop.looks) looks.push_back(look.bins);
  SketchTable table(std::move(looks));
  std::vector<std::uint8_t> codes(sketcher.k());
  for (Sketch* sketch : {&sketch_a, &sketch_b}) {
    sketches.fill(*sketch);
    make_codes(*sketch, codes);
    TWINSIFT_TRY([[maybe_unused]] auto added, table.append(codes));
  }
  const Decision decision = decide(early_stop, table, 0, 1);
  comparison_.sketch = SketchOpinion{.sketch = sketcher.spec(),
                                     .filter = filter_spec(sketches.filter()),
                                     .estimate = estimate,
                                     .verdict = decision.verdict,
                                     .components_read = decision.bins,
                                     .components = sketcher.k()};
  return ok();
}

Status CompareRun::explain() {
  if (medium_ == nullptr) return ok();
  TWINSIFT_TRY(Explanation explanation, medium_->explain(a_.input, b_.input));
  Evidence& evidence = comparison_.evidence;
  for (const Passage& passage : explanation.passages) {
    if (passage.words > evidence.longest.words) evidence.longest = passage;
  }
  evidence.passages = std::move(explanation.passages);
  comparison_.text_a = std::move(explanation.text_a);
  comparison_.text_b = std::move(explanation.text_b);
  comparison_.strip_a = std::move(explanation.strip_a);
  comparison_.strip_b = std::move(explanation.strip_b);
  comparison_.preview_a = std::move(explanation.preview_a);
  comparison_.preview_b = std::move(explanation.preview_b);
  return ok();
}

}  // namespace twinsift
