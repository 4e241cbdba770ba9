// SPDX-License-Identifier: Apache-2.0
#include "verify/block_agreement.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace twinsift {
namespace {

constexpr double kHalfContent = 9;      // variance, in grey levels squared, that counts by half
constexpr double kForgiven = 0.25;      // share of the content that may disagree
constexpr double kShareOfAll = 0.1;     // of q, that even forgiven blocks have a say in
constexpr double kFewBlocks = 4;        // of content: a disagreement counts twice
constexpr double kLeastOfABlock = 0.5;  // of its pixels must lie in both pictures

struct Agreement {
  double correlation = 0;
  double content = 0;
};

// Which q is which score: unrelated pictures stay below the first knot, other photographs of the
// same thing below the second.
struct Knot {
  double q, score;
};
constexpr std::array<Knot, 4> kCalibration = {{{0, 0}, {0.80, 0.5}, {0.93, 0.8}, {1, 1}}};

double calibrated(double q) {
  q = std::clamp(q, 0.0, 1.0);
  std::size_t i = 1;
  while (q > kCalibration[i].q) ++i;
  const Knot& low = kCalibration[i - 1];
  const Knot& high = kCalibration[i];
  return low.score + (high.score - low.score) * ((q - low.q) / (high.q - low.q));
}

}  // namespace

BlockWeights agreeing(const BlockMoments& blocks) {
  constexpr double kLeast = 0.05;
  BlockWeights weights{};
  for (std::size_t i = 0; i < blocks.size(); ++i)
    weights[i] = static_cast<float>(std::max(kLeast, blocks[i].correlation()));
  return weights;
}

double block_score(const BlockMoments& blocks, double inside) {
  constexpr double kPixels = double{Plane::kMaxSide / kBlocks} * (Plane::kMaxSide / kBlocks);
  std::array<Agreement, std::size_t{kBlocks} * kBlocks> found{};
  std::size_t count = 0;
  double content = 0;      // that both have
  double any_content = 0;  // that either has
  double of_all = 0;
  for (const Moments& block : blocks) {
    if (block.n < kLeastOfABlock * kPixels) continue;
    const double first = block.first_variance() / (block.first_variance() + kHalfContent);
    const double second = block.second_variance() / (block.second_variance() + kHalfContent);
    const double both = std::sqrt(std::max(0.0, first * second));
    const double correlation = block.correlation();
    found[count++] = {correlation, both};
    content += both;
    any_content += std::max(first, second);
    of_all += std::max(first, second) * std::max(0.0, correlation);
  }
  if (!(content > 0) || !(inside > 0)) return 0;
  std::sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count),
            [](const Agreement& a, const Agreement& b) {
              return a.correlation != b.correlation ? a.correlation < b.correlation
                                                    : a.content < b.content;
            });
  double passed = 0;
  double kept = 0;
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double forgiven = std::clamp(kForgiven * content - passed, 0.0, found[i].content);
    passed += found[i].content;
    kept += found[i].content - forgiven;
    sum += (found[i].content - forgiven) * found[i].correlation;
  }
  const double q = (1 - kShareOfAll) * (sum / kept) + kShareOfAll * (of_all / any_content);
  return calibrated(1 - (1 - q) * (1 + kFewBlocks / content) / (inside * inside));
}

}  // namespace twinsift
