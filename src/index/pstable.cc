// SPDX-License-Identifier: Apache-2.0
#include "index/pstable.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/normal.h"
#include "base/random.h"
#include "tune/lsh_plan.h"

namespace twinsift {
namespace {

constexpr std::uint32_t kMaxV = 64;
constexpr double kFarthest = 0x1p52;  // cells beyond have no exact number

double dot(const float* w, VectorView x) {
  double lanes[4] = {};  // a fixed order of summation that still runs four at a time
  std::size_t i = 0;
  for (; i + 4 <= x.size(); i += 4) {
    for (std::size_t j = 0; j < 4; ++j) lanes[j] += double{w[i + j]} * double{x[i + j]};
  }
  for (; i < x.size(); ++i) lanes[0] += double{w[i]} * double{x[i]};
  return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

class PstableFamily final : public VectorFamily {
 public:
  struct Parameters {
    std::uint32_t v;
    std::uint32_t l;
    double r;
    std::uint64_t seed;
  };
  PstableFamily(const Parameters& parameters, std::size_t dimension)
      : parameters_(parameters), dimension_(dimension) {
    const std::uint32_t functions = parameters.v * parameters.l;
    weights_.reserve(functions * dimension);
    for (std::uint32_t f = 0; f < functions; ++f) {
      Rng rng(seed_key(parameters.seed, f));
      for (std::size_t i = 0; i < dimension; ++i) {
        weights_.push_back(static_cast<float>(normal(rng)));
      }
      offsets_.push_back(rng.uniform());
      factors_.push_back(rng.next() | 1U);
    }
  }

  [[nodiscard]] std::string parameters() const override {
    return fmt::format("v={},l={},r={},seed={}", parameters_.v, parameters_.l, parameters_.r,
                       parameters_.seed);
  }
  [[nodiscard]] std::uint32_t tables() const override { return parameters_.l; }

  [[nodiscard]] std::uint64_t key(VectorView vector, std::uint32_t table) const override {
    std::uint64_t key = 0;
    for (std::uint32_t i = 0; i < parameters_.v; ++i) {
      const std::uint32_t f = table * parameters_.v + i;
      key += number_of(std::floor(project(f, vector))) * factors_[f];
    }
    return key;
  }

  std::uint64_t key(VectorView vector, std::uint32_t table, Cells& cells,
                    std::vector<Move>& moves) const override {
    std::uint64_t key = 0;
    cells.clear();
    moves.clear();
    for (std::uint32_t i = 0; i < parameters_.v; ++i) {
      const std::uint32_t f = table * parameters_.v + i;
      const double place = project(f, vector);
      const double cell = std::floor(place);
      const double below = place - cell;  // to the lower border, in cells
      cells.push_back(static_cast<std::int64_t>(number_of(cell)));
      key += number_of(cell) * factors_[f];
      moves.push_back({below * below, i, std::uint64_t{0} - factors_[f]});
      moves.push_back({(1 - below) * (1 - below), i, factors_[f]});
    }
    return key;
  }

 private:
  [[nodiscard]] double project(std::uint32_t f, VectorView vector) const {
    return dot(weights_.data() + f * dimension_, vector) / parameters_.r + offsets_[f];
  }
  static std::uint64_t number_of(double cell) {
    return static_cast<std::uint64_t>(
        static_cast<std::int64_t>(std::clamp(cell, -kFarthest, kFarthest)));
  }

  Parameters parameters_;
  std::size_t dimension_;
  std::vector<float> weights_;          // of function 0, then of function 1, ...
  std::vector<double> offsets_;         // b / r
  std::vector<std::uint64_t> factors_;  // odd
};

}  // namespace

Result<std::unique_ptr<VectorFamily>> make_pstable_family(const IndexSpec& spec,
                                                          const VectorRows& training) {
  TWINSIFT_TRY(const auto v, spec.number("v", 8, 1, kMaxV));
  TWINSIFT_TRY(const auto l, spec.number("l", 20, 1, kMaxTables));
  TWINSIFT_TRY(const double r, spec.real("r", 4));
  TWINSIFT_TRY(const auto seed, spec.number("seed", 0, 0, UINT64_MAX));
  return std::unique_ptr<VectorFamily>(std::make_unique<PstableFamily>(
      PstableFamily::Parameters{static_cast<std::uint32_t>(v), static_cast<std::uint32_t>(l), r,
                                seed},
      training.dimension));
}

}  // namespace twinsift
