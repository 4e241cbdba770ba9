// SPDX-License-Identifier: Apache-2.0
// twinsift train MODEL: a model of one's own, from one's own pictures.
#include "run/train.h"

#include <algorithm>
#include <array>
#include <thread>

#include <fmt/format.h>

#include "base/escape.h"
#include "commands.h"
#include "output.h"
#include "report/facts.h"
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

struct Model {
  std::string_view name;
  Result<TrainedModel> (*train)(const Arguments& args, TrainOptions options);
};
constexpr std::array kModels = {
    Model{"vocabulary", vocabulary},
    Model{"codes", codes},
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
                usage_error(fmt::format("'{}' cannot be trained; try 'vocabulary' or 'codes'",
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
  console.note(fmt::format("{} from {} of {}", trained->spec,
                           counted(trained->samples, std::string(trained->sample)),
                           counted(trained->pictures, "picture")));
  return trained->skipped == 0 ? kDone : kSkippedSome;
}

}  // namespace twinsift::cli
