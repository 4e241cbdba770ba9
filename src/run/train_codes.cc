// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "learn/code_fit.h"
#include "run/train.h"
#include "run/training_pictures.h"

namespace twinsift {
namespace {

constexpr std::uint32_t kReadSide = 512;  // enough for parts of a sixth of the side

}  // namespace

Result<GreyPictures> read_grey_pictures(const std::vector<std::string>& folders,
                                        const TrainOptions& options) {
  GreyPictures found;  // by number: empty where there is none
  TWINSIFT_TRY(found.seen, for_each_picture(
                               folders, options, {.min_side = kReadSide, .grey = true},
                               [&](std::uint64_t files) { found.pictures.resize(files); },
                               [&](const TrainingPicture& one) {
                                 if (std::min(one.picture.columns, one.picture.rows) < kLeastSide)
                                   return;
                                 found.pictures[one.number] = grey_image(one.picture);
                               }));
  std::erase_if(found.pictures, [](const GreyImage& picture) { return picture.pixels.empty(); });
  return found;
}

Result<TrainedModel> train_codes(const std::vector<std::string>& folders,
                                 const TrainOptions& options) {
  TWINSIFT_TRY(const GreyPictures found, read_grey_pictures(folders, options));
  const auto& [pictures, seen] = found;
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
