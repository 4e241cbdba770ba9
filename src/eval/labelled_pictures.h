// SPDX-License-Identifier: Apache-2.0
// Pictures with classes, and what a trained network says of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "eval/code_baselines.h"
#include "feature/hash_model.h"
#include "index/vector_index.h"
#include "run/training_pictures.h"
#include "twinsift/eval.h"
#include "twinsift/result.h"

namespace twinsift {

unsigned all_threads();

// Pictures in folders of classes.
struct Labelled {
  std::vector<SquarePicture> pictures;
  std::vector<std::uint32_t> labels;
};

using Classes = std::map<std::string, std::uint32_t>;  // by their folders' names

// As squares for networks of this shape; a class that is new gets the next number.  kNotFound:
// there is no picture.
Result<Labelled> read_labelled(const EvalOptions& options, const std::string& folder,
                               const HashNetShape& shape, Classes& classes);

// Up to `count` of them, from all over.
Labelled every_so_many(const Labelled& all, std::size_t count);

struct Described {
  std::vector<float> features;
  std::size_t width = 0;
  CodeRows codes;
  double binary = 0;  // the share of |a_v| > 0.9
  [[nodiscard]] VectorRows rows() const { return {features, width}; }
};

// What networks say of the same pictures.  Networks with the same convolutions, one after the
// other, look at them once.
class PictureDescriber {
 public:
  // Requires: the pictures stay where they are.
  explicit PictureDescriber(const std::vector<SquarePicture>& pictures, std::stop_token stop)
      : pictures_(pictures), stop_(std::move(stop)) {}
  // Requires: the model stays where it is as long as this.
  Described describe(const HashModel& model);

 private:
  const std::vector<SquarePicture>& pictures_;
  std::stop_token stop_;
  const HashModel* seen_by_ = nullptr;
  std::vector<float> seen_;
};

// Their gists, for those who learn nothing from pixels.
Described gists_of(const std::vector<SquarePicture>& pictures, const HashNetShape& shape,
                   const std::stop_token& stop);

}  // namespace twinsift
