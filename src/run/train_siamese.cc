// SPDX-License-Identifier: Apache-2.0
#include "run/train_siamese.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "base/cancel.h"
#include "base/file.h"
#include "feature/thumbnail.h"
#include "ingest/file_system.h"
#include "report/plot.h"
#include "run/picture_labels.h"
#include "run/training_pictures.h"

namespace twinsift {
namespace {

Error nothing_to_learn(std::string_view what) {
  return {ErrorCode::kInvalidArgument, fmt::format("there is nothing to learn from: {}", what)};
}

struct Material {
  std::unique_ptr<TrainingSet> set;
  TrainingPictures seen;
};

Result<Material> photos_and_copies(const std::vector<std::string>& folders,
                                   const TrainOptions& options, const SiameseTask& task) {
  TWINSIFT_TRY(GreyPictures found, read_grey_pictures(folders, options));
  if (found.pictures.size() < 2) {
    return nothing_to_learn(fmt::format("of {} files, {} are pictures of {} pixels a side or more",
                                        found.seen.files, found.pictures.size(), kLeastSide));
  }
  found.seen.pictures = found.pictures.size();
  return Material{
      .set = make_copied_set(task.training.shape, std::move(found.pictures), task.batches),
      .seen = found.seen};
}

Result<Material> labelled_pictures(const std::vector<std::string>& folders,
                                   const TrainOptions& options, const SiameseTask& task) {
  const HashNetShape& shape = task.training.shape;
  TWINSIFT_TRY(SquarePictures found,
               read_square_pictures(folders, options, shape.side, shape.colours));
  auto& squares = found.pictures;
  std::vector<std::string> paths;
  for (const SquarePicture& square : squares) paths.push_back(square.path);
  TWINSIFT_TRY(const PictureLabels labels, task.labels == "by-folder"
                                               ? labels_by_folder(paths, folders)
                                               : labels_by_file(paths, task.labels));
  std::vector<std::uint8_t> pixels;
  std::vector<std::uint32_t> numbers;
  for (std::size_t i = 0; i < squares.size(); ++i) {
    if (!labels.of[i]) continue;
    pixels.insert(pixels.end(), squares[i].pixels.begin(), squares[i].pixels.end());
    numbers.push_back(*labels.of[i]);
    squares[i].pixels = {};
  }
  if (labels.count < 2 || numbers.size() <= labels.count) {
    return nothing_to_learn(
        fmt::format("{} pictures in {} classes; it takes two classes, and two pictures of one",
                    numbers.size(), labels.count));
  }
  Material material{.set = make_labelled_set(shape, std::move(pixels), numbers, task.batches),
                    .seen = found.seen};
  material.seen.pictures = numbers.size();
  return material;
}

Status write_file(const std::string& path, const std::string& bytes) {
  TWINSIFT_TRY(const auto file, AtomicFile::create(path));
  TWINSIFT_TRY([[maybe_unused]] auto written, file->write(bytes));
  return file->commit();
}

// Goes on where a checkpoint ends, if there is one.
Status resume(SiameseTrainer& trainer, const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (path.empty() || !file) return ok();
  std::ostringstream bytes;
  bytes << file.rdbuf();
  const Status restored = trainer.restore(bytes.view());
  if (restored) return ok();
  return Error{restored.error().code,
               fmt::format("{}: {}; remove it to begin anew, or name another one by --checkpoint",
                           path, restored.error().message)};
}

using Clock = std::chrono::steady_clock;

// Trains to the end.  A checkpoint that cannot be written is told, and training goes on: nothing is
// lost as long as nothing else happens.  Returns how many were not written.
Result<std::uint64_t> train(SiameseTrainer& trainer, const TrainOptions& options,
                            const SiameseTask& task) {
  std::uint64_t unwritten = 0;
  std::string told;  // of the last epoch
  auto last = Clock::now();
  while (!trainer.finished()) {
    const bool stopped = options.callbacks.stop.stop_requested();
    const std::chrono::duration<double> since = Clock::now() - last;
    if (!task.checkpoint.empty() && (stopped || since.count() > task.checkpoint_seconds)) {
      const Status kept = write_file(task.checkpoint, trainer.checkpoint());
      if (!kept) ++unwritten;
      if (!kept && options.callbacks.skipped) {
        options.callbacks.skipped(to_skipped(task.checkpoint, kept.error()));
      }
      last = Clock::now();
    }
    if (stopped) return cancelled_error();
    TWINSIFT_TRY([[maybe_unused]] auto done, trainer.step());
    if (!trainer.points().empty()) {
      const TrainingPoint& point = trainer.points().back();
      told = fmt::format("epoch {}: loss {:.3f}, kept apart {:.3f}, nearest is a duplicate {:.3f}",
                         point.epoch, point.loss, point.apart_loss, point.apart_right);
    }
    if (options.callbacks.progress) {
      options.callbacks.progress({.stage = "steps",
                                  .items = trainer.done(),
                                  .total_items = trainer.steps(),
                                  .current = told});
    }
  }
  return unwritten;
}

Status check_shape(const SiameseTask& task) {
  const HashNetShape& shape = task.training.shape;
  TWINSIFT_TRY([[maybe_unused]] auto checked, shape.check());
  const auto refused = [](const char* why) { return Error{ErrorCode::kInvalidArgument, why}; };
  if (task.training.from) {
    HashNetShape theirs = task.training.from->shape();
    theirs.bits = shape.bits;
    theirs.mirrored = shape.mirrored;
    theirs.shifted = shape.shifted;
    if (theirs != shape) {
      return refused(
          "the model to begin with has other sizes: leave --widths, --feature-width and --shares "
          "out");
    }
  }
  if (task.labels == "self" && shape.shares) {
    return refused("--shares takes classes, and copies of pictures are none: see --labels");
  }
  if (task.labels == "self" && (shape.colours != 1 || shape.side != kThumbnailSide)) {
    return refused(
        "the model to begin with was trained with labels: copies of your own pictures "
        "need one that was trained without");
  }
  return ok();
}

// The training, now that it is known how many classes there are.
Result<SiameseOptions> fit_to_classes(SiameseOptions training, const TrainingSet& set) {
  HashNetShape& shape = training.shape;
  if (!shape.shares) return training;
  if (training.from && training.class_epochs > 0 && shape.features != set.classes()) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("the model to begin with has {} classes, and there are {}",
                             shape.features, set.classes())};
  }
  if (!training.from) shape.features = set.classes();
  TWINSIFT_TRY([[maybe_unused]] auto checked, shape.check());
  return training;
}

}  // namespace

Result<SiameseResult> train_siamese(const std::vector<std::string>& folders,
                                    const TrainOptions& options, const SiameseTask& task) {
  TWINSIFT_TRY([[maybe_unused]] auto checked, check_shape(task));
  TWINSIFT_TRY(const Material material, task.labels == "self"
                                            ? photos_and_copies(folders, options, task)
                                            : labelled_pictures(folders, options, task));
  TWINSIFT_TRY(const SiameseOptions training, fit_to_classes(task.training, *material.set));
  SiameseTrainer trainer(training, *material.set);
  TWINSIFT_TRY([[maybe_unused]] auto resumed, resume(trainer, task.checkpoint));
  SiameseResult result;
  result.resumed = trainer.done();
  TWINSIFT_TRY(const std::uint64_t unwritten, train(trainer, options, task));
  result.points = trainer.points();
  result.model = {.bytes = trainer.model(),
                  .spec = {},
                  .pictures = material.seen.pictures,
                  .samples = trainer.done(),
                  .sample = "step",
                  .skipped = material.seen.skipped + unwritten};
  TWINSIFT_TRY(const HashModel model,
               HashModel::parse(std::as_bytes(std::span(result.model.bytes))));
  result.model.spec = model.spec();
  return result;
}

std::string training_plot(const std::vector<TrainingPoint>& points) {
  Plot plot{.title = "Training",
            .x = {.label = "epoch", .low = 1},
            .y = {.label = "loss; share", .low = 0, .high = 1},
            .series = {{.name = "loss, trained on"},
                       {.name = "loss, kept apart"},
                       {.name = "nearest is a duplicate"},
                       {.name = "|a| > 0.9"}}};
  for (const TrainingPoint& point : points) {
    const double values[] = {point.loss, point.apart_loss, point.apart_right, point.binary};
    for (std::size_t i = 0; i < 4; ++i) {
      plot.series[i].points.push_back({double(point.epoch), values[i]});
    }
    if (!point.pairs && (&point == &points.back() || (&point + 1)->pairs)) {
      plot.rules.push_back({double(point.epoch) + 0.5, "pairs from here"});
    }
  }
  return plot_file(plot);
}

}  // namespace twinsift
