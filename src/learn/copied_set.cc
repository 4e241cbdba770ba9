// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cassert>
#include <utility>

#include "base/hash.h"
#include "base/parallel.h"
#include "base/random.h"
#include "feature/thumbnail.h"
#include "learn/picture_copies.h"
#include "learn/training_set.h"

namespace twinsift {
namespace {

constexpr std::size_t kPhotosOfPicture = 8;  // in an epoch
constexpr std::size_t kValidationBatches = 4;

class CopiedSet final : public TrainingSet {
 public:
  CopiedSet(const HashNetShape& shape, std::vector<GreyImage> pictures,
            const TrainingSetOptions& options)
      : shape_(shape), pictures_(std::move(pictures)), options_(options) {
    // Those at the end are kept apart, after a shuffle.
    Rng rng(mix64(options.seed ^ 0x434F50U));
    for (std::size_t i = pictures_.size(); i-- > 1;) {
      std::swap(pictures_[i], pictures_[rng.below(static_cast<std::uint32_t>(i + 1))]);
    }
    const auto apart = static_cast<std::size_t>(options.validation * double(pictures_.size()));
    training_ = pictures_.size() - std::min(apart, pictures_.size() - 2);
  }

  [[nodiscard]] std::uint32_t classes() const override { return 0; }
  [[nodiscard]] std::size_t batches() const override {
    return std::max<std::size_t>(1, training_ * kPhotosOfPicture / photos());
  }
  [[nodiscard]] std::size_t validation_batches() const override {
    return pictures_.size() - training_ < 2 ? 0 : kValidationBatches;
  }
  [[nodiscard]] TrainingBatch batch(std::uint64_t step, unsigned threads) const override {
    return make(0, training_, mix64(options_.seed + mix64(step + 1)), threads);
  }
  [[nodiscard]] TrainingBatch validation_batch(std::size_t i, unsigned threads) const override {
    return make(training_, pictures_.size(), mix64(options_.seed + mix64(~std::uint64_t{i})),
                threads);
  }

 private:
  [[nodiscard]] std::size_t photos() const { return std::max<std::size_t>(options_.batch / 2, 2); }

  // Photos of pictures begin..end-1, of as many different ones as there are: two parts of one
  // picture may show the same.
  [[nodiscard]] TrainingBatch make(std::size_t begin, std::size_t end, std::uint64_t seed,
                                   unsigned threads) const {
    std::vector<std::size_t> chosen(end - begin);
    for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = begin + i;
    Rng rng(seed);
    for (std::size_t i = chosen.size(); i-- > 1;) {
      std::swap(chosen[i], chosen[rng.below(static_cast<std::uint32_t>(i + 1))]);
    }
    chosen.resize(std::min(chosen.size(), photos()));
    TrainingBatch batch{.pictures = {2 * chosen.size(), shape_.side, 1, shape_.stem_kernel / 2},
                        .labels = {}};
    for (std::uint32_t i = 0; i < chosen.size(); ++i) batch.labels.insert(batch.labels.end(), 2, i);
    parallel_for(chosen.size(), threads, {}, [&](std::size_t i, unsigned) {
      Rng mine(mix64(seed + i + 1));
      const GreyImage photo = random_photo(pictures_[chosen[i]].view(), mine);
      const bool original = mine.below(2) == 0;
      put(original ? photo : random_copy(photo.view(), mine), batch.pictures, 2 * i);
      const bool hard = mine.below(2) == 0;
      put(hard ? random_hard_copy(photo.view(), mine) : random_copy(photo.view(), mine),
          batch.pictures, 2 * i + 1);
    });
    return batch;
  }

  void put(const GreyImage& picture, Maps<float>& out, std::size_t at) const {
    const Thumbnail thumbnail = thumbnail_of(picture.view());
    for (std::size_t i = 0; i < thumbnail.size(); ++i) {
      *out.pixel(at, i / kThumbnailSide, i % kThumbnailSide) = to_input(thumbnail[i]);
    }
  }

  HashNetShape shape_;
  std::vector<GreyImage> pictures_;
  TrainingSetOptions options_;
  std::size_t training_ = 0;
};

}  // namespace

std::unique_ptr<TrainingSet> make_copied_set(const HashNetShape& shape,
                                             std::vector<GreyImage> pictures,
                                             const TrainingSetOptions& options) {
  assert(shape.colours == 1 && shape.side == kThumbnailSide && pictures.size() >= 2);
  return std::make_unique<CopiedSet>(shape, std::move(pictures), options);
}

}  // namespace twinsift
