// SPDX-License-Identifier: Apache-2.0
// Indexes of vectors with hot spots: recall beside candidates, the mean of several seeds.
//
// 10,200 vectors: 14 hot spots of 50 to 250, the others in groups of four, as pictures of the
// same scene are.  A question is a new member of a group or hot spot; what it should find are the
// stored vectors within the radius.  The controls of any claim for load balancing are basic LSH,
// and basic LSH that also reads the next bucket.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/normal.h"
#include "base/random.h"
#include "bench/timing.h"
#include "index/vector_index.h"

namespace twinsift::bench {
namespace {

constexpr std::size_t kDimension = 64;
constexpr std::size_t kVectors = 10'200;
constexpr std::size_t kQuestions = 500;
constexpr int kHotSpots = 14;
constexpr std::uint64_t kSeeds = 5;
constexpr double kNoise = 0.25;  // of a component, around the centre; components spread by 1

struct Data {
  std::vector<float> items;
  std::vector<float> questions;
  std::vector<std::vector<ItemId>> truth;  // for each question
  [[nodiscard]] VectorRows rows() const { return {items, kDimension}; }
  [[nodiscard]] VectorView question(std::size_t i) const {
    return VectorRows{questions, kDimension}[i];
  }
};

void add_near(const std::vector<double>& centre, Rng& rng, std::vector<float>& out) {
  for (const double c : centre) out.push_back(static_cast<float>(c + kNoise * normal(rng)));
}

Data make_data(std::uint64_t seed) {
  Rng rng(seed);
  Data data;
  std::vector<std::vector<double>> centres;
  std::vector<std::uint32_t> centre_of;
  while (centre_of.size() < kVectors) {
    const bool hot = centres.size() < kHotSpots;
    auto& centre = centres.emplace_back(kDimension);
    for (double& c : centre) c = normal(rng);
    for (std::uint32_t n = hot ? 50 + rng.below(201) : 4; n > 0; --n) {
      centre_of.push_back(static_cast<std::uint32_t>(centres.size() - 1));
    }
  }
  centre_of.resize(kVectors);
  for (const std::uint32_t c : centre_of) add_near(centres[c], rng, data.items);
  // Twice the usual distance within a group: nearly all members, and nobody else.
  const double radius = 2 * kNoise * std::sqrt(2.0 * kDimension) / 1.5;
  for (std::size_t q = 0; q < kQuestions; ++q) {
    add_near(centres[centre_of[rng.below(kVectors)]], rng, data.questions);
    auto& ids = data.truth.emplace_back();
    for (std::size_t i = 0; i < kVectors; ++i) {
      if (squared_distance(data.question(q), data.rows()[i]) <= radius * radius) {
        ids.push_back(static_cast<ItemId>(i));
      }
    }
  }
  return data;
}

struct Figures {
  double recall = 0;  // the mean over the questions of the share that was found
  double candidates = 0;
  double microseconds = 0;
};

Result<Figures> measure(const std::string& spec, const Data& data) {
  TWINSIFT_TRY(const auto index, make_vector_index(spec, data.rows(), data.rows()));
  Figures figures;
  std::vector<ItemId> out;
  std::vector<ItemId> common;
  double asked = 0;
  for (std::size_t q = 0; q < kQuestions; ++q) {
    const double start = seconds(CLOCK_MONOTONIC);
    TWINSIFT_TRY([[maybe_unused]] const auto done, index->candidates(data.question(q), out));
    figures.microseconds += 1e6 * (seconds(CLOCK_MONOTONIC) - start) / kQuestions;
    figures.candidates += static_cast<double>(out.size()) / kQuestions;
    if (data.truth[q].empty()) continue;
    common.clear();
    std::ranges::set_intersection(out, data.truth[q], std::back_inserter(common));
    figures.recall +=
        static_cast<double>(common.size()) / static_cast<double>(data.truth[q].size());
    ++asked;
  }
  figures.recall /= asked;
  return figures;
}

struct Contestant {
  std::string name;
  std::string spec;  // without the seed
};

std::vector<Contestant> contestants(const std::string& family, const std::string& parameters) {
  const std::string rest = fmt::format("family={},{}", family, parameters);
  std::vector<Contestant> list = {
      {"basic", fmt::format("{}1:{}", family, parameters)},
      {"basic + next bucket", "balanced1:cap=none," + rest},
      {"load-balanced, cap=paper", "balanced1:cap=paper," + rest},
  };
  for (const std::string cap : {"8", "15", "auto"}) {
    list.push_back({"load-balanced, cap=" + cap, fmt::format("balanced1:cap={},{}", cap, rest)});
    list.push_back({"the same, recorded displacement",
                    fmt::format("balanced1:cap={},probe=recorded,{}", cap, rest)});
  }
  for (const std::string probes : {"1", "2", "4", "8", "16"}) {
    list.push_back(
        {"multi-probe, " + probes, fmt::format("multiprobe2:probes={},{}", probes, rest)});
  }
  for (const std::string gamma : {"1", "4", "16", "64", "1e9"}) {
    list.push_back({fmt::format("multi-probe, 4, gamma={}", gamma),
                    fmt::format("multiprobe2:probes=4,gamma={},{}", gamma, rest)});
  }
  return list;
}

// False if recorded displacement or multi-probe found less than basic LSH with some seed.
Result<bool> compare(const std::string& family, const std::string& parameters,
                     const std::vector<Data>& all) {
  fmt::print("\n### {}, {}\n\n", family, parameters);
  fmt::print("| index | recall | least of a seed | candidates | microseconds |\n");
  fmt::print("|---|--:|--:|--:|--:|\n");
  std::vector<double> basic;
  bool kept = true;
  for (const Contestant& one : contestants(family, parameters)) {
    Figures mean;
    double least = 1;
    for (std::uint64_t seed = 0; seed < all.size(); ++seed) {
      TWINSIFT_TRY(const Figures f, measure(fmt::format("{},seed={}", one.spec, seed), all[seed]));
      const auto n = static_cast<double>(all.size());
      mean.recall += f.recall / n;
      mean.candidates += f.candidates / n;
      mean.microseconds += f.microseconds / n;
      least = std::min(least, f.recall);
      if (one.name == "basic") basic.push_back(f.recall);
      const bool promises = one.name.find("recorded") != std::string::npos ||
                            one.name.find("multi-probe") != std::string::npos;
      kept &= !promises || f.recall >= basic[seed];
    }
    fmt::print("| {} | {:.4f} | {:.4f} | {:.1f} | {:.1f} |\n", one.name, mean.recall, least,
               mean.candidates, mean.microseconds);
  }
  return kept;
}

Result<bool> run(std::uint64_t first) {
  std::vector<Data> all;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) all.push_back(make_data(first + seed));
  std::size_t answers = 0;
  for (const auto& ids : all[0].truth) answers += ids.size();
  fmt::print(
      "## {} vectors of dimension {} with {} hot spots, {} questions, {} seeds\n\n"
      "{:.1f} answers a question; a scan has {} candidates.\n",
      kVectors, kDimension, kHotSpots, kQuestions, kSeeds,
      static_cast<double>(answers) / kQuestions, kVectors);
  bool kept = true;
  for (const auto& [family, parameters] :
       {std::pair{"hamming", "v=12,l=10"}, {"hamming", "v=16,l=10"}, {"pstable", "v=6,l=10,r=8"}}) {
    TWINSIFT_TRY(const bool good, compare(family, parameters, all));
    kept &= good;
  }
  return kept;
}

}  // namespace
}  // namespace twinsift::bench

int main(int argc, char** argv) {
  std::uint64_t first = 0;
  bool good = argc <= 2;
  if (argc == 2) {
    const std::string_view text = argv[1];
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), first);
    good = error == std::errc() && end == text.data() + text.size();
  }
  if (!good) {
    fmt::print(stderr, "usage: bench_vectors [FIRST SEED OF THE VECTORS]\n");
    return 2;
  }
  const auto kept = twinsift::bench::run(first);
  if (!kept) {
    fmt::print(stderr, "bench_vectors: {}\n", kept.error().message);
    return 2;
  }
  if (!*kept) fmt::print("\nSomething that basic LSH finds was lost.\n");
  return *kept ? 0 : 1;
}
