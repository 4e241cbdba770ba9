// SPDX-License-Identifier: Apache-2.0
// Vectors of real pictures and of versions of them: GIST, and bags of visual words.
//
// Groups of four views each are scenes; groups of 21 copies each are copies.  The bag of a picture
// counts its words of the shipped vocabulary, hashed into 400 bins, as many as the bags of the
// paper on load-balanced LSH have words, and scaled to length 1: 8,192 numbers, nearly all of them
// 0, are 20 times as many to compare.
#pragma once

#include <cstddef>
#include <cstdint>

#include "eval/vectors.h"
#include "feature/gist320.h"
#include "feature/grey_image.h"
#include "feature/hash_model.h"
#include "feature/key_points.h"
#include "twinsift/eval.h"
#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

inline constexpr std::size_t kBagBins = 400;
inline constexpr std::uint32_t kSceneViews = 4;
inline constexpr std::uint32_t kCopyVersions = 21;

// All 0 for no words.
DenseVector hashed_bag(const LocalWords& words);

// gist[i], bags[i] and learned[i] are of the same version of the same picture.
struct VersionVectors {
  VectorSet gist;
  VectorSet bags;
  VectorSet learned;  // features of a network, if there is one
};

class PictureVectors {
 public:
  // `model` may be null, and looks at grey pictures otherwise.
  explicit PictureVectors(const HashModel* model = nullptr);

  // Scenes of it, and copies where there is room for `most_copies` of all pictures.  False, and
  // nothing is added, if it has no key points.  The same vectors for any number of threads.
  // Requires: no longer than kWordsLongestSide; no size is 0.
  bool add(const GreyView& picture, std::size_t most_copies, std::uint64_t seed);

  [[nodiscard]] std::uint32_t pictures() const { return pictures_; }
  VersionVectors scenes;
  VersionVectors copies;

 private:
  const HashModel* model_;
  GistBank bank_;
  std::uint32_t pictures_ = 0;
};

// Of the pictures of the folder options.images; `most_scenes` counts views.
Result<PictureVectors> read_picture_vectors(const EvalOptions& options, std::size_t most_scenes,
                                            std::size_t most_copies,
                                            const HashModel* model = nullptr);

}  // namespace twinsift
