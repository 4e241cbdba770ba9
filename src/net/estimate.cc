// SPDX-License-Identifier: Apache-2.0
#include "net/estimate.h"

#include <algorithm>
#include <cassert>

#include "sketch/minhash.h"

namespace twinsift::net {
namespace {

constexpr std::size_t kMostShown = 2000;  // resources, all pairs of which are compared

double similarity(const ShownSet& a, const ShownSet& b) {
  std::size_t equal = 0;
  for (std::size_t i = 0; i < kShownHashes; ++i) equal += a[i] == b[i] ? 1U : 0U;
  return static_cast<double>(equal) / kShownHashes;
}

}  // namespace

double estimate_peers(std::span<const Neighbourhood> neighbourhoods) {
  double count = 0;
  double sum = 0;
  double seen = 1;
  for (const Neighbourhood& neighbourhood : neighbourhoods) {
    const std::size_t n = neighbourhood.nearest.size();
    seen = std::max(seen, static_cast<double>(n));
    if (n < 2) continue;
    double farthest = 0;
    for (const DhtKey& key : neighbourhood.nearest) {
      farthest = std::max(farthest, distance(neighbourhood.place, key));
    }
    count += static_cast<double>(n);
    sum += farthest;
  }
  return sum > 0 ? std::max(seen, (count - 1) / sum) : seen;
}

PondLoad estimate_load(double peers, std::span<const PeerReport> sample) {
  assert(!sample.empty());
  PondLoad load{.peers = peers};
  double searches = 0;
  double found = 0;
  for (const PeerReport& report : sample) {
    load.resources_per_peer += report.resources / static_cast<double>(sample.size());
    searches += report.searches;
    found += report.searches * report.duplicates;
  }
  load.searches = searches / static_cast<double>(sample.size()) * peers;
  load.duplicates_per_search = searches > 0 ? found / searches : 0;
  return load;
}

std::vector<WeightedSimilarity> estimate_similarities(std::span<const PeerReport> sample) {
  std::vector<ShownSet> shown;
  for (const PeerReport& report : sample) {
    shown.insert(shown.end(), report.shown.begin(), report.shown.end());
  }
  if (shown.size() > kMostShown) shown.resize(kMostShown);
  std::array<double, kShownHashes + 1> bins{};
  for (std::size_t i = 0; i < shown.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      ++bins[static_cast<std::size_t>(similarity(shown[i], shown[j]) * kShownHashes)];
    }
  }
  std::vector<WeightedSimilarity> law;
  for (std::size_t i = 0; i < bins.size() && shown.size() >= 2; ++i) {
    if (bins[i] > 0) law.push_back({static_cast<double>(i) / kShownHashes, bins[i]});
  }
  return law;
}

ShownSet show_set(std::span<const std::uint64_t> set, std::uint64_t seed) {
  const MinHashSketcher sketcher(kShownHashes, seed);
  Sketch minima(kShownHashes);
  sketcher.sketch_ids(set, minima);
  ShownSet shown{};
  std::ranges::transform(minima, shown.begin(),
                         [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 16U); });
  return shown;
}

}  // namespace twinsift::net
