// SPDX-License-Identifier: Apache-2.0
#include "feature/sift_descriptor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "base/portable_trig.h"

namespace twinsift {
namespace {

// exp(-t) for t from 0 to kEnd in steps fine enough to take the nearest.
class FallingExp {
 public:
  static constexpr float kEnd = 4.5F;
  FallingExp() {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      values_[i] = static_cast<float>(portable_exp(-static_cast<double>(i) / kSteps));
    }
  }
  // Requires: 0 <= t <= kEnd.
  [[nodiscard]] float at(float t) const {
    return values_[static_cast<std::size_t>(t * kSteps + 0.5F)];
  }

 private:
  static constexpr int kSteps = 256;
  std::array<float, static_cast<std::size_t>(kEnd* kSteps) + 2> values_{};
};

const FallingExp& falling_exp() {
  static const FallingExp table;
  return table;
}

// A circular histogram; what falls between two bins is shared by both.
template <std::size_t kBins>
struct Directions {
  std::array<float, kBins> bins{};

  void add(float turns, float weight) {
    const float at = turns * static_cast<float>(kBins);
    const auto low = std::min(static_cast<std::size_t>(at), kBins - 1);
    const float part = at - static_cast<float>(low);
    bins[low] += weight * (1 - part);
    bins[low + 1 == kBins ? 0 : low + 1] += weight * part;
  }
};

constexpr std::size_t kAngles = 36;

Directions<kAngles> gradients_around(const PlaneSpot& spot) {
  const float reach = 1.5F * spot.sigma;
  const float radius = 3 * reach;
  const float scale = 1 / (2 * reach * reach);
  const auto first = [&](float middle) {
    return static_cast<std::uint32_t>(std::max(1.0F, std::ceil(middle - radius)));
  };
  const auto last = [&](float middle, std::uint32_t size) {
    return static_cast<std::uint32_t>(
        std::clamp(std::floor(middle + radius), 0.0F, static_cast<float>(size) - 2));
  };
  Directions<kAngles> found;
  for (std::uint32_t y = first(spot.y); y <= last(spot.y, spot.plane.height); ++y) {
    const float dy = static_cast<float>(y) - spot.y;
    const float* row = spot.plane.row(y);
    const float* above = spot.plane.row(y - 1);
    const float* below = spot.plane.row(y + 1);
    for (std::uint32_t x = first(spot.x); x <= last(spot.x, spot.plane.width); ++x) {
      const float dx = static_cast<float>(x) - spot.x;
      const float t = (dx * dx + dy * dy) * scale;
      if (t > FallingExp::kEnd) continue;
      const float gx = row[x + 1] - row[x - 1];
      const float gy = below[x] - above[x];
      found.add(portable_turns(gy, gx), std::sqrt(gx * gx + gy * gy) * falling_exp().at(t));
    }
  }
  return found;
}

std::array<float, kAngles> smoothed(const std::array<float, kAngles>& bins) {
  std::array<float, kAngles> result{};
  const auto at = [&](std::size_t i) { return bins[i % kAngles]; };
  for (std::size_t i = 0; i < kAngles; ++i) {
    const std::size_t j = i + kAngles;
    result[i] = (at(j - 2) + at(j + 2)) / 16 + (at(j - 1) + at(j + 1)) / 4 + at(j) * 3 / 8;
  }
  return result;
}

constexpr std::size_t kCells = 4;       // in each direction
constexpr std::size_t kDirections = 8;  // of each cell
constexpr std::size_t kSamplesOfCell = 4;
constexpr std::size_t kSamples = kCells * kSamplesOfCell;
constexpr float kCellSigmas = 3;  // the width of a cell

// The samples and one more on each side, for the differences.
using Patch = std::array<std::array<float, kSamples + 2>, kSamples + 2>;

// Between the four pixels around it; beyond the edge the plane goes on as it ended.
float value_at(const Plane& plane, float x, float y) {
  x = std::clamp(x, 0.0F, static_cast<float>(plane.width - 1));
  y = std::clamp(y, 0.0F, static_cast<float>(plane.height - 1));
  const auto left = static_cast<std::uint32_t>(x);
  const auto top = static_cast<std::uint32_t>(y);
  const float* upper = plane.row(top);
  const float* lower = plane.row(std::min(top + 1, plane.height - 1));
  const std::uint32_t right = std::min(left + 1, plane.width - 1);
  const float fx = x - static_cast<float>(left);
  const float fy = y - static_cast<float>(top);
  const float a = upper[left] + fx * (upper[right] - upper[left]);
  const float b = lower[left] + fx * (lower[right] - lower[left]);
  return a + fy * (b - a);
}

Patch patch_at(const PlaneSpot& spot, float turns) {
  const auto [sine, cosine] = portable_sine_cosine(2 * std::numbers::pi * double{turns});
  const float spacing = spot.sigma * kCellSigmas / static_cast<float>(kSamplesOfCell);
  const float along_x = static_cast<float>(cosine) * spacing;
  const float along_y = static_cast<float>(sine) * spacing;
  Patch patch;
  for (std::size_t j = 0; j < patch.size(); ++j) {
    const float v = static_cast<float>(j) - static_cast<float>(kSamples + 1) / 2;
    for (std::size_t i = 0; i < patch.size(); ++i) {
      const float u = static_cast<float>(i) - static_cast<float>(kSamples + 1) / 2;
      patch[j][i] = value_at(spot.plane, spot.x + (u * along_x - v * along_y),
                             spot.y + (u * along_y + v * along_x));
    }
  }
  return patch;
}

// How a sample is shared by the two cells it lies between, and how much it counts.
struct Share {
  std::size_t cell = 0;  // the first of the two
  float first = 0;       // 0 if that cell does not exist
  float second = 0;
  float weight = 0;
};

const std::array<Share, kSamples>& shares() {
  static const auto all = [] {
    std::array<Share, kSamples> made;
    for (std::size_t i = 0; i < kSamples; ++i) {
      const double at = (static_cast<double>(i) + 0.5) / kSamplesOfCell - 0.5;
      const auto cell = static_cast<std::ptrdiff_t>(std::floor(at));
      const double part = at - static_cast<double>(cell);
      const double u = (static_cast<double>(i) + 0.5) / kSamples * 2 - 1;  // -1 to 1
      made[i].weight = static_cast<float>(portable_exp(-u * u / 2));
      made[i].cell = static_cast<std::size_t>(std::max<std::ptrdiff_t>(cell, 0));
      made[i].first = cell < 0 ? static_cast<float>(part) : static_cast<float>(1 - part);
      made[i].second = cell < 0 ? 0 : static_cast<float>(part);
      if (cell + 1 == static_cast<std::ptrdiff_t>(kCells)) made[i].second = 0;
    }
    return made;
  }();
  return all;
}

using Histogram = std::array<float, kCells * kCells * kDirections>;

Histogram histogram_of(const Patch& patch) {
  // One cell more in each direction takes what falls beside the last.
  std::array<std::array<Directions<kDirections>, kCells + 1>, kCells + 1> cells{};
  for (std::size_t j = 0; j < kSamples; ++j) {
    const Share& down = shares()[j];
    for (std::size_t i = 0; i < kSamples; ++i) {
      const Share& along = shares()[i];
      const float gx = patch[j + 1][i + 2] - patch[j + 1][i];
      const float gy = patch[j + 2][i + 1] - patch[j][i + 1];
      const float turns = portable_turns(gy, gx);
      const float size = std::sqrt(gx * gx + gy * gy) * (down.weight * along.weight);
      auto& upper = cells[down.cell];
      auto& lower = cells[down.cell + 1];
      upper[along.cell].add(turns, size * (down.first * along.first));
      upper[along.cell + 1].add(turns, size * (down.first * along.second));
      lower[along.cell].add(turns, size * (down.second * along.first));
      lower[along.cell + 1].add(turns, size * (down.second * along.second));
    }
  }
  Histogram histogram;
  auto out = histogram.begin();
  for (std::size_t j = 0; j < kCells; ++j) {
    for (std::size_t i = 0; i < kCells; ++i) out = std::ranges::copy(cells[j][i].bins, out).out;
  }
  return histogram;
}

void scale_to_length_one(Histogram& histogram) {
  float sum = 0;
  for (const float value : histogram) sum += value * value;
  if (!(sum > 0)) return;
  const float factor = 1 / std::sqrt(sum);
  for (float& value : histogram) value *= factor;
}

}  // namespace

std::vector<float> orientations_at(const PlaneSpot& spot) {
  constexpr float kShare = 0.8F;
  const auto bins = smoothed(gradients_around(spot).bins);
  const float least = kShare * *std::ranges::max_element(bins);
  std::vector<float> found;
  for (std::size_t i = 0; i < kAngles; ++i) {
    const float before = bins[(i + kAngles - 1) % kAngles];
    const float after = bins[(i + 1) % kAngles];
    if (bins[i] < least || bins[i] < before || !(bins[i] > after)) continue;
    // The top of the parabola through the three.
    const float offset = (before - after) / (2 * (before - 2 * bins[i] + after));
    float turns = (static_cast<float>(i) + offset) / static_cast<float>(kAngles);
    if (turns < 0) turns += 1;
    found.push_back(turns < 1 ? turns : 0);
  }
  std::ranges::sort(found);
  return found;
}

SiftDescriptor descriptor_at(const PlaneSpot& spot, float turns, DescriptorKind kind) {
  constexpr float kMost = 0.2F;
  constexpr float kUnit = 512;  // entries above a half are rare
  Histogram histogram = histogram_of(patch_at(spot, turns));
  scale_to_length_one(histogram);
  for (float& value : histogram) value = std::min(value, kMost);
  if (kind == DescriptorKind::kSift) {
    scale_to_length_one(histogram);
  } else {
    float sum = 0;
    for (const float value : histogram) sum += value;
    if (sum > 0) {
      for (float& value : histogram) value = std::sqrt(value / sum);
    }
  }
  SiftDescriptor descriptor;
  std::ranges::transform(histogram, descriptor.begin(), [](float value) {
    return static_cast<std::uint8_t>(std::min(value * kUnit + 0.5F, 255.0F));
  });
  return descriptor;
}

SiftDescriptor mirrored(const SiftDescriptor& descriptor) {
  // The orientation a becomes 1/2 - a turns.  Seen along it, what was a quarter turn to one side is
  // now on the other: rows and directions turn round, columns stay.
  SiftDescriptor result;
  for (std::size_t row = 0; row < kCells; ++row) {
    for (std::size_t column = 0; column < kCells; ++column) {
      for (std::size_t i = 0; i < kDirections; ++i) {
        result[((kCells - 1 - row) * kCells + column) * kDirections +
               (kDirections - i) % kDirections] =
            descriptor[(row * kCells + column) * kDirections + i];
      }
    }
  }
  return result;
}

}  // namespace twinsift
