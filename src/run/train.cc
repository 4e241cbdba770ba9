// SPDX-License-Identifier: Apache-2.0
#include "run/train.h"

#include <algorithm>
#include <utility>

#include "feature/sift.h"
#include "learn/vocabulary_fit.h"
#include "run/training_pictures.h"

namespace twinsift {
namespace {

constexpr std::uint32_t kShorterSide = 480;  // decoded to at least this, at most twice as much
constexpr int kSizes = 3;                    // each half of the one before
constexpr std::uint32_t kLeastSide = 120;    // smaller ones are left out
constexpr std::uint64_t kMostKeyPoints = 1 << 21;  // of all pictures: 256 MB
constexpr unsigned kRounds = 8;

// Each pixel is the mean of four.
GreyImage halved(const GreyImage& image) {
  GreyImage half{.pixels = {}, .width = image.width / 2, .height = image.height / 2};
  half.pixels.reserve(std::size_t{half.width} * half.height);
  for (std::uint32_t y = 0; y < half.height; ++y) {
    const auto upper = image.view().row(2 * y);
    const auto lower = image.view().row(2 * y + 1);
    for (std::size_t x = 0; x + 1 < image.width; x += 2) {
      const int sum = upper[x] + upper[x + 1] + lower[x] + lower[x + 1];
      half.pixels.push_back(static_cast<std::uint8_t>((sum + 2) / 4));
    }
  }
  return half;
}

std::vector<SiftDescriptor> describe(GreyImage image, std::uint32_t most) {
  std::vector<SiftDescriptor> all;
  for (int i = 0; i < kSizes && std::min(image.width, image.height) >= kLeastSide; ++i) {
    const auto found = find_key_points(image.view(), {.max_points = most >> i});
    all.insert(all.end(), found.descriptors.begin(), found.descriptors.end());
    image = halved(image);
  }
  return all;
}

}  // namespace

Result<TrainedModel> train_vocabulary(const std::vector<std::string>& folders,
                                      const TrainOptions& options) {
  std::vector<std::vector<SiftDescriptor>> found;  // by number
  std::uint32_t most = 0;
  const auto begin = [&](std::uint64_t files) {
    found.resize(files);
    most = static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(kMostKeyPoints / (files + 1), 100, 1500));
  };
  const auto take = [&](const TrainingPicture& one) {
    found[one.number] = describe(grey_image(one.picture), most);
  };
  TWINSIFT_TRY(
      const TrainingPictures seen,
      for_each_picture(folders, options, {.min_side = kShorterSide, .grey = true}, begin, take));
  std::vector<SiftDescriptor> descriptors;
  for (const auto& some : found) descriptors.insert(descriptors.end(), some.begin(), some.end());
  KMeansOptions fit{.clusters = options.words, .rounds = kRounds, .seed = options.seed};
  fit.threads = options.threads;
  fit.stop = options.callbacks.stop;
  fit.progress = [&](unsigned round) {
    if (options.callbacks.progress) {
      options.callbacks.progress(
          {.stage = "words", .items = round, .total_items = kRounds, .current = {}});
    }
  };
  TWINSIFT_TRY(const Vocabulary vocabulary, fit_vocabulary(descriptors, fit));
  return TrainedModel{.bytes = vocabulary.serialise(),
                      .spec = vocabulary.spec(),
                      .pictures = seen.pictures,
                      .samples = descriptors.size(),
                      .sample = "key point",
                      .skipped = seen.skipped};
}

}  // namespace twinsift
