// SPDX-License-Identifier: Apache-2.0
#include "learn/k_means.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/parallel.h"
#include "base/random.h"

namespace twinsift {
namespace {

constexpr std::uint32_t kExact = 512;        // up to so many middles, all are looked at
constexpr std::size_t kSampleOfCluster = 8;  // points of the sample from which middles are chosen
constexpr unsigned kRoundsOfTree = 5;

using Descriptors = std::span<const SiftDescriptor>;

// `count` of 0..n-1, ascending.  Requires: count <= n.
std::vector<std::size_t> sample_of(std::size_t n, std::size_t count, Rng& rng) {
  std::vector<std::size_t> chosen;
  chosen.reserve(count);
  for (std::size_t i = 0; i < n && chosen.size() < count; ++i) {
    const double needed = static_cast<double>(count - chosen.size());
    if (rng.uniform() * static_cast<double>(n - i) < needed) chosen.push_back(i);
  }
  return chosen;
}

// k-means++ on a sample.
std::vector<SiftDescriptor> first_middles(Descriptors points, const KMeansOptions& options) {
  Rng rng(seed_key(options.seed, 0));
  const std::size_t count =
      std::min<std::size_t>(points.size(), kSampleOfCluster * options.clusters);
  const auto sample = sample_of(points.size(), count, rng);
  std::vector<std::uint32_t> distances(sample.size(), UINT32_MAX);
  std::vector<SiftDescriptor> middles;
  std::size_t next = rng.below(static_cast<std::uint32_t>(sample.size()));
  while (middles.size() < options.clusters && !options.stop.stop_requested()) {
    middles.push_back(points[sample[next]]);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < sample.size(); ++i) {
      distances[i] = std::min(distances[i], squared_distance(points[sample[i]], middles.back()));
      sum += distances[i];
    }
    if (sum == 0) break;  // there are no other points
    auto left = static_cast<std::uint64_t>(rng.uniform() * static_cast<double>(sum));
    next = 0;
    while (next + 1 < sample.size() && left >= distances[next]) left -= distances[next++];
  }
  return middles;
}

// The nearest middle of each point.
std::vector<NearestDescriptor> assign(Descriptors points, Descriptors middles,
                                      const KMeansOptions& options) {
  std::vector<NearestDescriptor> nearest(points.size());
  const auto each = [&](const auto& search) {
    constexpr std::size_t kBlock = 256;
    parallel_for((points.size() + kBlock - 1) / kBlock, options.threads, options.stop,
                 [&](std::size_t block, unsigned) {
                   const std::size_t end = std::min(points.size(), (block + 1) * kBlock);
                   for (std::size_t i = block * kBlock; i < end; ++i)
                     nearest[i] = search(points[i]);
                 });
  };
  if (middles.size() <= kExact) {
    each([&](const SiftDescriptor& point) { return nearest_descriptor(point, middles); });
    return nearest;
  }
  // The tree changes the order of the middles, but this round needs numbers only.
  const WordTree tree = make_word_tree(middles, options);
  each([&](const SiftDescriptor& point) { return tree.nearest(point); });
  return nearest;
}

std::vector<SiftDescriptor> means_of(Descriptors points,
                                     const std::vector<NearestDescriptor>& nearest,
                                     std::size_t clusters) {
  struct Sum {
    std::array<std::uint64_t, std::tuple_size_v<SiftDescriptor>> entries{};
    std::uint64_t count = 0;
  };
  std::vector<Sum> sums(clusters);
  for (std::size_t i = 0; i < points.size(); ++i) {
    Sum& sum = sums[nearest[i].index];
    ++sum.count;
    for (std::size_t j = 0; j < points[i].size(); ++j) sum.entries[j] += points[i][j];
  }
  // The farthest points, for clusters that have none.
  const auto empty = static_cast<std::size_t>(
      std::ranges::count_if(sums, [](const Sum& sum) { return sum.count == 0; }));
  std::vector<std::size_t> farthest(points.size());
  std::iota(farthest.begin(), farthest.end(), std::size_t{0});
  std::ranges::partial_sort(
      farthest, farthest.begin() + static_cast<std::ptrdiff_t>(empty), {},
      [&](std::size_t i) { return std::pair(UINT32_MAX - nearest[i].squared_distance, i); });
  auto spare = farthest.begin();
  std::vector<SiftDescriptor> middles(clusters);
  for (std::size_t i = 0; i < clusters; ++i) {
    const Sum& sum = sums[i];
    if (sum.count == 0) {
      middles[i] = points[*spare++];
      continue;
    }
    std::ranges::transform(sum.entries, middles[i].begin(), [&](std::uint64_t entry) {
      return static_cast<std::uint8_t>((entry + sum.count / 2) / sum.count);
    });
  }
  return middles;
}

}  // namespace

KMeans k_means(std::span<const SiftDescriptor> points, const KMeansOptions& options) {
  assert(!points.empty() && options.clusters > 0);
  KMeans result{.middles = first_middles(points, options), .mean_squared_distance = 0};
  for (unsigned round = 0; round < options.rounds && !options.stop.stop_requested(); ++round) {
    if (options.progress) options.progress(round);
    const auto nearest = assign(points, result.middles, options);
    if (options.stop.stop_requested()) break;
    std::uint64_t sum = 0;
    for (const auto& one : nearest) sum += one.squared_distance;
    result.mean_squared_distance = static_cast<double>(sum) / static_cast<double>(points.size());
    result.middles = means_of(points, nearest, result.middles.size());
  }
  return result;
}

WordTree make_word_tree(std::span<const SiftDescriptor> words, const KMeansOptions& options) {
  KMeansOptions coarse = options;
  coarse.clusters =
      static_cast<std::uint32_t>(std::lround(std::sqrt(static_cast<double>(words.size()))));
  coarse.rounds = kRoundsOfTree;
  coarse.progress = nullptr;
  const auto middles = k_means(words, coarse).middles;
  std::vector<std::vector<std::uint32_t>> cells(middles.size());
  for (std::uint32_t i = 0; i < words.size(); ++i) {
    cells[nearest_descriptor(words[i], middles).index].push_back(i);
  }
  WordTree tree;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].empty()) continue;
    for (const std::uint32_t word : cells[i]) tree.words.push_back(words[word]);
    tree.middles.push_back(middles[i]);
    tree.ends.push_back(static_cast<std::uint32_t>(tree.words.size()));
  }
  return tree;
}

}  // namespace twinsift
