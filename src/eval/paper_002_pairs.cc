// SPDX-License-Identifier: Apache-2.0
// The pairs of the CWS filter paper: two laws that are made, and documents.
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "base/cancel.h"
#include "base/random.h"
#include "eval/paper_002.h"
#include "eval/weighted_documents.h"
#include "group/sort_merge.h"
#include "sketch/set_sketch.h"
#include "twinsift/sketch.h"
#include "verify/similarity.h"

namespace twinsift::paper_002 {
namespace {

Status append(PairSet& set, std::span<const std::uint64_t> sketch) {
  std::array<std::uint8_t, kComponents> codes{};
  make_codes(sketch, codes);
  set.components.insert(set.components.end(), sketch.begin(), sketch.end());
  return set.codes.append(codes);
}

double uniform_similarity(Rng& rng) { return rng.uniform(); }

// Mean 0.5, standard deviation 0.15; what lies outside (0, 1) is drawn again.
double gaussian_similarity(Rng& rng) {
  for (;;) {
    const double radius = std::sqrt(-2 * std::log(rng.uniform()));
    const double s = 0.5 + 0.15 * radius * std::cos(2 * std::numbers::pi * rng.uniform());
    if (s > 0 && s < 1) return s;
  }
}

// Components of CWS are equal independently with probability J_W: to draw that is to sketch.
Result<PairSet> make_law(std::string law, double (*similarity)(Rng&), std::uint32_t pairs,
                         Rng rng) {
  PairSet set;
  set.law = std::move(law);
  set.components.reserve(std::size_t{2} * pairs * kComponents);
  Sketch a(kComponents);
  Sketch b(kComponents);
  for (std::uint32_t i = 0; i < pairs; ++i) {
    const double s = similarity(rng);
    for (std::uint32_t j = 0; j < kComponents; ++j) {
      a[j] = rng.next();
      b[j] = rng.uniform() < s ? a[j] : rng.next();
    }
    TWINSIFT_TRY([[maybe_unused]] auto first, append(set, a));
    TWINSIFT_TRY([[maybe_unused]] auto second, append(set, b));
    set.pairs.push_back({2 * i, 2 * i + 1});
    set.similarity.push_back(s);
  }
  return set;
}

// At most `most` pairs, evenly drawn from all that share a shingle: a sixteenth of the shingles is
// the sketch by which pairs are found, as in [BGMZ97].
Result<std::vector<Candidate>> sharing_pairs(const WeightedDocuments& documents, std::uint32_t most,
                                             const EvalOptions& options) {
  SortMerge merge({.max_items = 100});
  for (std::size_t i = 0; i < documents.shingles.size(); ++i) {
    for (const std::uint64_t id : documents.shingles[i]) {
      if (mix64(id) % 16 != 0) continue;
      TWINSIFT_TRY([[maybe_unused]] auto done, merge.add(id, static_cast<ItemId>(i)));
    }
  }
  std::vector<Candidate> chosen;
  std::uint32_t seen = 0;
  Rng rng(options.seed + 1);
  TWINSIFT_TRY([[maybe_unused]] auto paired, merge.pair_up());
  TWINSIFT_TRY([[maybe_unused]] auto done, merge.overlaps([&](const Overlap& overlap) -> Status {
    if (options.stop.stop_requested()) return cancelled_error();
    const std::uint32_t place = rng.below(++seen);
    if (chosen.size() < most) {
      chosen.push_back({overlap.a, overlap.b});
    } else if (place < most) {
      chosen[place] = {overlap.a, overlap.b};
    }
    return ok();
  }));
  return chosen;
}

Result<PairSet> sketch_documents(const WeightedDocuments& documents, const EvalOptions& options) {
  TWINSIFT_TRY(const auto sketcher,
               make_sketcher(fmt::format("dart1:k={},seed={}", kComponents, options.seed)));
  PairSet set;
  set.law = "DOCUMENTS";
  set.components.reserve(documents.weights.size() * kComponents);
  for (const WeightedSet& weights : documents.weights) {
    if (options.stop.stop_requested()) return cancelled_error();
    TWINSIFT_TRY(const Sketch sketch, sketcher->sketch(Feature{.value = weights}));
    TWINSIFT_TRY([[maybe_unused]] auto done, append(set, sketch));
  }
  return set;
}

// Half of the pairs share a shingle, the others are any two documents.
Result<PairSet> pair_documents(const EvalOptions& options, const Sizes& sizes, std::string& told) {
  TWINSIFT_TRY(const WeightedDocuments documents,
               load_weighted_documents(options, sizes.documents));
  TWINSIFT_TRY(PairSet set, sketch_documents(documents, options));
  TWINSIFT_TRY(set.pairs, sharing_pairs(documents, sizes.pairs / 2, options));
  const std::size_t sharing = set.pairs.size();
  const auto n = static_cast<std::uint32_t>(documents.weights.size());
  Rng rng(options.seed + 2);
  while (set.pairs.size() < sizes.pairs) {
    const ItemId a = rng.below(n);
    const ItemId b = rng.below(n);
    if (a != b) set.pairs.push_back({a, b});
  }
  for (const Candidate& pair : set.pairs) {
    set.similarity.push_back(
        weighted_jaccard(documents.weights[pair.a], documents.weights[pair.b]));
  }
  told = fmt::format(
      "{}: {} pairs that share a run of five words, found by sort and merge, and {} "
      "pairs at random",
      documents.description, sharing, set.pairs.size() - sharing);
  return set;
}

}  // namespace

std::vector<std::uint32_t> PairSet::equal_counts(std::uint32_t k) const {
  std::vector<std::uint32_t> counts;
  counts.reserve(pairs.size());
  for (const Candidate& pair : pairs) {
    const std::uint64_t* a = components.data() + std::size_t{pair.a} * kComponents;
    const std::uint64_t* b = components.data() + std::size_t{pair.b} * kComponents;
    std::uint32_t equal = 0;
    for (std::uint32_t i = 0; i < k; ++i) equal += a[i] == b[i] ? 1U : 0U;
    counts.push_back(equal);
  }
  return counts;
}

Result<Data> make_data(const EvalOptions& options, const Sizes& sizes) {
  Data data;
  TWINSIFT_TRY(data.laws[0],
               make_law("UNIFORM", uniform_similarity, sizes.pairs, Rng(options.seed + 3)));
  TWINSIFT_TRY(data.laws[1],
               make_law("GAUSSIAN", gaussian_similarity, sizes.pairs, Rng(options.seed + 4)));
  std::string documents;
  TWINSIFT_TRY(data.laws[2], pair_documents(options, sizes, documents));
  data.description = fmt::format(
      "UNIFORM and GAUSSIAN (mean 0.5, deviation 0.15) are {} pairs each of sketches whose "
      "components are drawn: equal with probability J, which is the law of consistent weighted "
      "samples. DOCUMENTS stands for the paper's FUNDS, which is not public: {}; their terms are "
      "weighted by the paper's TF-IDF and sketched with dart1. Sketches have {} components, of "
      "which the paper's comparisons use the first {}. Times are processor times of one thread; "
      "the paper's comparisons run over 64-bit components, ours over byte codes.",
      sizes.pairs, documents, kComponents, kPaperComponents);
  return data;
}

}  // namespace twinsift::paper_002
