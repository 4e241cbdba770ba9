// SPDX-License-Identifier: Apache-2.0
// How many components sets as small as those of pictures are worth.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <string_view>

#include <fmt/format.h>

#include "base/cancel.h"
#include "eval/cpu_time.h"
#include "eval/paper_000.h"
#include "twinsift/sketch.h"
#include "verify/similarity.h"

namespace twinsift {
namespace {

constexpr std::array<std::uint32_t, 4> kSizes = {128, 256, 512, 1000};
constexpr std::uint64_t kSeeds = 5;
constexpr std::uint32_t kMostDocuments = 2000;
constexpr std::uint32_t kLowest = 200;  // permille: pairs that share less say little

struct KnownPair {
  std::size_t query;
  std::size_t document;  // among those that are in a pair
  double similarity;
};

struct KnownPairs {
  std::vector<KnownPair> pairs;
  std::vector<TokenSet> documents;
  double mean_size = 0;  // of the queries
};

// Equal sets, which every sketch estimates rightly, are left out.
KnownPairs known_pairs(const Workload& workload) {
  KnownPairs known;
  const QueryIndex index(workload.queries());
  for (std::uint32_t d = 0; d < std::min(workload.documents(), kMostDocuments); ++d) {
    TokenSet document = workload.document(d);
    std::size_t used = 0;
    for (const QueryOverlap& overlap : index.similar(document, kLowest)) {
      if (overlap.common == overlap.all) continue;
      known.pairs.push_back({overlap.query, known.documents.size(),
                             static_cast<double>(overlap.common) / overlap.all});
      ++used;
    }
    if (used > 0) known.documents.push_back(std::move(document));
  }
  for (const TokenSet& query : workload.queries()) {
    known.mean_size +=
        static_cast<double>(query.size()) / static_cast<double>(workload.queries().size());
  }
  return known;
}

std::vector<Sketch> sketch_all(const Sketcher& sketcher, const std::vector<TokenSet>& sets) {
  std::vector<Sketch> sketches(sets.size(), Sketch(sketcher.k()));
  for (std::size_t i = 0; i < sets.size(); ++i) sketcher.sketch_ids(sets[i], sketches[i]);
  return sketches;
}

// The variance of k independent components is J (1 - J) / k: what k does the error found stand for?
Result<SketchWorth> worth_of(const std::string& kind, std::uint32_t k, const Workload& workload,
                             const KnownPairs& known) {
  double squares = 0;
  double variance = 0;  // of one component
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    TWINSIFT_TRY(const auto sketcher, make_sketcher(fmt::format("{}:k={},seed={}", kind, k, seed)));
    const auto queries = sketch_all(*sketcher, workload.queries());
    const auto documents = sketch_all(*sketcher, known.documents);
    for (const KnownPair& pair : known.pairs) {
      const double off = sketcher->similarity(queries[pair.query], documents[pair.document]).value -
                         pair.similarity;
      squares += off * off;
      variance += pair.similarity * (1 - pair.similarity);
    }
  }
  const auto count = static_cast<double>(kSeeds * known.pairs.size());
  return SketchWorth{std::sqrt(squares / count), variance / squares};
}

// The merge of two sorted sets, for all pairs of a query and one of the first documents.
double exact_nanoseconds(const Workload& workload) {
  std::vector<TokenSet> documents;
  for (std::uint32_t d = 0; d < std::min(workload.documents(), 200U); ++d) {
    documents.push_back(workload.document(d));
  }
  const double seconds = best_cpu_seconds(0.01, [&] {
    std::uint64_t similar = 0;
    for (const TokenSet& query : workload.queries()) {
      for (const TokenSet& document : documents) {
        similar += jaccard(query, document) >= 0.7 ? 1U : 0U;
      }
    }
    return similar;
  });
  return 1e9 * seconds / static_cast<double>(workload.queries().size() * documents.size());
}

}  // namespace

Result<SketchWorth> sketch_worth(const std::string& kind, std::uint32_t k,
                                 const Workload& workload) {
  return worth_of(kind, k, workload, known_pairs(workload));
}

Result<EvalSection> hoph_picture_sizes(const Workload& pictures, const HophMeasurements& measured,
                                       const EvalOptions& options) {
  EvalSection section;
  section.claim = {.id = "picture_sizes",
                   .title = "Ours: what k is worth with sets as small as those of pictures",
                   .claim =
                       "(Ours, not the paper's, which has k = 1000 for pictures, too.) 1000 bins "
                       "of OPH are worth 1000.",
                   .verdict = {}};
  section.table.columns = {"sketch", "k",         "bytes of a picture",
                           "pairs",  "RMS error", "worth so many bins"};
  const KnownPairs known = known_pairs(pictures);
  section.table.rows.push_back({"none: the set itself", fmt::format("{:.0f}", known.mean_size),
                                fmt::format("{:.0f}", 8 * known.mean_size),
                                std::to_string(known.pairs.size()), "0", ""});
  std::map<std::string_view, double> at_most;  // what the most bins of each kind are worth
  for (const char* const kind : {"minhash1", "doph1", "oph1", "fss1"}) {
    for (const std::uint32_t k : kSizes) {
      if (options.stop.stop_requested()) return cancelled_error();
      if (known.pairs.empty()) break;
      if (options.progress) options.progress(fmt::format("what {} is worth, k = {}", kind, k));
      TWINSIFT_TRY(const SketchWorth worth, worth_of(kind, k, pictures, known));
      section.table.rows.push_back(
          {kind, std::to_string(k), std::to_string(8 * k), std::to_string(known.pairs.size()),
           fmt::format("{:.4f}", worth.error), fmt::format("{:.0f}", worth.bins)});
      at_most[kind] = worth.bins;
    }
  }
  section.claim.holds = at_most["doph1"] >= 900;
  section.claim.verdict = fmt::format(
      "A picture here has {:.0f} different words on average. Over {} pairs of similarity 0.2 or "
      "more and {} seeds, 1000 bins of OPH with empty ones filled from others have the error of "
      "{:.0f} independent ones; with empty ones left out (oph1) that of {:.0f}, and 1000 of fss1, "
      "which has none, that of {:.0f}: these draw from a small set without putting back. But 1000 "
      "bins of 64 bits take {:.1f} times the memory of the words themselves. A full comparison of "
      "them takes {:.0f} ns, merging the two sets, which is exact, {:.0f} ns, and ours, which "
      "reads {:.0f} bytes of a pair, {:.1f} ns. What follows for k: as 64-bit bins a sketch is "
      "smaller than its set only below {:.0f} of them; as byte codes below {:.0f}. (It counts as "
      "held with at least 900.)",
      known.mean_size, known.pairs.size(), kSeeds, at_most["doph1"], at_most["oph1"],
      at_most["fss1"], 1000 / known.mean_size,
      measured.at(HophMethod::kMinWise, {}).nanoseconds_per_pair(), exact_nanoseconds(pictures),
      measured.at(HophMethod::kOurs, {}).bins_per_pair(),
      measured.at(HophMethod::kOurs, {}).nanoseconds_per_pair(), known.mean_size,
      8 * known.mean_size);
  return section;
}

}  // namespace twinsift
