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
#include "feature/word_bag.h"

namespace twinsift {
namespace {

constexpr std::uint32_t kQueries = 100;
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

std::vector<WordBag> bags_of(std::span<const GreyImage> pictures, const EvalOptions& options) {
  std::vector<WordBag> bags(pictures.size());
  parallel_for(pictures.size(), all_threads(), options.stop, [&](std::size_t i, unsigned) {
    bags[i] = word_counts(visual_words(pictures[i].view()));
  });
  return bags;
}

// Of the m-th version of picture i at [i * kVersions + m]; perhaps empty.
std::vector<WordBag> version_bags(std::span<const GreyImage* const> pictures,
                                  const EvalOptions& options) {
  std::vector<WordBag> bags(pictures.size() * kVersions);
  parallel_for(bags.size(), all_threads(), options.stop, [&](std::size_t i, unsigned) {
    Rng rng(seed_key(options.seed, i));
    const double step = static_cast<double>(i % kVersions + 1) / kVersions;
    const GreyImage version = version_of(pictures[i / kVersions]->view(), step * step, rng);
    bags[i] = word_counts(visual_words(version.view()));
  });
  return bags;
}

void shuffle_documents(PictureBags& bags, std::uint64_t seed) {
  Rng rng(seed);
  for (std::size_t i = bags.documents.size(); i > 1; --i) {
    const std::size_t other = rng.below(static_cast<std::uint32_t>(i));
    std::swap(bags.documents[i - 1], bags.documents[other]);
    std::swap(bags.query_of[i - 1], bags.query_of[other]);
  }
}

void add_document(WordBag bag, std::uint32_t query, PictureBags& bags) {
  if (bag.empty()) return;
  bags.documents.push_back(std::move(bag));
  bags.query_of.push_back(query);
}

std::size_t median_size(std::vector<WordBag> bags) {
  const auto middle = bags.begin() + static_cast<std::ptrdiff_t>(bags.size() / 2);
  std::ranges::nth_element(bags, middle, {}, [](const WordBag& bag) { return bag.size(); });
  return middle->size();
}

// The first words are the frequent ones.
std::uint64_t make_word(Rng& rng) {
  constexpr double kVocabulary = 8'192;
  const double u = rng.uniform();
  return mix64(static_cast<std::uint64_t>(kVocabulary * u * u));
}

TokenSet make_words(Rng& rng) {
  TokenSet words(200 + rng.below(201));
  for (std::uint64_t& word : words) word = make_word(rng);
  return words;
}

}  // namespace

LocalWords visual_words(const GreyView& picture) {
  return shipped_vocabulary().words_of(find_key_points(picture));
}

Result<PictureBags> bags_of_pictures(std::span<const GreyImage> pictures,
                                     const EvalOptions& options) {
  if (options.progress) options.progress("visual words of pictures");
  std::vector<WordBag> all = bags_of(pictures, options);
  if (options.stop.stop_requested()) return cancelled_error();
  const auto usable = static_cast<std::size_t>(
      std::ranges::count_if(all, [](const WordBag& bag) { return !bag.empty(); }));
  if (usable < kFewestPictures) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("{} of the pictures have key points, and at least {} are needed",
                             usable, kFewestPictures)};
  }
  const std::size_t wanted = std::min<std::size_t>(kQueries, usable / 2);
  PictureBags bags;
  std::vector<const GreyImage*> originals;
  std::size_t number = 0;  // among those that can be used
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].empty()) continue;
    const bool is_query = number * wanted / usable != (number + 1) * wanted / usable;
    ++number;
    if (!is_query) {
      add_document(std::move(all[i]), kNoQuery, bags);
      continue;
    }
    originals.push_back(&pictures[i]);
    bags.queries.push_back(std::move(all[i]));
  }
  if (options.progress) options.progress("visual words of versions of pictures");
  std::vector<WordBag> versions = version_bags(originals, options);
  for (std::size_t i = 0; i < versions.size(); ++i) {
    add_document(std::move(versions[i]), static_cast<std::uint32_t>(i / kVersions), bags);
  }
  if (options.stop.stop_requested()) return cancelled_error();
  shuffle_documents(bags, options.seed);
  bags.description = fmt::format(
      "visual words of {} pictures, {} different ones in the middle one; {} pictures, from all "
      "over, are the queries, and the {} documents are the others and {} versions of each query, "
      "cropped by up to 20 %, scaled down to half, in other light and noisy, most of them less",
      usable, median_size(bags.queries), bags.queries.size(), bags.documents.size(), kVersions);
  return bags;
}

PictureBags make_picture_bags(const EvalOptions& options, std::uint32_t documents) {
  Rng rng(seed_key(options.seed, 0x776f726473));
  PictureBags bags;
  std::vector<TokenSet> texts;
  const std::uint32_t queries = std::min(kQueries, documents / 2);
  for (std::uint32_t q = 0; q < queries; ++q) {
    texts.push_back(make_words(rng));
    bags.queries.push_back(count_terms(texts.back()));
  }
  for (std::uint32_t d = 0; d < documents; ++d) {
    if (d % kVersions != 0) {
      add_document(count_terms(make_words(rng)), kNoQuery, bags);
      continue;
    }
    const std::uint32_t query = rng.below(queries);
    const double changed = 0.95 * rng.uniform();
    TokenSet words = texts[query];
    for (std::uint64_t& word : words) {
      if (rng.uniform() < changed) word = make_word(rng);
    }
    add_document(count_terms(std::move(words)), query, bags);
  }
  bags.description =
      fmt::format("{} queries and {} bags of 200 to 400 visual words made with seed {}", queries,
                  documents, options.seed);
  return bags;
}

Workload workload_of(const PictureBags& bags) {
  const auto sets_of = [](const std::vector<WordBag>& all) {
    std::vector<TokenSet> sets;
    for (const WordBag& bag : all) {
      TokenSet& set = sets.emplace_back();
      for (const TermCount& word : bag) set.push_back(word.id);
    }
    return sets;
  };
  return Workload::of_sets(sets_of(bags.queries), sets_of(bags.documents), bags.description);
}

Result<PictureBags> load_picture_bags(const EvalOptions& options, std::uint32_t most) {
  if (options.images.empty()) return make_picture_bags(options, most);
  std::vector<GreyImage> pictures;
  const auto use = [&](const GreyView& picture) {
    pictures.push_back(shrunk(picture, kWordsLongestSide));
    return true;
  };
  if (options.progress) options.progress("pictures");
  TWINSIFT_TRY([[maybe_unused]] const std::size_t count,
               for_each_picture(options, most, kWordsShorterSide, use));
  return bags_of_pictures(pictures, options);
}

}  // namespace twinsift
