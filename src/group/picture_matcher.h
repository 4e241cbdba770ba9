// SPDX-License-Identifier: Apache-2.0
// From pictures to stars: codes propose, the detector decides (verify/picture_detector.h).
//
// Pictures are numbered in the order in which they would be kept.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "feature/weights.h"
#include "group/star.h"
#include "twinsift/result.h"
#include "twinsift/types.h"
#include "verify/picture_detector.h"

namespace twinsift {

struct PictureTask {
  const PictureDetector* detector = nullptr;
  std::uint32_t pictures = 0;
  // Their words; called from many threads.
  std::function<Result<SetView>(ItemId)> packed;
  std::uint32_t references = 0;                   // the first so many always stay
  std::function<bool(ItemId, ItemId)> allowed{};  // pairs that may match; empty: all
  double threshold = 0.8;
  double recall = 0.95;
  unsigned threads = 1;
  std::stop_token stop{};
  std::function<void(std::string_view stage, std::uint64_t items, std::uint64_t total)> progress{};
};

struct PictureOutcome {
  std::vector<ItemId> keeper;  // keeper[i] == i: i stays
  std::vector<double> score;
  MatchStats stats;
  std::string guarantee;
  std::string index;  // spec
};
Result<PictureOutcome> match_pictures(const PictureTask& task);

}  // namespace twinsift
