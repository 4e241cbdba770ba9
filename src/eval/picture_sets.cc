// SPDX-License-Identifier: Apache-2.0
#include "eval/picture_sets.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include <fmt/format.h>

#include "base/cancel.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "base/random.h"
#include "eval/pictures.h"
#include "feature/shrink.h"
#include "feature/sift.h"
#include "feature/visual_words.h"

namespace twinsift {
namespace {

constexpr std::size_t kQueries = 100;
constexpr std::size_t kVersions = 10;

unsigned all_threads() { return std::max(1U, std::thread::hardware_concurrency()); }

// Strength 1 is what a copy on the web has gone through.  Most versions are milder: a few noisy
// pixels change many words, and thresholds of 0.5 and more want pairs above them.
GreyImage version_of(const GreyView& picture, double strength, Rng& rng) {
  const auto either_way = [&](double reach) { return reach * strength * (2 * rng.uniform() - 1); };
  const Alteration change{.cropped = 0.2 * strength * rng.uniform(),
                          .contrast = 1 + either_way(0.3),
                          .brightness = either_way(30),
                          .noise = 5 * strength * rng.uniform()};
  const double scale = rng.uniform() < 0.5 ? 1 : 1 - 0.5 * strength * rng.uniform();
  const GreyImage changed = altered(picture, change, rng);
  const double longest = std::max(changed.width, changed.height);
  return shrunk(changed.view(),
                std::max(1U, static_cast<std::uint32_t>(std::lround(scale * longest))));
}

std::vector<TokenSet> sets_of(std::span<const GreyImage> pictures, const EvalOptions& options) {
  std::vector<TokenSet> sets(pictures.size());
  parallel_for(pictures.size(), all_threads(), options.stop, [&](std::size_t i, unsigned) {
    sets[i] = word_set(visual_words(pictures[i].view()));
  });
  return sets;
}

// Of the m-th version of picture i at [i * kVersions + m]; perhaps empty.
std::vector<TokenSet> version_sets(std::span<const GreyImage* const> pictures,
                                   const EvalOptions& options) {
  std::vector<TokenSet> sets(pictures.size() * kVersions);
  parallel_for(sets.size(), all_threads(), options.stop, [&](std::size_t i, unsigned) {
    Rng rng(seed_key(options.seed, i));
    const double step = static_cast<double>(i % kVersions + 1) / kVersions;
    const GreyImage version = version_of(pictures[i / kVersions]->view(), step * step, rng);
    sets[i] = word_set(visual_words(version.view()));
  });
  return sets;
}

void shuffle(std::vector<TokenSet>& sets, std::uint64_t seed) {
  Rng rng(seed);
  for (std::size_t i = sets.size(); i > 1; --i) {
    std::swap(sets[i - 1], sets[rng.below(static_cast<std::uint32_t>(i))]);
  }
}

std::size_t median_size(std::vector<TokenSet> sets) {
  const auto middle = sets.begin() + static_cast<std::ptrdiff_t>(sets.size() / 2);
  std::ranges::nth_element(sets, middle, {}, [](const TokenSet& set) { return set.size(); });
  return middle->size();
}

}  // namespace

LocalWords visual_words(const GreyView& picture) {
  return shipped_vocabulary().words_of(find_key_points(picture));
}

Result<Workload> workload_of_pictures(std::span<const GreyImage> pictures,
                                      const EvalOptions& options) {
  if (options.progress) options.progress("visual words of pictures");
  std::vector<TokenSet> sets = sets_of(pictures, options);
  if (options.stop.stop_requested()) return cancelled_error();
  const auto usable = static_cast<std::size_t>(
      std::ranges::count_if(sets, [](const TokenSet& set) { return !set.empty(); }));
  if (usable < kFewestPictures) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("{} of the pictures have key points, and at least {} are needed",
                             usable, kFewestPictures)};
  }
  const std::size_t wanted = std::min(kQueries, usable / 2);
  std::vector<TokenSet> queries;
  std::vector<TokenSet> documents;
  std::vector<const GreyImage*> originals;
  std::size_t number = 0;  // among those that can be used
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (sets[i].empty()) continue;
    const bool is_query = number * wanted / usable != (number + 1) * wanted / usable;
    ++number;
    if (is_query) originals.push_back(&pictures[i]);
    (is_query ? queries : documents).push_back(std::move(sets[i]));
  }
  if (options.progress) options.progress("visual words of versions of pictures");
  for (TokenSet& set : version_sets(originals, options)) {
    if (!set.empty()) documents.push_back(std::move(set));
  }
  if (options.stop.stop_requested()) return cancelled_error();
  shuffle(documents, options.seed);
  std::string description = fmt::format(
      "visual words of {} pictures, {} different ones in the middle one; {} pictures, from all "
      "over, are the queries, and the {} documents are the others and {} versions of each query, "
      "cropped by up to 20 %, scaled down to half, in other light and noisy, most of them less",
      usable, median_size(queries), queries.size(), documents.size(), kVersions);
  return Workload::of_sets(std::move(queries), std::move(documents), std::move(description));
}

Result<Workload> read_picture_workload(const EvalOptions& options, std::size_t most) {
  std::vector<GreyImage> pictures;
  const auto use = [&](const GreyView& picture) {
    pictures.push_back(shrunk(picture, kWordsLongestSide));
    return true;
  };
  if (options.progress) options.progress("pictures");
  TWINSIFT_TRY([[maybe_unused]] const std::size_t count,
               for_each_picture(options, most, kWordsShorterSide, use));
  return workload_of_pictures(pictures, options);
}

}  // namespace twinsift
