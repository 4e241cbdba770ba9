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
constexpr const char* kLearned = "1000-dimensional features of the network";

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

// The one that looks at pictures as read_picture_vectors() has them.
const HashModel* grey_model(const Networks& networks) {
  const auto at = std::ranges::find(networks.models, 1U,
                                    [](const HashModel& model) { return model.shape().colours; });
  return at == networks.models.end() ? nullptr : &*at;
}

Result<Trials> of_pictures(const EvalOptions& options, const Sizes& sizes,
                           const Networks& networks) {
  const HashModel* const model = grey_model(networks);
  TWINSIFT_TRY(PictureVectors made,
               read_picture_vectors(options, sizes.vectors, sizes.copies, model));
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
  if (model != nullptr) {
    all.push_back(make_trial("fig11", kLearned, std::move(made.scenes.learned), {20}, sizes));
  }
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

Result<Trials> make_trials(const EvalOptions& options, const Sizes& sizes,
                           const Networks& networks) {
  if (!options.images.empty() && !options.vectors.empty()) {
    return Error{ErrorCode::kInvalidArgument,
                 "--images and --vectors are two ways to say what to measure on: give one"};
  }
  if (!options.vectors.empty()) return of_file(options, sizes);
  if (!options.images.empty()) return of_pictures(options, sizes, networks);
  return made_up(options, sizes);
}

// Both on GIST of scenes; Table III on their bags and on learned features, too.
Status add_ns_tables(const EvalOptions& options, const Sizes& sizes, std::span<const Trial> trials,
                     std::vector<EvalSection>& sections) {
  for (const Trial& trial : trials) {
    const bool bags = trial.id == "fig10";
    const bool learned = trial.id == "fig11";
    if (trial.id != "fig9" && !bags && !learned) continue;
    for (const NsTable which : {NsTable::kTable2, NsTable::kTable3}) {
      if ((bags || learned) && which == NsTable::kTable2) continue;
      TWINSIFT_TRY([[maybe_unused]] const auto begun, begin(options, "Tables II and III"));
      TWINSIFT_TRY(EvalSection table, ns_table(trial, sizes, which));
      if (bags) table.claim.id += "_bags";
      if (learned) table.claim.id += "_learned";
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

namespace {

const Trial* find_trial(std::span<const Trial> trials, std::string_view id) {
  const auto at = std::ranges::find(trials, id, &Trial::id);
  return at == trials.end() ? nullptr : &*at;
}

// Table I and the figures on pictures with classes.
Status add_classes(const EvalOptions& options, const Sizes& sizes, const Networks& networks,
                   std::vector<EvalSection>& sections) {
  TWINSIFT_TRY(ClassFigures figures, class_figures(options, sizes, networks));
  for (EvalSection& section : figures.sections) sections.push_back(std::move(section));
  std::vector<Trial> trials;
  trials.push_back(make_trial("fig8", kLearned, std::move(figures.learned), {20}, sizes));
  if (networks.backbone) {
    trials.push_back(make_trial("fig8b", "4096-dimensional features of AlexNet",
                                std::move(figures.backbone), {20}, sizes));
  }
  for (Trial& trial : trials) {
    TWINSIFT_TRY([[maybe_unused]] const auto done, measure(options, sizes, false, trial));
  }
  for (const Trial& trial : trials) sections.push_back(comparison(trial, sizes));
  if (trials.size() == 2) {
    sections.push_back(feature_comparison(
        {.id = "fig6",
         .title = "Fig. 6: features of the network and of what it was trained from",
         .claim = "At equal acceleration the features of the hash coding network have a higher "
                  "relative mRP than those of the tuned AlexNet (UKbench; here pictures with "
                  "classes, and the backbone)."},
        trials[0], trials[1]));
  }
  return ok();
}

// All that compares indexes.
Status add_indexes(const EvalOptions& options, const Sizes& sizes, const Networks& networks,
                   EvalReport& report) {
  TWINSIFT_TRY([[maybe_unused]] const auto begun, begin(options, "vectors"));
  TWINSIFT_TRY(Trials trials, make_trials(options, sizes, networks));
  for (Trial& trial : trials.all) {
    TWINSIFT_TRY([[maybe_unused]] const auto done,
                 measure(options, sizes, trial.id == "fig9", trial));
  }
  report.data = fmt::format(
      "{}. {} stored vectors are asked again; the question itself is one of its answers, as in "
      "UKbench. All figures are of {} seeds of the hash functions. Buckets stand in the order of "
      "their V numbers, compared one after the other. Load balancing is left out where Delta is "
      "below 1.5 times the mean load. Tables II and III are measured on the vectors above instead "
      "of the paper's fused ones.",
      trials.description, trials.all.front().questions->size(), sizes.seeds);
  auto& sections = report.sections;
  sections.push_back(delta_values());
  const Trial& scenes = trials.all.front();
  TWINSIFT_TRY([[maybe_unused]] const auto loads_begun, begin(options, "loads of buckets"));
  TWINSIFT_TRY(EvalSection loads, bucket_loads(scenes));
  sections.push_back(std::move(loads));
  sections.push_back(figure7(scenes, sizes));
  for (const Trial& trial : trials.all) sections.push_back(comparison(trial, sizes));
  const Trial* const learned = find_trial(trials.all, "fig11");
  const Trial* const bags = find_trial(trials.all, "fig10");
  if (learned != nullptr && bags != nullptr) {
    sections.push_back(feature_comparison(
        {.id = "fig5",
         .title = "Fig. 5: features of the network and bags of visual words",
         .claim = "At equal acceleration the features of the hash coding network have a higher "
                  "relative mRP than bags of SIFT features (UKbench)."},
        *learned, *bags));
  }
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
  return ok();
}

}  // namespace

Result<EvalReport> evaluate(const EvalOptions& options, const Sizes& sizes) {
  if (!options.sketches.empty() || !options.filters.empty()) {
    return Error{
        ErrorCode::kInvalidArgument,
        "paper 001 compares indexes of vectors: --sketch and --filter have no place there"};
  }
  if (!options.part.empty() && options.part != "classes" && options.part != "indexes") {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("paper 001 has no part \"{}\": try classes or indexes", options.part)};
  }
  TWINSIFT_TRY(const Networks networks, load_networks(options));
  EvalReport report{
      .paper =
          "Hu, Fan, Xing, Sun, Cai, Maybank: Deep Constrained Siamese Hash Coding Network and "
          "Load-Balanced Locality-Sensitive Hashing for Near Duplicate Image Detection, 2018",
      .data = {},
      .sections = {}};
  if (options.part != "classes") {
    TWINSIFT_TRY([[maybe_unused]] const auto done, add_indexes(options, sizes, networks, report));
  }
  const bool classes = !options.labelled.empty() || !options.asked.empty();
  if (options.part == "classes" || (options.part.empty() && classes)) {
    TWINSIFT_TRY([[maybe_unused]] const auto done,
                 add_classes(options, sizes, networks, report.sections));
    report.data +=
        fmt::format("{}Pictures with classes: stored are those of {}, asked those of {}.",
                    report.data.empty() ? "" : " ", options.labelled, options.asked);
  } else {
    report.data +=
        " Table I and Fig. 4, 6 and 8 need pictures with classes and networks that were trained "
        "on them (--labelled, --asked, --model), Fig. 5 and 11 a network for photos.";
  }
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
