// SPDX-License-Identifier: Apache-2.0
// `train siamese`: from folders of pictures to a network that codes them (learn/siamese.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "learn/siamese.h"
#include "run/train.h"
#include "twinsift/result.h"

namespace twinsift {

struct SiameseTask {
  // Which pictures are duplicates: "self" (copies that are made of each), "by-folder" (those in the
  // same folder below an image folder), or a file of lines "path TAB path TAB 1" (0: they are not).
  std::string labels = "self";
  SiameseOptions training;
  TrainingSetOptions batches;
  std::string checkpoint;          // a file; empty: none
  double checkpoint_seconds = 60;  // between two of them
};

struct SiameseResult {
  TrainedModel model;
  std::vector<TrainingPoint> points;
  std::uint64_t resumed = 0;  // steps that an earlier run had done
};

// What is interrupted leaves its checkpoint, from which the same call goes on.  Who has stored the
// model may remove it.
TWINSIFT_EXPORT Result<SiameseResult> train_siamese(const std::vector<std::string>& folders,
                                                    const TrainOptions& options,
                                                    const SiameseTask& task);

// The curves of a training.
TWINSIFT_EXPORT std::string training_plot(const std::vector<TrainingPoint>& points);

}  // namespace twinsift
