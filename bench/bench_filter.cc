// SPDX-License-Identifier: Apache-2.0
// What the filters save: components read, time and errors, beside the comparison of all components
// one by one.
//
// For a law of similarities, the components read and the errors are exact sums; the times are of
// sketches drawn by that law.  For text, all is counted on all pairs of some documents.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/bits.h"
#include "base/random.h"
#include "bench/filter_promise.h"
#include "bench/filter_sample.h"
#include "bench/scalar_compare.h"
#include "bench/similarities.h"
#include "sketch/hoph.h"
#include "verify/decide.h"
#include "verify/expected_bins.h"
#include "verify/similarity.h"

namespace twinsift::bench {
namespace {

constexpr std::uint32_t kThresholds[] = {500, 600, 700, 800, 900};  // permille
constexpr std::uint32_t kLawPoints = 200;

enum class Place : std::uint8_t { kLow, kOtherLaw, kText };

// What one filter does at one threshold.
struct Figures {
  double bins = 0;     // read on average
  double missed = 0;   // P(rejected | J >= T)
  double wrong = 0;    // P(accepted | J < T)
  double differs = 0;  // P(another verdict than that of all components)
  double ns = 0;       // for one verdict
  double times = 0;    // as fast as all components, one by one
};

double saved(const Contestant& filter, const Figures& figures) {
  return 100 * (1 - figures.bins / filter.task.k);
}

std::string target(const Contestant& filter, const Figures& figures, Place place) {
  const auto least = [](double goal, double value, std::string_view unit) {
    return fmt::format(">= {}{}: {}", goal, unit, value >= goal ? "met" : "missed");
  };
  const std::uint32_t t = filter.task.threshold_permille;
  const bool low = place == Place::kLow;
  if (filter.way == Way::kGoph && low && t == 800) return least(2.5, figures.times, "x");
  if (filter.way == Way::kHoph && low && t == 800) return least(5, figures.times, "x");
  if (filter.way == Way::kCws && place != Place::kOtherLaw) {
    return fmt::format("{}, {}", least(85, saved(filter, figures), " %"),
                       least(5, figures.times, "x"));
  }
  if (filter.way == Way::kSequential && place == Place::kText) {
    return least(t >= 700 ? 95 : 93, saved(filter, figures), " %");
  }
  return "";
}

void print_header() {
  fmt::print(
      "| T | filter | components read | saved | ns | times as fast | missed, J >= T | wrong, J < T "
      "| differs from all components | target |\n"
      "|---|---|---|---|---|---|---|---|---|---|\n");
}

void print_row(const Contestant& filter, const Figures& figures, Place place) {
  fmt::print(
      "| {} | {} | {:.1f} | {:.1f} % | {:.1f} | {:.1f}x | {:.1e} | {:.1e} | {:.1e} | {} "
      "|\n",
      filter.task.threshold_permille / 1000.0, filter.name, figures.bins, saved(filter, figures),
      figures.ns, figures.times, figures.missed, figures.wrong, figures.differs,
      target(filter, figures, place));
}

// Pairs of which the weighted groups of HOPH say something else than all components.  Drawn, since
// the two counts are not functions of each other.
double hoph_differs(const Contestant& filter, SimilarityLaw law) {
  constexpr std::uint32_t kPairs = 50'000;
  const SimilarityDraw draw(law);
  Rng rng(2);
  std::uint32_t differing = 0;
  const std::vector<Look>& looks = filter.table.looks;
  const std::uint32_t width = looks.front().bins;
  std::vector<std::uint32_t> equal(looks.size());
  const std::int32_t needed =
      full_count(match_rate(filter.task.threshold_permille, 64), kPaperComponents);
  for (std::uint32_t pair = 0; pair < kPairs; ++pair) {
    const double s = draw(rng);
    std::int32_t all = 0;
    for (std::uint32_t& count : equal) {
      count = 0;
      for (std::uint32_t i = 0; i < width; ++i) count += rng.uniform() < s ? 1U : 0U;
      all += static_cast<std::int32_t>(count);
    }
    const Decision decision = run_looks(looks, equal[0], [&](std::size_t i) { return equal[i]; });
    differing += (decision.verdict == Verdict::kAccept) != (all >= needed) ? 1U : 0U;
  }
  return static_cast<double>(differing) / kPairs;
}

double law_differs(const Contestant& filter, const std::vector<WeightedSimilarity>& law) {
  const double chance = filter.way == Way::kPlanes ? 1.0 / 256 : 0;
  double differs = 0;
  double sum = 0;
  for (const auto& [s, weight] : law) {
    const Disagreement wrong = disagreement_at(filter.table, chance + (1 - chance) * s);
    differs += weight * (wrong.rejected + wrong.accepted);
    sum += weight;
  }
  return differs / sum;
}

Status print_law(std::string_view name, SimilarityLaw law) {
  TWINSIFT_TRY(const Sample sample, draw_sample(law));
  const std::vector<WeightedSimilarity> points = sample_law(law, 0, 1, kLawPoints);
  const double scalar = scalar_ns_per_pair(sample, 1);
  fmt::print("\n### Law \"{}\"; all components, scalar: {:.0f} ns\n\n", name, scalar);
  print_header();
  for (const std::uint32_t t : kThresholds) {
    TWINSIFT_TRY(const std::vector<Contestant> filters, contestants(t));
    for (const Contestant& filter : filters) {
      const FilterAverages averages = average_over(filter.table, filter.task, points);
      Figures figures{.bins = averages.bins,
                      .missed = averages.false_negatives,
                      .wrong = averages.false_positives,
                      .differs = filter.way == Way::kHoph ? hoph_differs(filter, law)
                                                          : law_differs(filter, points),
                      .ns = ns_per_pair(filter, sample, 1)};
      figures.times = scalar / figures.ns;
      print_row(filter, figures, law == SimilarityLaw::kLow ? Place::kLow : Place::kOtherLaw);
    }
  }
  return ok();
}

// What is known of a pair of texts, whatever the threshold.
struct TextPair {
  ItemId a = 0;
  ItemId b = 0;
  double j = 0;
  std::uint32_t equal = 0;        // of the 64-bit components
  std::uint32_t equal_codes = 0;  // of the byte codes
};

std::vector<TextPair> all_pairs(const TextSample& text) {
  const Sample& sample = text.sample;
  std::vector<TextPair> pairs;
  for (const Sample::Row& row : sample.rows) {
    for (const ItemId b : row.others) {
      std::uint32_t codes = 0;
      for (std::size_t plane = 0; plane < sample.codes.looks().size(); ++plane) {
        codes += count_equal(sample.codes.row(plane, row.item), sample.codes.row(plane, b),
                             sample.codes.width(plane));
      }
      pairs.push_back({row.item, b, jaccard(text.documents[row.item], text.documents[b]),
                       scalar_matches(sample.sketch(row.item), sample.sketch(b)), codes});
    }
  }
  return pairs;
}

Figures count_text(const Contestant& filter, const Sample& sample,
                   const std::vector<TextPair>& pairs) {
  const double t = filter.task.threshold_permille / 1000.0;
  const bool planes = filter.way == Way::kPlanes;
  const std::int32_t needed =
      full_count(match_rate(filter.task.threshold_permille, filter.task.code_bits), filter.task.k);
  Figures sums;
  double similar = 0;
  for (const TextPair& pair : pairs) {
    const Decision decision =
        planes ? decide(filter.table, sample.codes, pair.a, pair.b)
               : decide(filter.table, sample.sketch(pair.a), sample.sketch(pair.b));
    const bool accepted = decision.verdict == Verdict::kAccept;
    const auto equal = static_cast<std::int32_t>(planes ? pair.equal_codes : pair.equal);
    sums.bins += decision.bins;
    similar += pair.j >= t ? 1 : 0;
    sums.missed += pair.j >= t && !accepted ? 1 : 0;
    sums.wrong += pair.j < t && accepted ? 1 : 0;
    sums.differs += accepted != (equal >= needed) ? 1 : 0;
  }
  const auto n = static_cast<double>(pairs.size());
  return {.bins = sums.bins / n,
          .missed = sums.missed / std::max(similar, 1.0),
          .wrong = sums.wrong / std::max(n - similar, 1.0),
          .differs = sums.differs / n};
}

Status print_text(const std::string& corpus) {
  constexpr std::size_t kTimed = 10;  // every tenth document is compared with all after it
  TWINSIFT_TRY(const TextSample text, text_sample(corpus));
  const std::vector<TextPair> pairs = all_pairs(text);
  const double scalar = scalar_ns_per_pair(text.sample, kTimed);
  fmt::print(
      "\n### Text: {} documents, words:5, fss1, {} pairs; all components, scalar: {:.0f} ns\n\n",
      text.documents.size(), pairs.size(), scalar);
  for (const std::uint32_t t : kThresholds) {
    const auto similar =
        std::ranges::count_if(pairs, [&](const TextPair& p) { return p.j >= t / 1000.0; });
    fmt::print("{}{} pairs have J >= {}", t == kThresholds[0] ? "" : ", ", similar, t / 1000.0);
  }
  fmt::print(".\n\n");
  print_header();
  for (const std::uint32_t t : kThresholds) {
    TWINSIFT_TRY(const std::vector<Contestant> filters, contestants(t));
    for (const Contestant& filter : filters) {
      Figures figures = count_text(filter, text.sample, pairs);
      figures.ns = ns_per_pair(filter, text.sample, kTimed);
      figures.times = scalar / figures.ns;
      print_row(filter, figures, Place::kText);
    }
  }
  return ok();
}

// HOPH reads little because it weighs its groups: what its estimate is worth even if it reads all.
void print_effective_bins() {
  const HophShape shape{.a = 1, .b = 1, .groups = 10, .bins = kPaperComponents / 10};
  double squares = 0;
  for (const double w : hoph_weights(shape)) squares += w * w;
  fmt::print(
      "\nHOPH 1:1 estimates as {:.0f} components do, because its groups have weights, however many"
      " of the\n{} it reads: hence the missed and wrong pairs that the other filters do not "
      "have.\n",
      shape.bins / squares, kPaperComponents);
}

Result<bool> run(const char* corpus) {
  fmt::print("## Filters: error {:.0e}, k = {}, ours {}; one core, sketches in cache\n", kError,
             kPaperComponents, kOurComponents);
  TWINSIFT_TRY([[maybe_unused]] auto low, print_law("low", SimilarityLaw::kLow));
  TWINSIFT_TRY([[maybe_unused]] auto uniform, print_law("uniform", SimilarityLaw::kUniform));
  TWINSIFT_TRY([[maybe_unused]] auto gauss, print_law("gauss", SimilarityLaw::kGauss));
  print_effective_bins();
  if (corpus != nullptr) {
    TWINSIFT_TRY([[maybe_unused]] auto text, print_text(corpus));
  }
  return print_promise();
}

}  // namespace
}  // namespace twinsift::bench

int main(int argc, char** argv) {
  if (argc > 2) {
    fmt::print(stderr, "usage: bench_filter [CORPUS.jsonl]\n");
    return 2;
  }
  const twinsift::Result<bool> kept = twinsift::bench::run(argc == 2 ? argv[1] : nullptr);
  if (kept) return *kept ? 0 : 1;
  fmt::print(stderr, "bench_filter: {}\n", kept.error().message);
  return 2;
}
