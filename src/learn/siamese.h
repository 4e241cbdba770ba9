// SPDX-License-Identifier: Apache-2.0
// Trains the siamese hash network.
//
// Both branches are one network: a batch goes through it once, and every pair of its pictures is a
// pair of the siamese loss (learn/siamese_loss.h), so that a step costs what its pictures cost and
// a picture's gradient is the sum of those of all its pairs, in both branches.
//
// If the labels are classes, the network is trained to tell them first, as the paper's was on
// ImageNet and then on its data sets: by the cross entropy of a linear layer on the features, which
// is thrown away, or of the features themselves, if they are to be scores of the classes.
//
// The latent layer may learn from pairs alone, or with the layer of features, while the rest of the
// network stays as the classes left it: convolutions that tell classes apart lose by learning what
// the code is to be.  Or it is fitted in the end to the features that were learnt
// (learn/latent_fit.h), in place of what training made of it.
//
// By Nesterov's momentum, with a rate that rises for a quarter of the steps and then falls to
// nearly nothing.  The network that comes out is the one with the least loss on what was kept
// apart.
//
// Papers: W. Hu et al., 2018, section III-C.
// Differs: the paper updates one branch and copies its weights to the other; here the gradients of
//          both are summed.
// The same for the same options and number of threads, whether it was interrupted or not.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "feature/hash_model.h"
#include "learn/hash_net.h"
#include "learn/siamese_loss.h"
#include "learn/training_set.h"
#include "twinsift/result.h"

namespace twinsift {

// What becomes of the layer that makes the code.
enum class LatentLayer : std::uint8_t {
  kLearned,  // from pairs, as all others
  kAlone,    // from pairs, and nothing else does
  kLinear,   // from pairs, and so does the layer of features, but no convolution
  kFitted,   // in the end, to the features; requires as many of them as bits
};

struct SiameseOptions {
  HashNetShape shape;
  // Where to begin, instead of random numbers: of the same shape but for the bits.
  std::shared_ptr<const HashModel> from = nullptr;
  SiameseLossOptions loss;
  LatentLayer latent = LatentLayer::kLearned;
  std::uint32_t class_epochs = 0;  // of telling classes, if the labels are classes
  std::uint32_t epochs = 10;       // of pairs
  double smoothing = 0.1;          // of classes: learn/class_loss.h
  double class_rate = 1;           // the highest of each
  double rate = 0.2;
  double momentum = 0.85;
  double decay = 5e-4;
  std::uint32_t patience = 0;  // ends after so many epochs of pairs without a better one; 0: never
  std::uint64_t seed = 1;
  unsigned threads = 1;
};

// After each epoch.
struct TrainingPoint {
  std::uint32_t epoch = 0;  // from 1 on
  bool pairs = false;       // or classes
  double loss = 0;          // mean of the epoch
  double apart_loss = 0;    // of what was kept apart
  // Of the pictures kept apart, the share whose nearest other is a duplicate.
  double apart_right = 0;
  double binary = 0;  // the share of |a_v| > 0.9 there
};

class SiameseTrainer {
 public:
  // Requires: a shape that passes check(), with a feature for each class if these are shares and
  // classes are learnt; `set` outlives the trainer.
  SiameseTrainer(const SiameseOptions& options, const TrainingSet& set);

  [[nodiscard]] std::uint64_t steps() const { return steps_; }
  [[nodiscard]] std::uint64_t done() const { return step_; }
  [[nodiscard]] bool finished() const { return step_ >= steps_; }
  // Requires: not finished.  kCorrupt if the loss is no number: the rate is too high.
  Status step();
  [[nodiscard]] const std::vector<TrainingPoint>& points() const { return points_; }

  // The best so far; the last if there is none.
  [[nodiscard]] std::string model();

  // All that is needed to go on, and the way back: kInvalidArgument if it is of other options or
  // another set, kCorrupt if it is damaged.
  [[nodiscard]] std::string checkpoint();
  Status restore(std::string_view bytes);

 private:
  [[nodiscard]] bool telling_classes() const { return step_ < class_steps_; }
  // The convolutions stay as they are.
  [[nodiscard]] bool linear_only() const {
    return (options_.latent == LatentLayer::kAlone || options_.latent == LatentLayer::kLinear) &&
           !telling_classes();
  }
  [[nodiscard]] bool learns(const Learnt<float>& one) const;
  double class_step(const TrainingBatch& batch);
  double pair_step(const TrainingBatch& batch);
  void learn();
  void end_epoch();
  void fit_latent();
  [[nodiscard]] std::vector<std::uint64_t> strangers();
  [[nodiscard]] double rate() const;
  [[nodiscard]] std::string identity() const;
  [[nodiscard]] std::vector<std::vector<float>*> numbers();

  SiameseOptions options_;
  const TrainingSet& set_;
  HashNet<float> net_;
  Linear<float> classifier_;  // idle if the features are scores themselves
  std::vector<Learnt<float>> learnt_;
  std::vector<std::vector<float>> velocity_;  // of each of these
  std::uint64_t class_steps_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t step_ = 0;
  double epoch_loss_ = 0;
  std::vector<TrainingPoint> points_;
  std::optional<double> best_loss_;
  std::vector<std::vector<float>> best_;  // HashNet::state()
};

}  // namespace twinsift
