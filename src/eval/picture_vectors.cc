// SPDX-License-Identifier: Apache-2.0
#include "eval/picture_vectors.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/parallel.h"
#include "base/random.h"
#include "eval/picture_sets.h"
#include "eval/pictures.h"
#include "feature/shrink.h"
#include "feature/square.h"
#include "feature/visual_words.h"

namespace twinsift {
namespace {

struct Group {
  std::uint32_t members;  // the picture itself is the first
  Alteration (*alteration)(Rng&);
  VersionVectors* vectors;
};

VersionVectors named(const char* what, const HashModel* model) {
  return {.gist = {.name = fmt::format("GIST of {}", what), .dimension = kGist320Size},
          .bags = {.name = fmt::format("bags of visual words of {}", what), .dimension = kBagBins},
          .learned = {.name = fmt::format("learned features of {}", what),
                      .dimension = model == nullptr ? 0 : model->shape().features}};
}

// Versions are made side by side, each with random numbers of its own.
void add_group(const GreyView& picture, const GistBank& bank, const HashModel* model,
               std::uint64_t key, const Group& group, std::uint32_t number) {
  const auto add = [&](std::size_t dimension, VectorSet& set) {
    const std::size_t before = set.values.size();
    set.values.resize(before + group.members * dimension);
    set.groups.insert(set.groups.end(), group.members, number);
    return set.values.begin() + static_cast<std::ptrdiff_t>(before);
  };
  const auto gists = add(kGist320Size, group.vectors->gist);
  const auto bags = add(kBagBins, group.vectors->bags);
  const std::size_t width = group.vectors->learned.dimension;
  const auto learned = add(width, group.vectors->learned);
  const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  parallel_for(group.members, threads, {}, [&](std::size_t m, unsigned) {
    Rng rng(seed_key(key, m));
    const Alteration change = m == 0 ? Alteration{} : group.alteration(rng);
    const GreyImage version = altered(picture, change, rng);
    const auto place = static_cast<std::ptrdiff_t>(m);
    std::ranges::copy(bank.gist_of(version.view()),
                      gists + place * static_cast<std::ptrdiff_t>(kGist320Size));
    std::ranges::copy(hashed_bag(visual_words(version.view())),
                      bags + place * static_cast<std::ptrdiff_t>(kBagBins));
    if (model == nullptr) return;
    const auto square =
        square_of({.bytes = version.pixels, .width = version.width, .height = version.height},
                  model->shape().side);
    std::ranges::copy(model->describe(square).features,
                      learned + place * static_cast<std::ptrdiff_t>(width));
  });
}

}  // namespace

DenseVector hashed_bag(const LocalWords& words) {
  std::vector<double> sums(kBagBins);
  const DenseVector bag = shipped_vocabulary().bag_of_features(words);
  for (std::size_t word = 0; word < bag.size(); ++word) {
    sums[mix64(word) % kBagBins] += bag[word];
  }
  double square = 0;
  for (const double sum : sums) square += sum * sum;
  DenseVector bins(kBagBins);
  if (square == 0) return bins;
  for (std::size_t i = 0; i < kBagBins; ++i) {
    bins[i] = static_cast<float>(sums[i] / std::sqrt(square));
  }
  return bins;
}

PictureVectors::PictureVectors(const HashModel* model)
    : scenes(named("scenes", model)), copies(named("copies", model)), model_(model) {}

bool PictureVectors::add(const GreyView& picture, std::size_t most_copies, std::uint64_t seed) {
  if (visual_words(picture).words.empty()) return false;
  const std::uint64_t key = seed_key(seed, pictures_);
  add_group(picture, bank_, model_, key, {kSceneViews, new_view, &scenes}, pictures_);
  if (copies.gist.groups.size() + kCopyVersions <= most_copies) {
    add_group(picture, bank_, model_, ~key, {kCopyVersions, new_copy, &copies}, pictures_);
  }
  ++pictures_;
  return true;
}

Result<PictureVectors> read_picture_vectors(const EvalOptions& options, std::size_t most_scenes,
                                            std::size_t most_copies, const HashModel* model) {
  PictureVectors made(model);
  const auto use = [&](const GreyView& picture) {
    if (options.progress) options.progress(fmt::format("vectors of picture {}", made.pictures()));
    return made.add(shrunk(picture, kWordsLongestSide).view(), most_copies, options.seed);
  };
  TWINSIFT_TRY([[maybe_unused]] const std::size_t count,
               for_each_picture(options, most_scenes / kSceneViews, kWordsShorterSide, use));
  return made;
}

}  // namespace twinsift
