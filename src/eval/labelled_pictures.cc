// SPDX-License-Identifier: Apache-2.0
#include "eval/labelled_pictures.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/parallel.h"
#include "feature/gist.h"

namespace twinsift {

unsigned all_threads() { return std::max(1U, std::thread::hardware_concurrency()); }

Result<Labelled> read_labelled(const EvalOptions& options, const std::string& folder,
                               const HashNetShape& shape, Classes& classes) {
  TrainOptions reading{.threads = all_threads(), .callbacks = {}};
  reading.callbacks.stop = options.stop;
  TWINSIFT_TRY(SquarePictures found,
               read_square_pictures({folder}, reading, shape.side, shape.colours));
  Labelled labelled{.pictures = std::move(found.pictures), .labels = {}};
  for (const SquarePicture& picture : labelled.pictures) {
    const auto below = std::filesystem::path(picture.path).lexically_relative(folder);
    const auto number = static_cast<std::uint32_t>(classes.size());
    labelled.labels.push_back(classes.emplace(below.begin()->string(), number).first->second);
  }
  if (labelled.pictures.empty()) {
    return Error{ErrorCode::kNotFound, fmt::format("there is no picture below {}", folder)};
  }
  return labelled;
}

Labelled every_so_many(const Labelled& all, std::size_t count) {
  count = std::min(count, all.pictures.size());
  Labelled some;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = (2 * i + 1) * all.pictures.size() / (2 * count);
    some.pictures.push_back(all.pictures[at]);
    some.labels.push_back(all.labels[at]);
  }
  return some;
}

Described PictureDescriber::describe(const HashModel& model) {
  const std::size_t length = model.shape().pooled();
  if (seen_by_ == nullptr || !model.sees_as(*seen_by_)) {
    seen_.resize(pictures_.size() * length);
    parallel_for(pictures_.size(), all_threads(), stop_, [&](std::size_t i, unsigned) {
      std::ranges::copy(model.see(pictures_[i].pixels),
                        seen_.begin() + static_cast<std::ptrdiff_t>(i * length));
    });
  }
  seen_by_ = &model;
  Described all{.features = {}, .width = model.shape().features, .codes = {}};
  const std::size_t words = code_words(model.shape().bits);
  all.features.resize(pictures_.size() * all.width);
  all.codes.resize(pictures_.size() * words);
  std::atomic<std::uint64_t> sure = 0;
  parallel_for(pictures_.size(), all_threads(), stop_, [&](std::size_t i, unsigned) {
    const HashDescription one = model.describe_seen(std::span(seen_).subspan(i * length, length));
    sure += static_cast<std::uint64_t>(std::ranges::count_if(
        one.latent, [](float before) { return std::fabs(std::tanh(before)) > 0.9F; }));
    std::ranges::copy(one.features,
                      all.features.begin() + static_cast<std::ptrdiff_t>(i * all.width));
    std::ranges::copy(one.code, all.codes.begin() + static_cast<std::ptrdiff_t>(i * words));
  });
  all.binary = double(sure) / double(pictures_.size() * model.shape().bits);
  return all;
}

Described gists_of(const std::vector<SquarePicture>& pictures, const HashNetShape& shape,
                   const std::stop_token& stop) {
  Described all{.features = {}, .width = kGistLength, .codes = {}};
  all.features.resize(pictures.size() * kGistLength);
  const auto side = static_cast<std::uint32_t>(shape.side);
  parallel_for(pictures.size(), all_threads(), stop, [&](std::size_t i, unsigned) {
    GreyImage grey{.pixels = {}, .width = side, .height = side};
    const auto& pixels = pictures[i].pixels;
    for (std::size_t p = 0; p < pixels.size(); p += shape.colours) {
      unsigned sum = 0;
      for (std::size_t c = 0; c < shape.colours; ++c) sum += pixels[p + c];
      grey.pixels.push_back(static_cast<std::uint8_t>(sum / shape.colours));
    }
    const Gist gist = gist_of(thumbnail_of(grey.view()));
    std::ranges::transform(gist.values,
                           all.features.begin() + static_cast<std::ptrdiff_t>(i * kGistLength),
                           [](std::int16_t value) { return float(value) / kGistUnit; });
  });
  return all;
}

}  // namespace twinsift
