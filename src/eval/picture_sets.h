// SPDX-License-Identifier: Apache-2.0
// Real pictures as sets of visual words, to compare sketches on: the data of Fig. 8 to 11 of the
// HOPH paper.
//
// Up to 100 of the pictures, from all over the folder, at most half of them, are the queries.  The
// others and ten versions of each query are the documents, in a random order: cropped, smaller, in
// other light, noisy, from hardly touched to plainly changed, so that similarities fill the range
// in which thresholds lie.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "eval/workload.h"
#include "feature/grey_image.h"
#include "feature/key_points.h"
#include "twinsift/eval.h"
#include "twinsift/result.h"

namespace twinsift {

// A picture as its key points are looked for in: the decoder shrinks to kWordsShorterSide or more,
// and the rest is done here.
inline constexpr std::uint32_t kWordsShorterSide = 320;
inline constexpr std::uint32_t kWordsLongestSide = 640;
// Requires: no longer than kWordsLongestSide; no size is 0.
LocalWords visual_words(const GreyView& picture);

// Of pictures no longer than kWordsLongestSide.  Those without a key point are left out.
// kInvalidArgument if fewer than kFewestPictures are left; kCancelled.
Result<Workload> workload_of_pictures(std::span<const GreyImage> pictures,
                                      const EvalOptions& options);

// Of those in the folder options.images, at most `most`.
Result<Workload> read_picture_workload(const EvalOptions& options, std::size_t most);

}  // namespace twinsift
