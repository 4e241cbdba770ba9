// SPDX-License-Identifier: Apache-2.0
#include "eval/picture_weights.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "base/cancel.h"
#include "eval/cpu_time.h"
#include "sketch/redgreen.h"
#include "twinsift/sketch.h"
#include "verify/similarity.h"

namespace twinsift {
namespace {

constexpr std::uint32_t kComponents = 256;
constexpr double kThreshold = 0.5;  // of the decisions that are compared with the exact ones
constexpr const char* kPaperIdf = "tf-idf, idf of paper 002";
constexpr double kLowest = 0.2;  // pairs below say little about errors

// All pictures with one kind of weights; without weights they are sets.
struct Weighed {
  std::string name;
  std::vector<WeightedSet> queries;
  std::vector<WeightedSet> documents;
};

// One way to compare: of each query, one after the other, with each document.
struct Scores {
  std::vector<double> values;
  double sketch_microseconds = 0;  // of one document
  double compare_nanoseconds = 0;  // of one pair
};

template <class Weigh>
Weighed weigh_all(std::string name, const PictureBags& bags, const Weigh& weigh) {
  Weighed weighed{.name = std::move(name), .queries = {}, .documents = {}};
  for (const WordBag& bag : bags.queries) weighed.queries.push_back(weigh(bag));
  for (const WordBag& bag : bags.documents) weighed.documents.push_back(weigh(bag));
  return weighed;
}

WeightedSet shares_of(const WordBag& bag) {
  WeightedSet set = as_weights(bag);
  double all = 0;
  for (const double count : set.weights) all += count;
  for (double& weight : set.weights) weight /= all;
  return set;
}

std::vector<Weighed> weigh_in_all_ways(const PictureBags& bags) {
  DocumentFrequencies frequencies;
  for (const WordBag& bag : bags.documents) frequencies.add(bag);
  const IdfTable smooth = IdfTable::freeze(frequencies, IdfVariant::kSmooth);
  const IdfTable paper = IdfTable::freeze(frequencies, IdfVariant::kPaper);
  const auto plain = [](const WordBag& bag) {
    return WeightedSet{.tokens = as_weights(bag).tokens, .weights = {}};
  };
  return {weigh_all("set", bags, plain), weigh_all("tf", bags, shares_of),
          weigh_all("tf-idf", bags, [&](const WordBag& bag) { return smooth.weigh(bag); }),
          weigh_all(kPaperIdf, bags, [&](const WordBag& bag) { return paper.weigh(bag); })};
}

double exact_similarity(const WeightedSet& a, const WeightedSet& b) {
  if (a.weights.empty() && b.weights.empty()) return jaccard(a.tokens, b.tokens);
  return weighted_jaccard(a, b);
}

Result<Scores> exact_scores(const Weighed& weighed, const EvalOptions& options) {
  Scores scores;
  const double start = cpu_seconds();
  for (const WeightedSet& query : weighed.queries) {
    if (options.stop.stop_requested()) return cancelled_error();
    for (const WeightedSet& document : weighed.documents) {
      scores.values.push_back(exact_similarity(query, document));
    }
  }
  scores.compare_nanoseconds =
      1e9 * (cpu_seconds() - start) / static_cast<double>(scores.values.size());
  return scores;
}

Result<std::vector<Sketch>> sketch_all(const Sketcher& sketcher,
                                       const std::vector<WeightedSet>& sets,
                                       const EvalOptions& options) {
  std::vector<Sketch> sketches;
  for (const WeightedSet& set : sets) {
    if (options.stop.stop_requested()) return cancelled_error();
    const Feature feature =
        set.weights.empty() ? Feature{.value = set.tokens} : Feature{.value = set};
    TWINSIFT_TRY(Sketch sketch, sketcher.sketch(feature));
    sketches.push_back(std::move(sketch));
  }
  return sketches;
}

Result<Scores> sketch_scores(const Sketcher& sketcher, const Weighed& weighed,
                             const EvalOptions& options) {
  Scores scores;
  const double start = cpu_seconds();
  TWINSIFT_TRY(const auto documents, sketch_all(sketcher, weighed.documents, options));
  const double sketched = cpu_seconds();
  TWINSIFT_TRY(const auto queries, sketch_all(sketcher, weighed.queries, options));
  const double begun = cpu_seconds();
  for (const Sketch& query : queries) {
    for (const Sketch& document : documents) {
      scores.values.push_back(sketcher.similarity(query, document).value);
    }
  }
  const double done = cpu_seconds();
  scores.sketch_microseconds = 1e6 * (sketched - start) / static_cast<double>(documents.size());
  scores.compare_nanoseconds = 1e9 * (done - begun) / static_cast<double>(scores.values.size());
  return scores;
}

// Of every word the largest weight that any picture gives it.
WeightedSet bounds_of(const Weighed& weighed) {
  std::map<std::uint64_t, double> largest;
  for (const auto* sets : {&weighed.queries, &weighed.documents}) {
    for (const WeightedSet& set : *sets) {
      for (std::size_t i = 0; i < set.tokens.size(); ++i) {
        double& bound = largest[set.tokens[i]];
        bound = std::max(bound, set.weights[i]);
      }
    }
  }
  WeightedSet bounds;
  for (const auto& [id, weight] : largest) {
    bounds.tokens.push_back(id);
    bounds.weights.push_back(weight);
  }
  return bounds;
}

Result<std::unique_ptr<Sketcher>> sketcher_of(std::string_view name, const Weighed& weighed,
                                              std::uint64_t seed) {
  if (name != "redgreen1") {
    return make_sketcher(fmt::format("{}:k={},seed={}", name, kComponents, seed));
  }
  TWINSIFT_TRY(RedGreenSketcher sketcher,
               RedGreenSketcher::make(kComponents, seed, bounds_of(weighed)));
  return std::unique_ptr<Sketcher>(std::make_unique<RedGreenSketcher>(std::move(sketcher)));
}

struct Decisions {
  double precision = 1;
  double recall = 1;
  double error = 0;  // root of the mean square
};

Decisions against_exact(const std::vector<double>& estimates, const std::vector<double>& exact) {
  std::uint64_t accepted = 0, similar = 0, both = 0, counted = 0;
  double squares = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const bool said = estimates[i] >= kThreshold;
    const bool is = exact[i] >= kThreshold;
    accepted += said ? 1U : 0U;
    similar += is ? 1U : 0U;
    both += said && is ? 1U : 0U;
    if (exact[i] < kLowest) continue;
    ++counted;
    squares += (estimates[i] - exact[i]) * (estimates[i] - exact[i]);
  }
  Decisions decisions;
  if (accepted > 0) decisions.precision = static_cast<double>(both) / static_cast<double>(accepted);
  if (similar > 0) decisions.recall = static_cast<double>(both) / static_cast<double>(similar);
  if (counted > 0) decisions.error = std::sqrt(squares / static_cast<double>(counted));
  return decisions;
}

struct Versions {
  double threshold = 0;
  std::uint64_t all = 0;
  std::uint64_t found = 0;
  std::uint64_t wrong = 0;
  [[nodiscard]] double share() const {
    return all == 0 ? 0 : static_cast<double>(found) / static_cast<double>(all);
  }
};

// The threshold is that of the even queries; what it finds is counted on the odd ones.
Versions find_versions(const std::vector<double>& scores, const PictureBags& bags) {
  std::array<std::vector<ScoredPair>, 2> halves;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const std::size_t query = i / bags.documents.size();
    const bool right = bags.query_of[i % bags.documents.size()] == query;
    halves[query % 2].push_back({scores[i], right});
  }
  Versions versions{.threshold = cleanest_threshold(std::move(halves[0]))};
  for (const ScoredPair& pair : halves[1]) {
    versions.all += pair.right ? 1U : 0U;
    if (pair.score < versions.threshold) continue;
    ++(pair.right ? versions.found : versions.wrong);
  }
  return versions;
}

void add_row(const Weighed& weighed, const std::string& sketch, const Scores& scores,
             const Scores& exact, const Versions& versions, EvalTable& table) {
  const bool estimated = &scores != &exact;
  const Decisions decisions = against_exact(scores.values, exact.values);
  const auto number = [&](double value, int digits) {
    return estimated ? fmt::format("{:.{}f}", value, digits) : std::string("-");
  };
  table.rows.push_back({weighed.name, sketch, number(decisions.error, 4),
                        number(decisions.precision, 4), number(decisions.recall, 4),
                        number(scores.sketch_microseconds, 1),
                        fmt::format("{:.0f}", scores.compare_nanoseconds),
                        fmt::format("{:.3f}", versions.threshold), std::to_string(versions.all),
                        std::to_string(versions.found), std::to_string(versions.wrong)});
}

// What the exact similarities find, by the features, and how much less a sampler does at most.
struct Found {
  std::map<std::string, Versions> exactly;
  double largest_loss = 0;
};

std::vector<std::string_view> sketches_for(const Weighed& weighed) {
  if (weighed.name == "set") return {"minhash1", "fss1"};
  if (weighed.name == "tf-idf") return {"cws1", "icws1", "dart1", "redgreen1"};
  return {};
}

Status measure_features(const Weighed& weighed, const PictureBags& bags, const EvalOptions& options,
                        EvalTable& table, Found& found) {
  if (options.progress) options.progress(fmt::format("pictures by {}", weighed.name));
  TWINSIFT_TRY(const Scores exact, exact_scores(weighed, options));
  const Versions exactly = find_versions(exact.values, bags);
  found.exactly[weighed.name] = exactly;
  add_row(weighed, "none: exact", exact, exact, exactly, table);
  for (const std::string_view name : sketches_for(weighed)) {
    if (options.progress) options.progress(fmt::format("pictures by {}", name));
    TWINSIFT_TRY(const auto sketcher, sketcher_of(name, weighed, options.seed));
    TWINSIFT_TRY(const Scores scores, sketch_scores(*sketcher, weighed, options));
    const Versions versions = find_versions(scores.values, bags);
    add_row(weighed, std::string(name), scores, exact, versions, table);
    if (weighed.name == "set") continue;
    found.largest_loss = std::max(found.largest_loss, exactly.share() - versions.share());
  }
  return ok();
}

std::string verdict_of(Found& found) {
  const Versions& sets = found.exactly["set"];
  const Versions& tfidf = found.exactly["tf-idf"];
  const Versions& paper = found.exactly[kPaperIdf];
  return fmt::format(
      "Of {} versions of the odd queries, sets of words find {} ({:.1f} %) with {} wrong pairs, "
      "tf-idf finds {} ({:.1f} %) with {} and the idf of paper 002 {} ({:.1f} %) with {}; "
      "frequencies alone find {:.1f} %. Thresholds are the lowest with at most 1 % of wrong pairs "
      "on the even queries. A sampler with k = {} finds at most {:.1f} points less than the exact "
      "tf-idf. Precision and recall are those of the decision at {:.1f}, beside the exact one. (It "
      "counts as held if tf-idf finds more than sets and no sampler loses more than 5 points.)",
      sets.all, sets.found, 100 * sets.share(), sets.wrong, tfidf.found, 100 * tfidf.share(),
      tfidf.wrong, paper.found, 100 * paper.share(), paper.wrong, 100 * found.exactly["tf"].share(),
      kComponents, 100 * found.largest_loss, kThreshold);
}

}  // namespace

double cleanest_threshold(std::vector<ScoredPair> pairs) {
  std::ranges::sort(pairs, std::ranges::greater(), &ScoredPair::score);
  double threshold = std::numeric_limits<double>::infinity();
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    wrong += pairs[i].right ? 0U : 1U;
    const bool last_of_its_score = i + 1 == pairs.size() || pairs[i + 1].score < pairs[i].score;
    if (last_of_its_score && wrong * 100 <= i + 1) threshold = pairs[i].score;
  }
  return threshold;
}

Result<EvalSection> measure_picture_weights(const PictureBags& bags, const EvalOptions& options) {
  EvalSection section;
  section.claim = {
      .id = "picture_weights",
      .title = "Ours: tf-idf of visual words through samplers of weighted sets",
      .claim =
          "(Ours, not the paper's, whose pictures are sets.) Words that are weighed by "
          "tf-idf tell versions of a picture from strangers better than sets of words "
          "do, and samplers see that as exact comparisons do.",
      .verdict = {}};
  section.table.columns = {"features",       "sketch",     "RMS error", "precision",
                           "recall",         "us to make", "ns a pair", "threshold",
                           "versions asked", "found",      "wrong"};
  Found found;
  for (const Weighed& weighed : weigh_in_all_ways(bags)) {
    TWINSIFT_TRY([[maybe_unused]] auto measured,
                 measure_features(weighed, bags, options, section.table, found));
  }
  section.claim.holds =
      found.exactly["tf-idf"].share() > found.exactly["set"].share() && found.largest_loss <= 0.05;
  section.claim.verdict = verdict_of(found);
  return section;
}

}  // namespace twinsift
