// SPDX-License-Identifier: Apache-2.0
// The pictures of folders, one after another, for those who learn from them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "feature/grey_image.h"
#include "media/picture.h"
#include "run/train.h"
#include "twinsift/result.h"

namespace twinsift {

struct TrainingPictures {
  std::uint64_t files = 0;     // that were walked
  std::uint64_t pictures = 0;  // that were taken
  std::uint64_t skipped = 0;   // that could not be read; each has been told
};

// One of them, as the decoder gave it.
struct TrainingPicture {
  std::size_t number = 0;   // among `files` files
  const std::string& path;  // which begins with its folder as it was given
  Picture picture;
};

// Calls take() for every picture below the folders; from many threads, in any order.  Fails if a
// folder cannot be walked, or if it is stopped.
Result<TrainingPictures> for_each_picture(const std::vector<std::string>& folders,
                                          const TrainOptions& options,
                                          const PictureRequest& request,
                                          const std::function<void(std::uint64_t files)>& begin,
                                          const std::function<void(TrainingPicture picture)>& take);

// Those of which photos can be made: in grey, with sides of kLeastSide pixels and more, because
// smaller ones are icons.
inline constexpr std::uint32_t kLeastSide = 128;
struct GreyPictures {
  std::vector<GreyImage> pictures;
  TrainingPictures seen;
};
Result<GreyPictures> read_grey_pictures(const std::vector<std::string>& folders,
                                        const TrainOptions& options);

// All of them as squares, in grey or in colour.
struct SquarePicture {
  std::string path;
  std::vector<std::uint8_t> pixels;  // side * side * colours
};
struct SquarePictures {
  std::vector<SquarePicture> pictures;
  TrainingPictures seen;
};
Result<SquarePictures> read_square_pictures(const std::vector<std::string>& folders,
                                            const TrainOptions& options, std::size_t side,
                                            std::size_t colours);

// Of a picture that was asked for in grey.
GreyImage grey_image(const Picture& picture);

}  // namespace twinsift
