// SPDX-License-Identifier: Apache-2.0
// twinsift train MODEL: a model of one's own, from one's own pictures.
#include "run/train.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <thread>

#include <fmt/format.h>

#include "base/escape.h"
#include "commands.h"
#include "output.h"
#include "report/facts.h"
#include "run/train_siamese.h"
#include "signals.h"

namespace twinsift::cli {
namespace {

Error usage_error(std::string message) { return {ErrorCode::kInvalidArgument, std::move(message)}; }

Result<TrainedModel> vocabulary(const Arguments& args, TrainOptions options) {
  constexpr double kMostWords = 1 << 20;
  const double words = args.number("words", options.words);
  if (words < 1 || words > kMostWords || words != static_cast<double>(static_cast<long>(words))) {
    return usage_error("--words must be a whole number from 1 to 1048576");
  }
  options.words = static_cast<std::uint32_t>(words);
  return train_vocabulary(args.list("images"), options);
}

Result<TrainedModel> codes(const Arguments& args, TrainOptions options) {
  return train_codes(args.list("images"), options);
}

// A whole number from least to most.
Result<std::uint32_t> whole(const Arguments& args, std::string_view name, std::uint32_t otherwise,
                            std::uint32_t least, std::uint32_t most) {
  const double value = args.number(name, otherwise);
  if (value < least || value > most || value != double(static_cast<std::uint32_t>(value))) {
    return usage_error(fmt::format("--{} must be a whole number from {} to {}", name, least, most));
  }
  return static_cast<std::uint32_t>(value);
}

// Three numbers with commas between.
Result<std::array<std::size_t, 3>> widths_of(const std::string& text) {
  std::array<std::size_t, 3> widths{};
  char rest = 0;
  if (std::sscanf(text.c_str(), "%zu,%zu,%zu%c", &widths[0], &widths[1], &widths[2], &rest) != 3) {
    return usage_error("--widths must be three numbers, as in 64,128,256");
  }
  return widths;
}

Result<SiameseTask> siamese_task(const Arguments& args, const TrainOptions& options) {
  SiameseTask task;
  task.labels = args.text("labels", "self");
  SiameseOptions& training = task.training;
  const bool self = task.labels == "self";
  const bool anew = !args.given("from");
  if (!anew) {
    TWINSIFT_TRY(HashModel from, HashModel::load(args.text("from", "")));
    training.from = std::make_shared<const HashModel>(std::move(from));
    training.shape = training.from->shape();
  } else if (self) {
    training.shape.side = 64;
    training.shape.colours = 1;
    training.shape.stem_kernel = 5;
    training.shape.stem_stride = 2;
    training.shape.cells = 2;
  }
  TWINSIFT_TRY(training.shape.bits, whole(args, "bits",
                                          !anew  ? static_cast<std::uint32_t>(training.shape.bits)
                                          : self ? 256
                                                 : 48,
                                          1, 1024));
  TWINSIFT_TRY(
      training.shape.features,
      whole(args, "feature-width", static_cast<std::uint32_t>(training.shape.features), 1, 8192));
  TWINSIFT_TRY(training.epochs, whole(args, "epochs", self ? 40 : 10, 0, 100000));
  TWINSIFT_TRY(training.class_epochs,
               whole(args, "class-epochs", self || !anew ? 0 : 10, 0, 100000));
  TWINSIFT_TRY(task.batches.batch, whole(args, "batch", 256, 4, 65536));
  TWINSIFT_TRY(training.patience, whole(args, "patience", 10, 0, 100000));
  if (args.given("widths")) {
    TWINSIFT_TRY(training.shape.widths, widths_of(args.text("widths", "")));
  }
  if (args.flag("mirrored")) training.shape.mirrored = true;
  if (args.flag("shifted")) training.shape.shifted = true;
  if (args.flag("shares")) training.shape.shares = true;
  TWINSIFT_TRY(task.batches.cutout, whole(args, "cutout", 0, 0, 1024));
  training.loss.rho = args.number("rho", training.loss.rho);
  if (!(training.loss.rho > 0) || training.loss.rho > 1) {
    return usage_error("--rho must be above 0 and at most 1");
  }
  task.batches.validation = args.number("apart", task.batches.validation);
  if (!(task.batches.validation >= 0) || task.batches.validation > 0.5) {
    return usage_error("--apart must be from 0 to 0.5");
  }
  training.smoothing = args.number("smoothing", training.smoothing);
  if (!(training.smoothing >= 0) || training.smoothing >= 1) {
    return usage_error("--smoothing must be at least 0 and below 1");
  }
  training.rate = args.number("rate", training.rate);
  training.class_rate = args.number("class-rate", training.class_rate);
  const std::string loss = args.text("loss", "vector");
  if (loss == "paper") {
    training.loss.kind = SiameseLoss::kPaper;
    training.loss.push = 1;
  } else if (loss == "softmax") {
    training.loss.kind = SiameseLoss::kSoftmax;
  }
  training.loss.temperature = args.number("temperature", training.loss.temperature);
  if (!(training.loss.temperature > 0)) return usage_error("--temperature must be above 0");
  training.loss.push = args.number("push", training.loss.push);
  const std::string latent = args.text("latent", "learned");
  training.latent = latent == "fitted"   ? LatentLayer::kFitted
                    : latent == "alone"  ? LatentLayer::kAlone
                    : latent == "linear" ? LatentLayer::kLinear
                                         : LatentLayer::kLearned;
  const bool fitted = training.latent == LatentLayer::kFitted;
  if (fitted && training.shape.bits > training.shape.features) {
    return usage_error("--latent fitted takes a --feature-width of at least --bits");
  }
  if (training.epochs == 0 && training.class_epochs == 0 && !fitted) {
    return usage_error(
        "--epochs 0 leaves nothing to learn but classes, with --labels and --class-epochs, or a "
        "layer, with --latent fitted");
  }
  training.seed = task.batches.seed = options.seed;
  training.threads = options.threads;
  task.checkpoint = args.text("checkpoint", args.text("output", "") + ".part");
  task.checkpoint_seconds = double(args.age("checkpoint-every", 60));
  return task;
}

Result<TrainedModel> siamese(const Arguments& args, TrainOptions options) {
  TWINSIFT_TRY(const SiameseTask task, siamese_task(args, options));
  TWINSIFT_TRY(SiameseResult result, train_siamese(args.list("images"), options, task));
  if (args.given("plot")) {
    TWINSIFT_TRY([[maybe_unused]] auto drawn,
                 write_whole(args.text("plot", ""), training_plot(result.points)));
  }
  result.model.checkpoint = task.checkpoint;
  return result.model;
}

struct Model {
  std::string_view name;
  Result<TrainedModel> (*train)(const Arguments& args, TrainOptions options);
};
constexpr std::array kModels = {
    Model{"vocabulary", vocabulary},
    Model{"codes", codes},
    Model{"siamese", siamese},
};

const Model* find_model(std::string_view name) {
  for (const Model& model : kModels) {
    if (model.name == name) return &model;
  }
  return nullptr;
}

}  // namespace

int run_train(const Arguments& args) {
  Console console(!args.flag("quiet") && !args.flag("no-progress"), args.flag("quiet"));
  const SignalWatch signals([&] { console.status(); });
  const std::string& name = args.operands()[0];
  const Model* model = find_model(name);
  if (model == nullptr) {
    return fail(console,
                usage_error(fmt::format("'{}' cannot be trained; try 'vocabulary', 'codes' or "
                                        "'siamese'",
                                        escape_for_terminal(name))));
  }
  if (!args.given("images")) {
    return fail(console, usage_error("--images DIR is needed: the pictures to learn from"));
  }
  if (!args.given("output")) {
    return fail(console, usage_error("--output FILE is needed: where the model goes"));
  }
  TrainOptions options;
  options.seed = args.count("seed", 1);
  options.threads = std::max(1U, args.count("threads", std::thread::hardware_concurrency()));
  options.callbacks.stop = signals.token();
  options.callbacks.progress = [&](const Progress& progress) { console.progress(progress); };
  options.callbacks.skipped = [&](const Skipped& skipped) { tell_skipped(console, skipped); };
  const auto trained = model->train(args, options);
  if (!trained) return fail(console, trained.error());
  console.clear();
  const Status written = write_whole(args.text("output", ""), trained->bytes);
  if (!written) return fail(console, written.error());
  if (!trained->checkpoint.empty()) std::remove(trained->checkpoint.c_str());
  console.note(fmt::format("{} from {} of {}", trained->spec,
                           counted(trained->samples, std::string(trained->sample)),
                           counted(trained->pictures, "picture")));
  return trained->skipped == 0 ? kDone : kSkippedSome;
}

}  // namespace twinsift::cli
