// SPDX-License-Identifier: Apache-2.0
#include "index/hamming.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "base/random.h"
#include "index/code_tables.h"
#include "tune/lsh_plan.h"

namespace twinsift {
namespace {

constexpr std::uint32_t kMaxBits = 64;     // of a key
constexpr unsigned kCodeAddressBits = 20;  // keys of more bits are hashed
constexpr std::string_view kThetas[] = {"median", "random", "zero"};

std::vector<float> medians(const VectorRows& rows) {
  std::vector<float> theta(rows.dimension);
  std::vector<float> column(rows.size());
  for (std::size_t i = 0; i < rows.dimension; ++i) {
    for (std::size_t j = 0; j < rows.size(); ++j) column[j] = rows[j][i];
    // The lower of two middle ones, so that "above" is half of an even number.
    const auto middle = column.begin() + static_cast<std::ptrdiff_t>((column.size() - 1) / 2);
    std::nth_element(column.begin(), middle, column.end());
    theta[i] = *middle;
  }
  return theta;
}

std::vector<float> between(const VectorRows& rows, std::uint64_t seed) {
  Rng rng(seed_key(seed, UINT32_MAX));
  std::vector<float> theta(rows.dimension);
  for (std::size_t i = 0; i < rows.dimension; ++i) {
    double low = rows[0][i];
    double high = low;
    for (std::size_t j = 1; j < rows.size(); ++j) {
      low = std::min<double>(low, rows[j][i]);
      high = std::max<double>(high, rows[j][i]);
    }
    theta[i] = static_cast<float>(low + rng.uniform() * (high - low));
  }
  return theta;
}

class HammingFamily final : public VectorFamily {
 public:
  struct Parameters {
    std::uint32_t v;
    std::uint32_t l;
    std::size_t theta;  // in kThetas
    std::uint64_t seed;
  };
  HammingFamily(const Parameters& parameters, const VectorRows& training)
      : parameters_(parameters), theta_(training.dimension) {
    if (parameters.theta == 0) theta_ = medians(training);
    if (parameters.theta == 1) theta_ = between(training, parameters.seed);
    coordinates_ = draw_coordinates(static_cast<std::uint32_t>(training.dimension), parameters.v,
                                    parameters.l, parameters.seed);
  }

  [[nodiscard]] std::string parameters() const override {
    return fmt::format("v={},l={},theta={},seed={}", parameters_.v, parameters_.l,
                       kThetas[parameters_.theta], parameters_.seed);
  }
  [[nodiscard]] std::uint32_t tables() const override { return parameters_.l; }

  [[nodiscard]] std::uint64_t key(VectorView vector, std::uint32_t table) const override {
    std::uint64_t key = 0;
    std::uint64_t bit = 1;
    for (const std::uint32_t i : coordinates_[table]) {
      if (vector[i] > theta_[i]) key |= bit;
      bit <<= 1U;
    }
    return key;
  }

  std::uint64_t key(VectorView vector, std::uint32_t table, Cells& cells,
                    std::vector<Move>& moves) const override {
    const std::uint64_t home = key(vector, table);
    cells.clear();
    moves.clear();
    for (std::uint32_t b = 0; b < parameters_.v; ++b) {
      const std::uint32_t i = coordinates_[table][b];
      const double margin = double{vector[i]} - double{theta_[i]};
      const std::uint64_t bit = std::uint64_t{1} << b;
      cells.push_back((home & bit) != 0 ? 1 : 0);
      moves.push_back({margin * margin, b, (home & bit) != 0 ? std::uint64_t{0} - bit : bit});
    }
    return home;
  }

 private:
  Parameters parameters_;
  std::vector<float> theta_;
  std::vector<std::vector<std::uint32_t>> coordinates_;
};

}  // namespace

std::vector<std::vector<std::uint32_t>> draw_coordinates(std::uint32_t dimension, std::uint32_t v,
                                                         std::uint32_t l, std::uint64_t seed) {
  std::vector<std::vector<std::uint32_t>> tables;
  std::vector<std::uint32_t> cards(dimension);
  for (std::uint32_t t = 0; t < l; ++t) {
    Rng rng(seed_key(seed, t));
    std::iota(cards.begin(), cards.end(), 0U);
    for (std::uint32_t i = 0; i < v; ++i) std::swap(cards[i], cards[i + rng.below(dimension - i)]);
    tables.emplace_back(cards.begin(), cards.begin() + v);
    std::ranges::sort(tables.back());
  }
  return tables;
}

Result<std::unique_ptr<VectorFamily>> make_hamming_family(const IndexSpec& spec,
                                                          const VectorRows& training) {
  const auto most = std::min<std::uint64_t>(kMaxBits, training.dimension);
  TWINSIFT_TRY(const auto v, spec.number("v", std::min<std::uint64_t>(16, most), 1, most));
  TWINSIFT_TRY(const auto l, spec.number("l", 10, 1, kMaxTables));
  TWINSIFT_TRY(const auto theta, spec.choice("theta", {kThetas[0], kThetas[1], kThetas[2]}));
  TWINSIFT_TRY(const auto seed, spec.number("seed", 0, 0, UINT64_MAX));
  if (theta != 2 && training.size() == 0) {
    return spec.error("thresholds are learned from vectors, and there are none");
  }
  return std::unique_ptr<VectorFamily>(std::make_unique<HammingFamily>(
      HammingFamily::Parameters{static_cast<std::uint32_t>(v), static_cast<std::uint32_t>(l), theta,
                                seed},
      training));
}

Result<std::unique_ptr<CodeIndex>> make_hamming_codes(std::string_view text) {
  TWINSIFT_TRY(const IndexSpec spec, IndexSpec::parse(text, {"bits", "v", "l", "seed"}));
  TWINSIFT_TRY(const auto bits, spec.number("bits", 256, 64, 512));
  if (bits % 64 != 0) return spec.error("bits is a multiple of 64");
  const auto dimension = static_cast<std::uint32_t>(bits);
  TWINSIFT_TRY(const LshPlan plan,
               choose_coordinates({.bits = dimension, .radius = dimension / 8 - 1}));
  TWINSIFT_TRY(const auto v, spec.number("v", plan.v, 1, kMaxBits));
  TWINSIFT_TRY(const auto l, spec.number("l", plan.l, 1, kMaxTables));
  TWINSIFT_TRY(const auto seed, spec.number("seed", 0, 0, UINT64_MAX));
  CodeTables::Layout layout{
      .spec = fmt::format("hamming1:bits={},v={},l={},seed={}", bits, v, l, seed),
      .words = dimension / 64,
      .radius = dimension,
      .address_bits = kCodeAddressBits};
  for (const auto& coordinates : draw_coordinates(dimension, static_cast<std::uint32_t>(v),
                                                  static_cast<std::uint32_t>(l), seed)) {
    BitSample sample{.masks = std::vector<std::uint64_t>(layout.words)};
    for (const std::uint32_t i : coordinates) sample.masks[i / 64] |= std::uint64_t{1} << (i % 64);
    layout.samples.push_back(std::move(sample));
  }
  return std::unique_ptr<CodeIndex>(std::make_unique<CodeTables>(std::move(layout)));
}

}  // namespace twinsift
