// SPDX-License-Identifier: Apache-2.0
#include "learn/code_fit.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "base/hash.h"
#include "base/random.h"
#include "learn/picture_copies.h"
#include "learn/symmetric.h"

namespace twinsift {
namespace {

// Parts of a picture with less in them are no photos that anybody would keep.
constexpr int kPhotoInformation = 2 * kLeastInformation;

// Sums of vectors and of their products with themselves.  The values are integers below 2^15, so
// that the sums are exact, in any order, for 2^22 vectors.
class Scatter {
 public:
  Scatter() : products_(kGistLength), sums_(kGistLength) {}

  void add(const std::array<std::int32_t, kGistLength>& vector) {
    ++count_;
    std::array<double, kGistLength> x{};
    std::copy(vector.begin(), vector.end(), x.begin());
    for (std::size_t i = 0; i < kGistLength; ++i) {
      sums_[i] += x[i];
      double* row = products_.row(i);
      for (std::size_t j = 0; j <= i; ++j) row[j] += x[i] * x[j];
    }
  }

  // Over the eight orientations.
  [[nodiscard]] std::vector<double> mean() const {
    std::vector<double> mean(kGistLength);
    for (int o = 0; o < kOrientations; ++o) {
      const auto& order = gist_order(o);
      for (std::size_t i = 0; i < kGistLength; ++i) mean[i] += sums_[order[i]];
    }
    for (double& value : mean) value /= kOrientations * static_cast<double>(count_);
    return mean;
  }

  [[nodiscard]] Matrix mean_products() const {
    Matrix mean(kGistLength);
    for (int o = 0; o < kOrientations; ++o) {
      const auto& order = gist_order(o);
      for (std::size_t i = 0; i < kGistLength; ++i) {
        for (std::size_t j = 0; j < kGistLength; ++j) {
          const auto [low, high] = std::minmax(order[i], order[j]);
          mean.row(i)[j] += products_.row(high)[low];
        }
      }
    }
    for (double& value : mean.values) value /= kOrientations * static_cast<double>(count_);
    return mean;
  }

 private:
  Matrix products_;  // below the diagonal and on it
  std::vector<double> sums_;
  std::uint64_t count_ = 0;
};

std::array<std::int32_t, kGistLength> difference(const Gist& a, const Gist& b) {
  std::array<std::int32_t, kGistLength> out{};
  for (std::size_t i = 0; i < kGistLength; ++i) out[i] = a.values[i] - b.values[i];
  return out;
}

// Whole numbers in the ratios of the axis, as large as fit.
void quantise(const double* axis, const std::vector<double>& mean, std::size_t bit,
              CodeModel::Planes& planes) {
  double largest = 0;
  for (std::size_t i = 0; i < kGistLength; ++i) largest = std::max(largest, std::abs(axis[i]));
  double threshold = 0;
  for (std::size_t i = 0; i < kGistLength; ++i) {
    const double weight = std::floor(axis[i] / largest * 127 + 0.5);
    planes.weights.push_back(static_cast<std::int8_t>(weight));
    threshold += weight * mean[i];
  }
  planes.thresholds[bit] = static_cast<std::int32_t>(std::floor(threshold + 0.5));
}

}  // namespace

CodeFit fit_codes(std::span<const GreyImage> pictures, const CodeFitOptions& options) {
  assert(!pictures.empty());
  CodeFit fit;
  Scatter photos;
  Scatter noise;
  for (std::uint32_t i = 0; i < options.photos; ++i) {
    Rng rng(mix64(options.seed) + mix64(i));
    const GreyImage photo = random_photo(pictures[i % pictures.size()].view(), rng);
    const Gist gist = gist_of(thumbnail_of(photo.view()));
    if (gist.information < kPhotoInformation) continue;
    ++fit.photos;
    photos.add(difference(gist, {}));
    for (std::uint32_t copy = 0; copy < options.copies; ++copy) {
      noise.add(difference(gist_of(thumbnail_of(random_copy(photo.view(), rng).view())), gist));
    }
  }
  if (fit.photos == 0) {
    fit.planes.weights.assign(kImageCodeBits * kGistLength, 0);
    return fit;
  }
  const std::vector<double> mean = photos.mean();
  Matrix total = photos.mean_products();
  for (std::size_t i = 0; i < kGistLength; ++i) {
    for (std::size_t j = 0; j < kGistLength; ++j) total.row(i)[j] -= mean[i] * mean[j];
  }
  Matrix within = noise.mean_products();
  double trace = 0;
  for (std::size_t i = 0; i < kGistLength; ++i) trace += within.row(i)[i];
  const double added = std::max(1.0, options.share * trace / static_cast<double>(kGistLength));
  for (std::size_t i = 0; i < kGistLength; ++i) within.row(i)[i] += added;
  const Matrix axes = discriminant_axes(total, within);
  fit.planes.weights.reserve(kImageCodeBits * kGistLength);
  for (std::size_t bit = 0; bit < kImageCodeBits; ++bit) {
    quantise(axes.row(bit), mean, bit, fit.planes);
  }
  return fit;
}

}  // namespace twinsift
