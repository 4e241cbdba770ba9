// SPDX-License-Identifier: Apache-2.0
#include "sketch/hoph.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <charconv>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/hash.h"
#include "sketch/set_sketch.h"

namespace twinsift {
namespace {

__extension__ using u128 = unsigned __int128;
constexpr u128 kUniverse = static_cast<u128>(1) << 64U;
constexpr std::uint64_t kSmallestGroup = std::uint64_t{1} << 32U;
constexpr std::uint32_t kMaxGroups = 32;

// Lengths of the groups in points of 2^64.  What a group does not take is left to the next, and all
// of it to the last, so that they always fill the universe.
std::vector<u128> lengths_of(const HophShape& shape) {
  std::vector<u128> lengths;
  u128 left = kUniverse;
  for (std::uint32_t j = 1; j < shape.groups; ++j) {
    const u128 next = left * shape.b / (shape.a + shape.b);
    lengths.push_back(left - next);
    left = next;
  }
  lengths.push_back(left);
  return lengths;
}

// The f for which `empty` bins are expected to be left empty: as for OPH, but with bins of several
// sizes the equation has no closed solution.
double elements_for_empty(double empty, std::span<const double> weights, double bins) {
  if (empty <= 0) return std::numeric_limits<double>::infinity();
  const auto expected = [&](double f) {
    double sum = 0;
    for (const double w : weights) sum += bins * std::exp(f * std::log1p(-w / bins));
    return sum;
  };
  double low = 0;
  double high = 1;
  while (expected(high) > empty && high < 0x1p64) high *= 2;
  for (int i = 0; i < 40; ++i) {
    const double middle = (low + high) / 2;
    (expected(middle) > empty ? low : high) = middle;
  }
  return high;
}

// "2:1"; both parts from 1 to 1000.
bool parse_ratio(std::string_view text, HophShape& shape) {
  const auto read = [](std::string_view digits, std::uint32_t& part) {
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), part);
    return error == std::errc() && end == digits.data() + digits.size() && part >= 1 &&
           part <= 1000;
  };
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return false;
  return read(text.substr(0, colon), shape.a) && read(text.substr(colon + 1), shape.b);
}

}  // namespace

std::vector<double> hoph_weights(const HophShape& shape) {
  std::vector<double> weights;
  for (const u128 length : lengths_of(shape)) {
    weights.push_back(static_cast<double>(length) * 0x1p-64);
  }
  return weights;
}

bool HophPartition::fits(const HophShape& shape) {
  return std::ranges::min(lengths_of(shape)) >= kSmallestGroup;
}

HophPartition::HophPartition(const HophShape& shape) : bins_(shape.bins) {
  assert(fits(shape));
  u128 start = 0;
  for (const u128 length : lengths_of(shape)) {
    // Scaled by a power of two the length lies in (2^63, 2^64], and 2^64 / length in [1, 2).
    const auto shift =
        static_cast<unsigned>(std::countl_zero(static_cast<std::uint64_t>(length - 1)));
    const u128 scaled = length << shift;
    // 2^128 does not fit, but 2^128 - scaled does, and takes the leading 1 off.
    const u128 rest = (u128{0} - (scaled << 64U)) / scaled;
    starts_.push_back(static_cast<std::uint64_t>(start));
    scales_.push_back({.shift = shift, .rest = static_cast<std::uint64_t>(rest)});
    start += length;
  }
}

void HophPartition::throw_permuted(std::span<const std::uint64_t> permuted,
                                   std::span<std::uint64_t> bins) const {
  assert(bins.size() == starts_.size() * bins_);
  for (const std::uint64_t h : permuted) {
    std::size_t group = 0;
    for (std::size_t j = 1; j < starts_.size(); ++j) group += h >= starts_[j] ? 1U : 0U;
    const std::uint64_t x = (h - starts_[group]) << scales_[group].shift;
    const u128 more = (static_cast<u128>(x) * scales_[group].rest) >> 64U;
    const std::uint64_t offset = x + static_cast<std::uint64_t>(more);
    twinsift::throw_permuted({&offset, 1}, bins.subspan(group * bins_, bins_));
  }
}

std::vector<BinCounts> count_groups(std::span<const std::uint64_t> a,
                                    std::span<const std::uint64_t> b, std::uint32_t groups) {
  const std::size_t bins = a.size() / groups;
  std::vector<BinCounts> counts;
  for (std::size_t i = 0; i < a.size(); i += bins) {
    counts.push_back(count_bins(a.subspan(i, bins), b.subspan(i, bins)));
  }
  return counts;
}

Estimate estimate_groups(std::span<const BinCounts> counts, const HophShape& shape,
                         HophEstimate how) {
  assert(counts.size() == shape.groups);
  const std::vector<double> weights = hoph_weights(shape);
  double matched = 0;
  double total = 0;
  double squares = 0;
  double full = 0;
  for (std::size_t j = 0; j < counts.size(); ++j) {
    const double m = counts[j].bins - counts[j].both_empty;
    if (m == 0) continue;
    // Pooling weighs each group by the bins that it has.
    const double weight = how == HophEstimate::kPaper ? weights[j] : m;
    matched += weight * counts[j].matched / m;
    squares += weight * weight / m;
    total += weight;
    full += m;
  }
  if (full == 0) return {.value = 1, .std_error = 0};  // two empty sets are equal
  const double j = matched / total;
  const double k = static_cast<double>(shape.bins) * shape.groups;
  const double f = std::max(full, elements_for_empty(k - full, weights, shape.bins));
  return {.value = j, .std_error = std::sqrt(match_variance(j, squares / total / total, f))};
}

HophSketcher::HophSketcher(const HophShape& shape, HophEstimate how, std::uint64_t seed)
    : shape_(shape), partition_(shape), how_(how), seed_(seed) {
  assert(k() > 0 && k() <= 65536);
}

std::string HophSketcher::spec() const {
  return fmt::format("hoph1:ratio={}:{},groups={},estimate={},k={},seed={}", shape_.a, shape_.b,
                     shape_.groups, how_ == HophEstimate::kPaper ? "paper" : "pooled", k(), seed_);
}

void HophSketcher::sketch_ids(std::span<const std::uint64_t> ids,
                              std::span<std::uint64_t> out) const {
  assert(!ids.empty() && out.size() == k());
  std::ranges::fill(out, kEmptyBin);
  const std::uint64_t key = seed_key(seed_, 0);
  std::array<std::uint64_t, 64> permuted;
  while (!ids.empty()) {
    const std::size_t count = std::min(ids.size(), permuted.size());
    std::ranges::transform(ids.first(count), permuted.begin(),
                           [key](std::uint64_t x) { return permute64(x, key); });
    partition_.throw_permuted(std::span(permuted).first(count), out);
    ids = ids.subspan(count);
  }
}

Result<Sketch> HophSketcher::sketch(const Feature& feature) const {
  return sketch_token_set(*this, feature);
}

Estimate HophSketcher::similarity(const Sketch& a, const Sketch& b) const {
  if (a.empty() || b.empty()) return estimate_by_matches(a, b);
  return estimate_groups(count_groups(a, b, shape_.groups), shape_, how_);
}

Result<Sketch> HophSketcher::merge(const Sketch& a, const Sketch& b) const {
  return componentwise_minimum(a, b);
}

Result<std::unique_ptr<Sketcher>> make_hoph(const SketchSpec& spec) {
  HophShape shape;
  if (!parse_ratio(spec.text("ratio", "1:1"), shape)) {
    return spec.error("ratio is two numbers from 1 to 1000, as in ratio=2:1");
  }
  const std::string_view how = spec.text("estimate", "paper");
  if (how != "paper" && how != "pooled") return spec.error("estimate is paper or pooled");
  TWINSIFT_TRY(const std::uint64_t groups,
               spec.number("groups", {.fallback = 8, .low = 1, .high = kMaxGroups}));
  TWINSIFT_TRY(const std::uint64_t k, spec.number("k", kComponents));
  TWINSIFT_TRY(const std::uint64_t seed, spec.number("seed", {}));
  if (k % groups != 0)
    return spec.error(fmt::format("k={} is no multiple of groups={}", k, groups));
  shape.groups = static_cast<std::uint32_t>(groups);
  shape.bins = static_cast<std::uint32_t>(k / groups);
  if (!HophPartition::fits(shape))
    return spec.error("its last group is too small; use fewer groups");
  const auto estimate = how == "paper" ? HophEstimate::kPaper : HophEstimate::kPooled;
  return std::unique_ptr<Sketcher>(std::make_unique<HophSketcher>(shape, estimate, seed));
}

}  // namespace twinsift
