// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "learn/code_fit.h"
#include "run/train.h"
#include "run/training_pictures.h"

namespace twinsift {
namespace {

constexpr std::uint32_t kReadSide = 512;   // enough for parts of a sixth of the side
constexpr std::uint32_t kLeastSide = 128;  // smaller ones are icons

}  // namespace

Result<TrainedModel> train_codes(const std::vector<std::string>& folders,
                                 const TrainOptions& options) {
  std::vector<GreyImage> pictures;  // by number: empty where there is none
  TWINSIFT_TRY(
      const TrainingPictures seen,
      for_each_picture(
          folders, options, kReadSide, [&](std::uint64_t files) { pictures.resize(files); },
          [&](std::size_t number, GreyImage picture) {
            if (std::min(picture.width, picture.height) < kLeastSide) return;
            pictures[number] = std::move(picture);
          }));
  std::erase_if(pictures, [](const GreyImage& picture) { return picture.pixels.empty(); });
  CodeFit fit;
  if (!pictures.empty()) fit = fit_codes(pictures, {.seed = options.seed});
  if (fit.photos == 0) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("there is nothing to fit codes to: of {} files, {} are pictures of "
                             "{} pixels a side or more, and those are blank",
                             seen.files, pictures.size(), kLeastSide)};
  }
  return TrainedModel{.bytes = CodeModel::write(fit.planes),
                      .spec = "codes1",
                      .pictures = pictures.size(),
                      .samples = fit.photos,
                      .sample = "photo",
                      .skipped = seen.skipped};
}

}  // namespace twinsift
