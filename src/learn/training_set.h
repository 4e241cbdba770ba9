// SPDX-License-Identifier: Apache-2.0
// Where a siamese network gets its pairs from: batches of pictures with labels, of which equal ones
// mean duplicates.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "feature/grey_image.h"
#include "feature/hash_model.h"
#include "learn/maps.h"

namespace twinsift {

struct TrainingBatch {
  Maps<float> pictures;  // as HashNet takes them
  std::vector<std::uint32_t> labels;
};

// Threads may share one.
class TrainingSet {
 public:
  virtual ~TrainingSet() = default;

  // How many labels there are, if they are classes; 0 if each batch has labels of its own.
  [[nodiscard]] virtual std::uint32_t classes() const = 0;
  // How many batches it takes until all has been seen once.
  [[nodiscard]] virtual std::size_t batches() const = 0;
  // The batch of a step, the same whenever it is asked for.
  [[nodiscard]] virtual TrainingBatch batch(std::uint64_t step, unsigned threads) const = 0;
  // What is kept apart to judge by: batches that are never trained on.
  [[nodiscard]] virtual std::size_t validation_batches() const = 0;
  [[nodiscard]] virtual TrainingBatch validation_batch(std::size_t i, unsigned threads) const = 0;
  // What else a training that goes on must find as it was.
  [[nodiscard]] virtual std::string kind() const { return {}; }
};

struct TrainingSetOptions {
  std::size_t batch = 256;
  double validation = 0.05;  // share of the labels' pictures, or of the pictures
  // Pictures of classes: the side of a square that is hidden in each of them, in pixels, so that no
  // one part of a picture is relied upon (T. DeVries, G. Taylor, "Improved regularization of
  // convolutional neural networks with cutout", 2017).  0: none.
  std::size_t cutout = 0;
  std::uint64_t seed = 1;
};

// Pictures of classes: squares of the shape's size, byte by byte, and their labels 0, 1, 2, ...
// Each is shifted by up to an eighth of its side, and mirrored half of the times.
// Requires: two labels and two pictures at least.
std::unique_ptr<TrainingSet> make_labelled_set(const HashNetShape& shape,
                                               std::vector<std::uint8_t> squares,
                                               std::vector<std::uint32_t> labels,
                                               const TrainingSetOptions& options);

// Pictures without labels: parts of them are photos, and copies of these their duplicates
// (learn/picture_copies.h), half of them as hard ones.  Requires: grey, two pictures at least,
// each with sides of 16 pixels or more.
std::unique_ptr<TrainingSet> make_copied_set(const HashNetShape& shape,
                                             std::vector<GreyImage> pictures,
                                             const TrainingSetOptions& options);

}  // namespace twinsift
