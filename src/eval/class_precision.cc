// SPDX-License-Identifier: Apache-2.0
#include "eval/class_precision.h"

#include <algorithm>
#include <cassert>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>

#include "base/bit_code.h"
#include "base/matrix.h"
#include "base/parallel.h"

namespace twinsift {
namespace {

// How many pictures are at a distance, and how many of these are right.
struct Tie {
  std::uint32_t all = 0;
  std::uint32_t right = 0;
};

PrecisionCurve curve_of(std::span<const Tie> ties) {
  PrecisionCurve curve{};
  std::size_t k = 0;
  double before = 0;  // pictures and right ones at smaller distances
  double right = 0;
  for (const Tie& tie : ties) {
    while (k < kReturned.size() && double(kReturned[k]) <= before + tie.all && tie.all > 0) {
      const double wanted = double(kReturned[k]);
      curve[k++] = (right + tie.right * (wanted - before) / tie.all) / wanted;
    }
    before += tie.all;
    right += tie.right;
  }
  for (; k < kReturned.size(); ++k) curve[k] = right / double(kReturned[k]);
  return curve;
}

void add(const PrecisionCurve& curve, double weight, PrecisionCurve& sum) {
  for (std::size_t i = 0; i < curve.size(); ++i) sum[i] += weight * curve[i];
}

// A vector and its place among those of a question; less is nearer.
struct Ranked {
  float distance;
  ItemId id;
  friend bool operator<(const Ranked& a, const Ranked& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.id < b.id;
  }
};

PrecisionCurve curve_of(std::vector<Ranked>& ranked, std::uint32_t label,
                        std::span<const std::uint32_t> stored) {
  const std::size_t count = std::min(kReturned.back(), ranked.size());
  std::partial_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(count),
                    ranked.end());
  std::vector<Tie> ties;
  for (std::size_t i = 0; i < count; ++i) {
    ties.push_back({1, stored[ranked[i].id] == label ? 1U : 0U});
  }
  return curve_of(ties);
}

}  // namespace

PrecisionCurve precision_of_codes(const ClassQuestions& classes,
                                  std::span<const std::uint64_t> stored,
                                  std::span<const std::uint64_t> asked, std::size_t words) {
  assert(stored.size() == classes.stored.size() * words);
  std::vector<PrecisionCurve> curves(classes.asked.size());
  parallel_for(classes.asked.size(), classes.threads, {}, [&](std::size_t q, unsigned) {
    std::vector<Tie> ties(64 * words + 1);
    for (std::size_t i = 0; i < classes.stored.size(); ++i) {
      Tie& tie =
          ties[hamming_distance(asked.subspan(q * words, words), stored.subspan(i * words, words))];
      ++tie.all;
      tie.right += classes.stored[i] == classes.asked[q] ? 1U : 0U;
    }
    curves[q] = curve_of(ties);
  });
  PrecisionCurve mean{};
  for (const PrecisionCurve& curve : curves) add(curve, 1.0 / double(curves.size()), mean);
  return mean;
}

Result<std::vector<VectorPrecision>> precision_of_vectors(
    const ClassQuestions& classes, const VectorRows& stored, const VectorRows& asked,
    std::span<const VectorIndex* const> indexes) {
  const std::size_t d = stored.dimension;
  const std::size_t n = stored.size();
  // Columns, so that a block of questions is a product of matrices.
  std::vector<float> columns(n * d);
  std::vector<float> squares(n);
  for (std::size_t i = 0; i < n; ++i) {
    const VectorView row = stored[i];
    for (std::size_t c = 0; c < d; ++c) columns[c * n + i] = row[c];
    squares[i] = std::inner_product(row.begin(), row.end(), row.begin(), 0.0F);
  }
  constexpr std::size_t kBlock = 32;
  const std::size_t blocks = (asked.size() + kBlock - 1) / kBlock;
  std::vector<std::vector<VectorPrecision>> of_questions(asked.size());
  std::mutex mutex;
  std::optional<Error> error;
  parallel_for(blocks, classes.threads, {}, [&](std::size_t block, unsigned) {
    const std::size_t begin = block * kBlock;
    const std::size_t count = std::min(kBlock, asked.size() - begin);
    std::vector<float> products(count * n);
    std::vector<std::int64_t> from;
    std::vector<std::int64_t> to;
    for (std::size_t q = 0; q < count; ++q) {
      from.push_back(static_cast<std::int64_t>((begin + q) * d));
      to.push_back(static_cast<std::int64_t>(q * n));
    }
    multiply(MatrixProduct<float>{.a = asked.values.data(),
                                  .a_rows = from,
                                  .b = columns.data(),
                                  .b_row = static_cast<std::int64_t>(n),
                                  .c = products.data(),
                                  .c_rows = to,
                                  .inner = d,
                                  .columns = n});
    std::vector<Ranked> ranked;
    std::vector<ItemId> ids(n);
    for (std::size_t q = 0; q < count; ++q) {
      // |x - y|^2 without |x|^2, which all have in common.
      const auto rank = [&](ItemId id) {
        ranked.push_back({squares[id] - 2 * products[q * n + id], id});
      };
      auto& mine = of_questions[begin + q];
      const auto take = [&] {
        mine.push_back(
            {curve_of(ranked, classes.asked[begin + q], classes.stored), double(ranked.size())});
        ranked.clear();
      };
      for (ItemId id = 0; id < n; ++id) rank(id);
      mine.reserve(indexes.size() + 1);
      take();
      mine.back().candidates = double(n);
      for (const VectorIndex* index : indexes) {
        const Status found = index->candidates(asked[begin + q], ids);
        if (!found) {
          const std::scoped_lock lock(mutex);
          error = found.error();
          return;
        }
        for (const ItemId id : ids) rank(id);
        take();
      }
    }
  });
  if (error) return *error;
  std::vector<VectorPrecision> means(indexes.size() + 1);
  for (const auto& mine : of_questions) {
    for (std::size_t i = 0; i < means.size(); ++i) {
      const double weight = 1.0 / double(asked.size());
      add(mine[i].curve, weight, means[i].curve);
      means[i].candidates += weight * mine[i].candidates;
    }
  }
  return means;
}

}  // namespace twinsift
