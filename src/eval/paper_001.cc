// SPDX-License-Identifier: Apache-2.0
// Hu, Fan, Xing, Sun, Cai, Maybank: load-balanced LSH for near duplicate images.
#include "eval/paper_001.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/cancel.h"
#include "eval/papers.h"
#include "eval/picture_vectors.h"

namespace twinsift {
namespace paper_001 {
namespace {

Trial make_trial(std::string id, std::string features, VectorSet set,
                 std::vector<std::uint32_t> tables, const Sizes& sizes) {
  Trial trial{.id = std::move(id),
              .features = std::move(features),
              .set = std::make_unique<VectorSet>(std::move(set)),
              .questions = nullptr,
              .tables = std::move(tables)};
  trial.questions = std::make_unique<VectorQuestions>(*trial.set, sizes.questions);
  return trial;
}

constexpr const char* kGist = "320-dimensional GIST";
constexpr const char* kBags = "400-dimensional bags of SIFT features";

struct Trials {
  std::vector<Trial> all;
  std::string description;
};

Result<Trials> of_file(const EvalOptions& options, const Sizes& sizes) {
  TWINSIFT_TRY(VectorSet set, read_vectors(options.vectors));
  constexpr std::size_t kFewest = 20;
  if (set.size() < kFewest) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("{} has {} vectors, and at least {} are needed", options.vectors,
                             set.size(), kFewest)};
  }
  Trials trials;
  trials.description = fmt::format(
      "{} vectors of dimension {} from a file; the {} nearest by exhaustive search "
      "count as right. Figures for other kinds of vectors are left out",
      set.size(), set.dimension, kTop);
  trials.all.push_back(make_trial("fig9", kGist, std::move(set), {20, 30}, sizes));
  return trials;
}

Result<Trials> of_pictures(const EvalOptions& options, const Sizes& sizes) {
  TWINSIFT_TRY(PictureVectors made, read_picture_vectors(options, sizes.vectors, sizes.copies));
  Trials trials;
  trials.description = fmt::format(
      "{} pictures: {} scenes (each picture and three altered views, cropped by up to 15 %, in "
      "other light) and {} copies (each picture and 20 more, blurred, noisy, lighter or darker), "
      "all as GIST-320 and as bags of the 8,192 shipped visual words, hashed into {} bins and "
      "scaled to length 1 (the paper's bags have 400 words)",
      made.pictures(), made.scenes.gist.size(), made.copies.gist.size(), kBagBins);
  auto& all = trials.all;
  all.push_back(make_trial("fig9", kGist, std::move(made.scenes.gist), {20, 30}, sizes));
  all.push_back(make_trial("fig10", kBags, std::move(made.scenes.bags), {15, 20}, sizes));
  all.push_back(make_trial("fig12", kGist, std::move(made.copies.gist), {20}, sizes));
  all.push_back(make_trial("fig13", kBags, std::move(made.copies.bags), {30}, sizes));
  return trials;
}

Trials made_up(const EvalOptions& options, const Sizes& sizes) {
  constexpr std::size_t kLatent = 32;
  const std::uint64_t seed = options.seed;
  const MadeVectors scenes{.count = sizes.vectors,
                           .dimension = sizes.dimension,
                           .latent = kLatent,
                           .hot_spots = usual_hot_spots(sizes.vectors)};
  const MadeVectors copies{.count = sizes.copies,
                           .dimension = sizes.dimension,
                           .latent = kLatent,
                           .hot_spots = 0,
                           .group = 21};
  Trials trials;
  trials.description = fmt::format(
      "Made up with seed {}: {} vectors of dimension {} with {} hot spots of 50 to 250 and groups "
      "of "
      "four otherwise, {} in groups of 21, and bags of 400 words likewise; they stand for UKbench "
      "and INRIA Copydays, which --images with a folder of your own comes closer to",
      seed, sizes.vectors, sizes.dimension, scenes.hot_spots, sizes.copies);
  auto& all = trials.all;
  all.push_back(make_trial("fig9", kGist, make_clustered(scenes, seed), {20, 30}, sizes));
  all.push_back(make_trial("fig10", kBags, make_bags(sizes.vectors, 4, seed), {15, 20}, sizes));
  all.push_back(make_trial("fig12", kGist, make_clustered(copies, seed), {20}, sizes));
  all.push_back(make_trial("fig13", kBags, make_bags(sizes.copies, 21, seed), {30}, sizes));
  return trials;
}

Result<Trials> make_trials(const EvalOptions& options, const Sizes& sizes) {
  if (!options.images.empty() && !options.vectors.empty()) {
    return Error{ErrorCode::kInvalidArgument,
                 "--images and --vectors are two ways to say what to measure on: give one"};
  }
  if (!options.vectors.empty()) return of_file(options, sizes);
  if (!options.images.empty()) return of_pictures(options, sizes);
  return made_up(options, sizes);
}

// Both on GIST of scenes; Table III on their bags, too.
Status add_ns_tables(const EvalOptions& options, const Sizes& sizes, std::span<const Trial> trials,
                     std::vector<EvalSection>& sections) {
  for (const Trial& trial : trials) {
    const bool bags = trial.id == "fig10";
    if (trial.id != "fig9" && !bags) continue;
    for (const NsTable which : {NsTable::kTable2, NsTable::kTable3}) {
      if (bags && which == NsTable::kTable2) continue;
      TWINSIFT_TRY([[maybe_unused]] const auto begun, begin(options, "Tables II and III"));
      TWINSIFT_TRY(EvalSection table, ns_table(trial, sizes, which));
      if (bags) table.claim.id += "_bags";
      sections.push_back(std::move(table));
    }
  }
  return ok();
}

}  // namespace

Status begin(const EvalOptions& options, std::string_view what) {
  if (options.stop.stop_requested()) return cancelled_error();
  if (options.progress) options.progress(what);
  return ok();
}

Result<EvalReport> evaluate(const EvalOptions& options, const Sizes& sizes) {
  if (!options.sketches.empty() || !options.filters.empty()) {
    return Error{
        ErrorCode::kInvalidArgument,
        "paper 001 compares indexes of vectors: --sketch and --filter have no place there"};
  }
  TWINSIFT_TRY([[maybe_unused]] const auto begun, begin(options, "vectors"));
  TWINSIFT_TRY(Trials trials, make_trials(options, sizes));
  for (Trial& trial : trials.all) {
    TWINSIFT_TRY([[maybe_unused]] const auto done,
                 measure(options, sizes, trial.id == "fig9", trial));
  }
  EvalReport report{
      .paper =
          "Hu, Fan, Xing, Sun, Cai, Maybank: Deep Constrained Siamese Hash Coding Network and "
          "Load-Balanced Locality-Sensitive Hashing for Near Duplicate Image Detection, 2018",
      .data = fmt::format(
          "{}. {} stored vectors are asked again; the question itself is one of its answers, as in "
          "UKbench. All figures are of {} seeds of the hash functions. Buckets stand in the order "
          "of "
          "their V numbers, compared one after the other. Load balancing is left out where Delta "
          "is below 1.5 times the mean "
          "load. Table I and Fig. 4 to 6, 8 and 11 need "
          "the "
          "paper's trained network and are not here; Tables II and III are measured on the vectors "
          "above instead of the paper's fused and learned ones.",
          trials.description, trials.all.front().questions->size(), sizes.seeds),
      .sections = {delta_values()}};
  auto& sections = report.sections;
  const Trial& scenes = trials.all.front();
  TWINSIFT_TRY([[maybe_unused]] const auto loads_begun, begin(options, "loads of buckets"));
  TWINSIFT_TRY(EvalSection loads, bucket_loads(scenes));
  sections.push_back(std::move(loads));
  sections.push_back(figure7(scenes, sizes));
  for (const Trial& trial : trials.all) sections.push_back(comparison(trial, sizes));
  TWINSIFT_TRY([[maybe_unused]] const auto tables,
               add_ns_tables(options, sizes, trials.all, sections));
  sections.push_back(recorded_guarantee(trials.all));
  sections.push_back(equal_candidates(trials.all));
  sections.push_back(equal_quality(trials.all));
  TWINSIFT_TRY([[maybe_unused]] const auto truths_begun, begin(options, "two truths"));
  TWINSIFT_TRY(EvalSection truths, two_truths(options, sizes));
  sections.push_back(std::move(truths));
  TWINSIFT_TRY([[maybe_unused]] const auto times_begun, begin(options, "time of questions"));
  TWINSIFT_TRY(EvalSection times, question_times(scenes));
  sections.push_back(std::move(times));
  return report;
}

}  // namespace paper_001

Result<EvalReport> eval_paper_001(const EvalOptions& options) {
  paper_001::Sizes sizes;
  if (options.quick) {
    sizes.vectors = 2040;
    sizes.copies = 630;
    sizes.questions = 150;
    sizes.v = {10, 16, 24, 40};
    sizes.table_step = 2;
  }
  return paper_001::evaluate(options, sizes);
}

}  // namespace twinsift
