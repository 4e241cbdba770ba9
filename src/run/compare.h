// SPDX-License-Identifier: Apache-2.0
// The steps of compare(): read two files, measure how alike they are, say why.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "feature/tfidf.h"
#include "ingest/walk.h"
#include "run/open_item.h"
#include "twinsift/media.h"
#include "twinsift/pipeline.h"
#include "verify/picture_detector.h"
#include "verify/sketch_comparison.h"

namespace twinsift {

class CompareRun {
 public:
  static Result<CompareRun> make(const CompareOptions& options);
  Status read(const std::string& a, const std::string& b);
  Status measure();
  Status explain();
  Comparison result() { return std::move(comparison_); }

 private:
  Status measure_sets(const Feature& a, const Feature& b);
  Status measure_pictures(const Feature& a, const Feature& b);
  Status look_closer(std::uint32_t width_a, std::uint32_t width_b);
  Status look_at_sketches(const SketchComparison& sketches, const WeightedSet& a,
                          const WeightedSet& b);
  Status measure_recordings(const Feature& a, const Feature& b);
  Status measure_frame();
  // One of the two files.
  struct Side {
    std::optional<OpenItem> item;
    Input input;
  };
  Status read_one(const std::string& path, Side& side, Member& member) const;

  std::vector<std::unique_ptr<MediaType>> media_;
  std::unique_ptr<PictureDetector> pictures_by_;
  // How sets are compared: those of texts, those of pictures if visual words are, and those of
  // recordings as the paper has them.
  struct SetComparison {
    std::optional<IdfVariant> weights;  // how counts are weighed, if features are counts
    std::optional<SketchComparison> sketches;
  };
  static Result<SetComparison> compare_sets(const CompareOptions& options,
                                            std::optional<IdfVariant> weights);
  SetComparison texts_;
  SetComparison worded_;
  SetComparison recorded_;
  const MediaType* medium_ = nullptr;  // of both files; null if they have none in common
  Side a_;
  Side b_;
  Comparison comparison_;
};

}  // namespace twinsift
