// SPDX-License-Identifier: Apache-2.0
#include "learn/siamese.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/hash.h"
#include "learn/calibrate.h"
#include "learn/class_loss.h"
#include "learn/latent_fit.h"

namespace twinsift {
namespace {

// Layers that nothing normalises take smaller steps, biases of those that are normalised larger
// ones: they are the only numbers there whose size matters.
constexpr double kLinearRate = 0.1;
constexpr double kBiasRate = 4;

}  // namespace

SiameseTrainer::SiameseTrainer(const SiameseOptions& options, const TrainingSet& set)
    : options_(options),
      set_(set),
      net_(options.shape),
      classifier_(options.shape.features, std::max(set.classes(), 1U)) {
  if (set.classes() > 1) class_steps_ = std::uint64_t{options.class_epochs} * set.batches();
  steps_ = class_steps_ + std::uint64_t{options.epochs} * set.batches();
  Rng rng(mix64(options.seed ^ 0x4E4554U));
  net_.initialise(rng);
  const double most = std::sqrt(3.0 / double(options.shape.features));
  for (float& weight : classifier_.weights().values) {
    weight = static_cast<float>(most * (2 * rng.uniform() - 1));
  }
  const Maps<float> first = set.batch(0, options.threads).pictures;
  if (options.from) {
    net_.unfold(options.from->weights(), first, options.threads);
  } else {
    net_.fit_stem(first);
  }
  learnt_ = net_.learnt();
  learnt_.push_back({.parameters = &classifier_.weights(), .linear = true});
  learnt_.push_back({.parameters = &classifier_.bias(), .bias = true, .linear = true});
  for (const Learnt<float>& one : learnt_) velocity_.emplace_back(one.parameters->values.size());
}

double SiameseTrainer::rate() const {
  const bool classes = telling_classes();
  const double highest = classes ? options_.class_rate : options_.rate;
  const double begin = classes ? 0 : double(class_steps_);
  const double count = double(classes ? class_steps_ : steps_ - class_steps_);
  const double at = (double(step_) - begin) / count;
  constexpr double kRise = 0.25;
  constexpr double kFirst = 0.1;
  constexpr double kLast = 0.02;
  if (at < kRise) return highest * (kFirst + (1 - kFirst) * at / kRise);
  return highest * (1 - (1 - kLast) * (at - kRise) / (1 - kRise));
}

double SiameseTrainer::class_step(const TrainingBatch& batch) {
  const bool direct = options_.shape.shares;
  assert(!direct || options_.shape.features == set_.classes());
  net_.forward(batch.pictures, true, options_.threads);
  std::vector<float> scores = net_.scores();
  if (!direct) classifier_.forward(net_.features(), scores, options_.threads);
  for (float& score : scores) score *= kScoreScale;
  std::vector<float> gradient;
  const double loss =
      class_loss<float>(scores, classifier_.out(), batch.labels, options_.smoothing, gradient);
  for (float& slope : gradient) slope *= kScoreScale;
  if (direct) {
    net_.backward_scores(gradient, options_.threads);
    return loss;
  }
  std::vector<float> d_features(net_.features().size());
  classifier_.backward(net_.features(), gradient, &d_features, options_.threads);
  net_.backward(d_features, {}, options_.threads);
  return loss;
}

double SiameseTrainer::pair_step(const TrainingBatch& batch) {
  net_.forward(batch.pictures, !linear_only(), options_.threads);
  std::vector<float> gradient;
  const double loss =
      siamese_loss<float>(net_.codes(), options_.shape.bits, batch.labels, options_.loss, gradient);
  classifier_.forget_gradient();
  if (linear_only()) {
    net_.backward_linear(gradient, options_.threads);
  } else {
    net_.backward({}, gradient, options_.threads);
  }
  return loss;
}

bool SiameseTrainer::learns(const Learnt<float>& one) const {
  if (!linear_only()) return true;
  return options_.latent == LatentLayer::kAlone ? one.latent : one.head;
}

// One step of Nesterov's momentum.
void SiameseTrainer::learn() {
  const double base = rate();
  const auto momentum = static_cast<float>(options_.momentum);
  for (std::size_t i = 0; i < learnt_.size(); ++i) {
    const Learnt<float>& one = learnt_[i];
    if (!learns(one)) continue;
    const double factor = one.linear ? kLinearRate : one.bias ? kBiasRate : 1;
    const auto step = static_cast<float>(base * factor);
    const float decay = one.bias ? 0.0F : static_cast<float>(options_.decay);
    auto& values = one.parameters->values;
    for (std::size_t w = 0; w < values.size(); ++w) {
      const float slope = one.parameters->gradient[w] + decay * values[w];
      velocity_[i][w] = momentum * velocity_[i][w] + slope;
      values[w] -= step * (slope + momentum * velocity_[i][w]);
    }
  }
  if (!linear_only()) net_.prepare();
}

Status SiameseTrainer::step() {
  assert(!finished());
  const TrainingBatch batch = set_.batch(step_, options_.threads);
  // What telling classes has set in motion has nothing to do with pairs.
  if (step_ == class_steps_) {
    for (auto& one : velocity_) std::ranges::fill(one, 0.0F);
  }
  const double loss = telling_classes() ? class_step(batch) : pair_step(batch);
  if (!std::isfinite(loss)) {
    return Error{
        ErrorCode::kCorrupt,
        fmt::format("the loss is no number any more after {} steps: take a smaller --rate", step_)};
  }
  learn();
  epoch_loss_ += loss;
  ++step_;
  if (step_ % set_.batches() == 0) end_epoch();
  return ok();
}

namespace {

// The share of pictures whose nearest other, by the distance of rows, has the same label.
double right_neighbours(std::span<const float> rows, std::size_t length,
                        std::span<const std::uint32_t> labels) {
  std::size_t right = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    std::size_t nearest = i;
    float least = 0;
    for (std::size_t j = 0; j < labels.size(); ++j) {
      if (j == i) continue;
      float distance = 0;
      for (std::size_t v = 0; v < length; ++v) {
        const float difference = rows[i * length + v] - rows[j * length + v];
        distance += difference * difference;
      }
      if (nearest == i || distance < least) {
        nearest = j;
        least = distance;
      }
    }
    right += labels[nearest] == labels[i] ? 1U : 0U;
  }
  return double(right) / double(labels.size());
}

}  // namespace

void SiameseTrainer::end_epoch() {
  TrainingPoint point{.epoch = static_cast<std::uint32_t>(step_ / set_.batches()),
                      .pairs = step_ > class_steps_,
                      .loss = epoch_loss_ / double(set_.batches())};
  epoch_loss_ = 0;
  const std::size_t count = set_.validation_batches();
  for (std::size_t i = 0; i < count; ++i) {
    const TrainingBatch batch = set_.validation_batch(i, options_.threads);
    net_.forward(batch.pictures, false, options_.threads);
    std::vector<float> unused;
    const std::size_t bits = options_.shape.bits;
    const double share = 1.0 / double(count);
    point.apart_loss +=
        share * siamese_loss<float>(net_.codes(), bits, batch.labels, options_.loss, unused);
    point.apart_right +=
        share * (point.pairs
                     ? right_neighbours(net_.codes(), bits, batch.labels)
                     : right_neighbours(net_.features(), options_.shape.features, batch.labels));
    const auto sure =
        std::ranges::count_if(net_.codes(), [](float a) { return std::fabs(a) > 0.9F; });
    point.binary += share * double(sure) / double(net_.codes().size());
  }
  points_.push_back(point);
  if (!point.pairs || count == 0) return;
  if (!best_loss_ || point.apart_loss < *best_loss_) {
    best_loss_ = point.apart_loss;
    best_.clear();
    for (const std::vector<float>* numbers : net_.state()) best_.push_back(*numbers);
    return;
  }
  // The epochs since the best one.
  std::uint32_t since = 0;
  for (auto p = points_.rbegin(); p != points_.rend() && p->apart_loss != *best_loss_; ++p) ++since;
  if (options_.patience > 0 && since >= options_.patience) steps_ = step_;
}

// To batches of their own, which training has not seen.
void SiameseTrainer::fit_latent() {
  constexpr std::size_t kBatches = 64;
  constexpr double kShare = 0.03;
  LatentFit fit(options_.shape.features);
  for (std::size_t i = 0; i < kBatches; ++i) {
    const TrainingBatch batch = set_.batch(steps_ + i, options_.threads);
    net_.forward(batch.pictures, false, options_.threads);
    fit.add(net_.features(), batch.labels);
  }
  const LatentFit::Layer layer = fit.layer(options_.shape.bits, kShare);
  net_.latent_layer().weights().values = layer.weights;
  net_.latent_layer().bias().values = layer.bias;
}

// In how many bits codes of different labels differ: of what was kept apart, or else of what was
// trained on.
std::vector<std::uint64_t> SiameseTrainer::strangers() {
  constexpr std::size_t kBatches = 8;
  const std::size_t bits = options_.shape.bits;
  std::vector<std::uint64_t> histogram(bits + 1);
  const std::size_t apart = set_.validation_batches();
  for (std::size_t i = 0; i < (apart > 0 ? apart : std::min(kBatches, set_.batches())); ++i) {
    const TrainingBatch batch =
        apart > 0 ? set_.validation_batch(i, options_.threads) : set_.batch(i, options_.threads);
    net_.forward(batch.pictures, false, options_.threads);
    const std::vector<float>& codes = net_.codes();
    for (std::size_t a = 0; a < batch.labels.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (batch.labels[a] == batch.labels[b]) continue;
        std::size_t differ = 0;
        for (std::size_t v = 0; v < bits; ++v) {
          differ += (codes[a * bits + v] > 0) != (codes[b * bits + v] > 0) ? 1U : 0U;
        }
        ++histogram[differ];
      }
    }
  }
  return histogram;
}

std::string SiameseTrainer::model() {
  const auto state = net_.state();
  std::vector<std::vector<float>> last;
  for (const std::vector<float>* numbers : state) last.push_back(*numbers);
  for (std::size_t i = 0; i < best_.size(); ++i) *state[i] = best_[i];
  net_.prepare();
  if (options_.latent == LatentLayer::kFitted) fit_latent();
  HashWeights weights = net_.folded();
  // What has not learnt is as it was, to the last bit.
  if (options_.from && class_steps_ == 0 && linear_only()) {
    const HashWeights& before = options_.from->weights();
    weights.stem = before.stem;
    weights.convolutions = before.convolutions;
    weights.shifts = before.shifts;
  }
  const HashCalibration calibration = calibrate(strangers());
  for (std::size_t i = 0; i < last.size(); ++i) *state[i] = last[i];
  net_.prepare();
  return HashModel::write(options_.shape, std::move(weights), calibration);
}

}  // namespace twinsift
