// SPDX-License-Identifier: Apache-2.0
// Pictures as bags or sets of visual words, to compare sketches on: the data of Fig. 8 to 11 of the
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
#include "feature/tfidf.h"
#include "twinsift/eval.h"
#include "twinsift/result.h"

namespace twinsift {

// A picture as its key points are looked for in: the decoder shrinks to kWordsShorterSide or more,
// and the rest is done here.
inline constexpr std::uint32_t kWordsShorterSide = 320;
inline constexpr std::uint32_t kWordsLongestSide = 640;
// Requires: no longer than kWordsLongestSide; no size is 0.
LocalWords visual_words(const GreyView& picture);

using WordBag = std::vector<TermCount>;  // how often a picture has each of its words

inline constexpr std::uint32_t kNoQuery = UINT32_MAX;

struct PictureBags {
  std::vector<WordBag> queries;
  std::vector<WordBag> documents;
  std::vector<std::uint32_t> query_of;  // of each document: of which query it is a version
  std::string description;
};

// Of pictures no longer than kWordsLongestSide.  Those without a key point are left out.
// kInvalidArgument if fewer than kFewestPictures are left; kCancelled.
Result<PictureBags> bags_of_pictures(std::span<const GreyImage> pictures,
                                     const EvalOptions& options);

// The same without pictures: up to 100 queries, half as many as documents at most, and `documents`
// bags of 200 to 400 words from a vocabulary of 8,192 in which some are far more frequent than
// others.  Every tenth is a version of a query.  Requires: two documents at least.
PictureBags make_picture_bags(const EvalOptions& options, std::uint32_t documents);

// The words alone, each once.
Workload workload_of(const PictureBags& bags);

// Of those in the folder options.images, at most `most`, or so many made up if there is none.
Result<PictureBags> load_picture_bags(const EvalOptions& options, std::uint32_t most);

}  // namespace twinsift
