// SPDX-License-Identifier: Apache-2.0
#include "learn/siamese.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <gtest/gtest.h>

#include "base/hash.h"
#include "base/random.h"

namespace twinsift {
namespace {

constexpr HashNetShape kTiny{
    .side = 16, .colours = 1, .stem = 8, .widths = {8, 12, 16}, .features = 16, .bits = 12};

// Stripes whose direction is the class, at any place and brightness, with noise.
struct Stripes {
  std::vector<std::uint8_t> squares;
  std::vector<std::uint32_t> labels;
};
Stripes make_stripes(std::size_t n, std::uint32_t classes, std::uint64_t seed) {
  Rng rng(seed);
  Stripes out;
  for (std::size_t i = 0; i < n; ++i) {
    const auto label = static_cast<std::uint32_t>(i) % classes;
    const double angle = 3.1416 * label / classes;
    const double phase = 6.28 * rng.uniform();
    for (int y = 0; y < 16; ++y) {
      for (int x = 0; x < 16; ++x) {
        const double wave = std::sin(1.1 * (x * std::cos(angle) + y * std::sin(angle)) + phase);
        const double value = 120 + 70 * wave + 30 * (rng.uniform() - .5);
        out.squares.push_back(static_cast<std::uint8_t>(std::clamp(value, 0.0, 255.0)));
      }
    }
    out.labels.push_back(label);
  }
  return out;
}

SiameseOptions tiny_options() {
  SiameseOptions options;
  options.shape = kTiny;
  options.class_epochs = 2;
  options.epochs = 6;
  options.class_rate = 0.3;
  options.rate = 0.3;
  return options;
}

std::unique_ptr<TrainingSet> stripes_set(std::uint64_t seed = 1) {
  Stripes stripes = make_stripes(400, 4, seed);
  return make_labelled_set(kTiny, std::move(stripes.squares), std::move(stripes.labels),
                           {.batch = 40, .validation = 0.1});
}

void run(SiameseTrainer& trainer, std::uint64_t steps = UINT64_MAX) {
  while (!trainer.finished() && steps-- > 0) ASSERT_TRUE(trainer.step());
}

// The mean number of differing bits between pictures of one class, and of two.
std::pair<double, double> distances(const std::string& bytes) {
  const auto model = HashModel::parse(std::as_bytes(std::span(bytes)));
  const Stripes stripes = make_stripes(80, 4, 99);
  std::vector<std::uint64_t> codes;
  for (std::size_t i = 0; i < 80; ++i) {
    codes.push_back(model->describe(std::span(stripes.squares).subspan(i * 256, 256)).code[0]);
  }
  double same = 0, other = 0;
  std::size_t n_same = 0, n_other = 0;
  for (std::size_t i = 0; i < 80; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const bool equal = stripes.labels[i] == stripes.labels[j];
      (equal ? same : other) += std::popcount(codes[i] ^ codes[j]);
      ++(equal ? n_same : n_other);
    }
  }
  return {same / double(n_same), other / double(n_other)};
}

TEST(Siamese, LearnsCodesThatTellClassesApart) {
  const auto set = stripes_set();
  for (const bool paper : {false, true}) {
    SiameseOptions options = tiny_options();
    options.loss.kind = paper ? SiameseLoss::kPaper : SiameseLoss::kVector;
    SiameseTrainer trainer(options, *set);
    const auto before = distances(trainer.model());
    run(trainer);
    const auto [same, other] = distances(trainer.model());
    EXPECT_LT(same, 1.0) << paper;
    EXPECT_GT(other, 4.0) << paper;
    EXPECT_LT(same / other, 0.5 * before.first / before.second);
    EXPECT_EQ(trainer.points().size(), 8U);
    EXPECT_GT(trainer.points().back().apart_right, 0.95);
  }
}

// A network that tells classes, and what pairs then make of its last layers.
struct BeforeAndAfter {
  std::string told, learnt;  // of classes, of pairs
};
BeforeAndAfter classes_then_pairs(LatentLayer latent, std::uint64_t seed) {
  const auto set = stripes_set();
  SiameseOptions options = tiny_options();
  options.seed = seed;
  options.epochs = 0;
  SiameseTrainer classes(options, *set);
  run(classes);
  const std::string told = classes.model();
  options.from =
      std::make_shared<const HashModel>(*HashModel::parse(std::as_bytes(std::span(told))));
  options.class_epochs = 0;
  options.epochs = 6;
  options.latent = latent;
  SiameseTrainer trainer(options, *set);
  run(trainer);
  return {told, trainer.model()};
}

// Codes tell classes apart twice as well as before.  Over several trainings: a single one that
// begins well may gain little, whatever is learnt.
void expect_codes_of_classes(LatentLayer latent) {
  constexpr std::uint64_t kSeeds = 6;
  double same = 0, other = 0, same_before = 0, other_before = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const auto [told, learnt] = classes_then_pairs(latent, seed);
    const auto before = distances(told);
    const auto after = distances(learnt);
    same += after.first;
    other += after.second;
    same_before += before.first;
    other_before += before.second;
  }
  EXPECT_LT(same / kSeeds, 1.0);
  EXPECT_GT(other / kSeeds, 4.0);
  EXPECT_LT(same / other, 0.5 * same_before / other_before);
}

TEST(Siamese, LatentLayerLearnsAloneFromTheFeaturesOfClasses) {
  expect_codes_of_classes(LatentLayer::kAlone);
  const auto [told, learnt] = classes_then_pairs(LatentLayer::kAlone, 1);
  const auto before = HashModel::parse(std::as_bytes(std::span(told)));
  const auto after = HashModel::parse(std::as_bytes(std::span(learnt)));
  EXPECT_NE(after->weights().latent, before->weights().latent);
  const Stripes stripes = make_stripes(8, 4, 98);
  for (std::size_t i = 0; i < 8; ++i) {
    const auto square = std::span(stripes.squares).subspan(i * 256, 256);
    EXPECT_EQ(after->describe(square).features, before->describe(square).features) << i;
  }
  EXPECT_TRUE(after->sees_as(*before));
}

TEST(Siamese, LinearLayersLearnAndConvolutionsStay) {
  expect_codes_of_classes(LatentLayer::kLinear);
  const auto [told, learnt] = classes_then_pairs(LatentLayer::kLinear, 1);
  const auto before = HashModel::parse(std::as_bytes(std::span(told)));
  const auto after = HashModel::parse(std::as_bytes(std::span(learnt)));
  EXPECT_NE(after->weights().latent, before->weights().latent);
  EXPECT_NE(after->weights().features, before->weights().features);
  EXPECT_TRUE(after->sees_as(*before));
  HashWeights changed = after->weights();
  changed.shifts[2][0] += 1;
  const std::string bytes = HashModel::write(after->shape(), changed);
  EXPECT_FALSE(HashModel::parse(std::as_bytes(std::span(bytes)))->sees_as(*before));
}

// The features that come out are the shares of the classes, and codes of them tell these apart.
TEST(Siamese, LearnsSharesOfClasses) {
  const auto set = stripes_set();
  SiameseOptions options = tiny_options();
  options.shape.shares = true;
  options.shape.features = 4;
  options.class_epochs = 4;
  options.epochs = 0;
  SiameseTrainer classes(options, *set);
  run(classes);
  const std::string told = classes.model();
  const auto model = HashModel::parse(std::as_bytes(std::span(told)));
  ASSERT_TRUE(model && model->shape().shares);
  const Stripes stripes = make_stripes(80, 4, 99);
  std::size_t right = 0;
  for (std::size_t i = 0; i < 80; ++i) {
    const auto shares = model->describe(std::span(stripes.squares).subspan(i * 256, 256)).features;
    const auto most = static_cast<std::uint32_t>(std::ranges::max_element(shares) - shares.begin());
    // Pictures are mirrored while they are learnt from, and the directions 1 and 3 with them.
    right += most == stripes.labels[i] || most == (4 - stripes.labels[i]) % 4 ? 1U : 0U;
  }
  EXPECT_GE(right, 76U);
  options.from = std::make_shared<const HashModel>(*model);
  options.class_epochs = 0;
  options.epochs = 6;
  options.latent = LatentLayer::kAlone;
  SiameseTrainer pairs(options, *set);
  run(pairs);
  const auto [same, other] = distances(pairs.model());
  EXPECT_LT(same, 1.0);
  EXPECT_GT(other, 4.0);
}

// The push makes numbers 1, the paper's regulariser only equal.
TEST(Siamese, PushMakesCodesBinary) {
  const auto set = stripes_set();
  const auto binary = [&](bool paper, double push) {
    SiameseOptions options = tiny_options();
    options.loss.kind = paper ? SiameseLoss::kPaper : SiameseLoss::kVector;
    options.loss.push = push;
    SiameseTrainer trainer(options, *set);
    run(trainer);
    return trainer.points().back().binary;
  };
  EXPECT_GT(binary(false, 0.3), binary(false, 0) + 0.05);
}

TEST(Siamese, GoesOnAsIfItHadNotBeenInterrupted) {
  const auto set = stripes_set();
  SiameseTrainer whole(tiny_options(), *set);
  run(whole);
  for (const std::uint64_t at : {5U, 18U, 47U}) {
    SiameseTrainer first(tiny_options(), *set);
    run(first, at);
    const std::string left = first.checkpoint();
    SiameseOptions with_threads = tiny_options();
    with_threads.threads = 3;
    SiameseTrainer second(with_threads, *set);
    ASSERT_TRUE(second.restore(left));
    EXPECT_EQ(second.done(), at);
    run(second);
    EXPECT_EQ(second.model(), whole.model());
    EXPECT_EQ(second.points().size(), whole.points().size());
  }
}

TEST(Siamese, RefusesACheckpointOfAnotherTrainingOrADamagedOne) {
  const auto set = stripes_set();
  SiameseTrainer trainer(tiny_options(), *set);
  run(trainer, 3);
  const std::string left = trainer.checkpoint();
  SiameseOptions others = tiny_options();
  others.rate = 0.31;
  SiameseTrainer other(others, *set);
  const Status refused = other.restore(left);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  for (std::size_t length = 0; length < left.size(); length += 997) {
    EXPECT_FALSE(trainer.restore(left.substr(0, length)));
  }
  for (std::size_t i = 0; i < left.size(); i += 1009) {
    std::string flipped = left;
    flipped[i] = static_cast<char>(flipped[i] ^ 1);
    EXPECT_FALSE(trainer.restore(flipped)) << i;
  }
  EXPECT_TRUE(trainer.restore(left));
}

TEST(Siamese, StopsEarlyWhenNothingGetsBetter) {
  const auto set = stripes_set();
  SiameseOptions options = tiny_options();
  options.epochs = 60;
  options.rate = 1e-9;  // learns nothing
  options.patience = 3;
  options.class_epochs = 0;
  SiameseTrainer trainer(options, *set);
  run(trainer);
  EXPECT_LT(trainer.points().size(), 40U);
}

TEST(Siamese, TellsThatALossIsNoNumber) {
  const auto set = stripes_set();
  SiameseOptions options = tiny_options();
  options.class_rate = 1e30;
  SiameseTrainer trainer(options, *set);
  Status status = ok();
  while (status && !trainer.finished()) status = trainer.step();
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("--rate"), std::string::npos);
}

TEST(TrainingSet, BatchesOfManyClassesHavePairs) {
  Stripes stripes = make_stripes(300, 100, 3);
  const auto set =
      make_labelled_set(kTiny, stripes.squares, stripes.labels, {.batch = 32, .validation = 0});
  EXPECT_EQ(set->validation_batches(), 0U);
  for (std::uint64_t step = 0; step < 20; ++step) {
    const TrainingBatch batch = set->batch(step, 1);
    ASSERT_EQ(batch.labels.size(), 32U);
    for (std::size_t i = 0; i < 32; i += 2) EXPECT_EQ(batch.labels[i], batch.labels[i + 1]);
    EXPECT_EQ(set->batch(step, 3).pictures.values, batch.pictures.values);
  }
}

TEST(TrainingSet, WhatIsKeptApartIsNeverTrainedOn) {
  // Every picture has a brightness of its own, by which it is known again.
  std::vector<std::uint8_t> squares;
  std::vector<std::uint32_t> labels;
  for (std::uint32_t i = 0; i < 200; ++i) {
    squares.insert(squares.end(), 256, static_cast<std::uint8_t>(i));
    labels.push_back(i % 2);
  }
  const auto set = make_labelled_set(kTiny, squares, labels, {.batch = 20, .validation = 0.2});
  std::vector<int> seen(200), apart(200);
  const auto count = [](const TrainingBatch& batch, std::vector<int>& counts) {
    for (std::size_t i = 0; i < batch.pictures.images; ++i) {
      ++counts[static_cast<std::size_t>(std::lround(*batch.pictures.pixel(i, 3, 3) * 64 + 120))];
    }
  };
  for (std::uint64_t step = 0; step < set->batches(); ++step) count(set->batch(step, 1), seen);
  for (std::size_t i = 0; i < set->validation_batches(); ++i) {
    count(set->validation_batch(i, 1), apart);
  }
  for (std::size_t i = 0; i < 200; ++i) EXPECT_EQ(seen[i] + apart[i], 1) << i;
}

TEST(TrainingSet, CutoutHidesASquareAtAnotherPlaceEachTime) {
  // White pictures: what is grey was hidden, and shifts change nothing.
  const std::vector<std::uint8_t> squares(40 * 256, 255);
  std::vector<std::uint32_t> labels;
  for (std::uint32_t i = 0; i < 40; ++i) labels.push_back(i % 2);
  const TrainingSetOptions options{.batch = 20, .validation = 0.2, .cutout = 5};
  const auto set = make_labelled_set(kTiny, squares, labels, options);
  std::vector<int> hidden(256);
  int whole = 0;
  for (std::uint64_t step = 0; step < 100; ++step) {
    const TrainingBatch batch = set->batch(step, 2);
    ASSERT_EQ(set->batch(step, 1).pictures.values, batch.pictures.values);
    for (std::size_t i = 0; i < batch.pictures.images; ++i) {
      int count = 0;
      for (std::size_t p = 0; p < 256; ++p) {
        const bool grey = *batch.pictures.pixel(i, p / 16, p % 16) == 0;
        count += grey ? 1 : 0;
        hidden[p] += grey ? 1 : 0;
      }
      EXPECT_GE(count, 9);  // three rows and columns at least, in a corner
      EXPECT_LE(count, 25);
      whole += count == 25 ? 1 : 0;
    }
  }
  // The centre is any pixel: 12 of 16 rows and columns leave the square whole.
  EXPECT_NEAR(whole / (100.0 * 20), 0.75 * 0.75, 4 * std::sqrt(.25 / 2000));
  EXPECT_GT(*std::ranges::min_element(hidden), 0);
  const TrainingBatch apart = set->validation_batch(0, 1);
  for (std::size_t p = 0; p < 256; ++p) EXPECT_NE(*apart.pictures.pixel(0, p / 16, p % 16), 0);
  const auto plain = make_labelled_set(kTiny, squares, labels, {.batch = 20, .validation = 0.2});
  EXPECT_NE(set->kind(), plain->kind());  // a training does not go on with other pictures
}

TEST(TrainingSet, CopiesOfPhotosArePairs) {
  Rng rng(9);
  std::vector<GreyImage> pictures;
  for (int i = 0; i < 12; ++i) {
    GreyImage picture{.pixels = {}, .width = 90, .height = 70};
    const double fx = .3 * rng.uniform(), fy = .3 * rng.uniform();
    for (int p = 0; p < 90 * 70; ++p) {
      picture.pixels.push_back(
          static_cast<std::uint8_t>(127 + 90 * std::sin(fx * (p % 90)) * std::cos(fy * (p / 90))));
    }
    pictures.push_back(picture);
  }
  HashNetShape shape = kTiny;
  shape.side = 64;
  const auto set = make_copied_set(shape, pictures, {.batch = 16, .validation = 0.25});
  EXPECT_EQ(set->classes(), 0U);
  EXPECT_GT(set->validation_batches(), 0U);
  const TrainingBatch batch = set->batch(4, 2);
  EXPECT_EQ(batch.labels.size(), 16U);
  EXPECT_EQ(set->batch(4, 1).pictures.values, batch.pictures.values);
  EXPECT_NE(set->batch(5, 1).pictures.values, batch.pictures.values);
}

}  // namespace
}  // namespace twinsift
