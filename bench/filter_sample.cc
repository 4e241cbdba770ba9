// SPDX-License-Identifier: Apache-2.0
#include "bench/filter_sample.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "base/bits.h"
#include "base/random.h"
#include "bench/corpus_texts.h"
#include "bench/scalar_compare.h"
#include "bench/similarities.h"
#include "bench/timing.h"
#include "feature/shingle.h"
#include "feature/token_set.h"
#include "sketch/set_sketch.h"
#include "twinsift/sketch.h"
#include "verify/decide.h"
#include "verify/filter.h"

namespace twinsift::bench {
namespace {

constexpr int kRuns = 5;
constexpr std::uint32_t kDrawn = 1500;  // 12 MB of components, as in bench_compare "in cache"
constexpr std::size_t kDocumentRuns = 30;
constexpr std::size_t kDocumentsInRun = 50;

Status add_item(Sample& sample, std::span<const std::uint64_t> paper,
                std::span<const std::uint64_t> ours) {
  sample.sketches.insert(sample.sketches.end(), paper.begin(), paper.end());
  std::vector<std::uint8_t> codes(ours.size());
  make_codes(ours, codes);
  return sample.codes.append(codes);
}

// The loop of the baseline, stopped by the table: what is gained is the filter's alone.
Decision decide_scalar(const EarlyStopTable& table, std::span<const std::uint64_t> a,
                       std::span<const std::uint64_t> b) {
  const std::vector<Look>& looks = table.looks;
  const auto count = [&](std::size_t i) {
    const std::size_t begin = i == 0 ? 0 : looks[i - 1].bins;
    const std::size_t size = looks[i].bins - begin;
    return scalar_matches(a.subspan(begin, size), b.subspan(begin, size));
  };
  return run_looks(looks, count(0), count);
}

// As the program filters candidates: the first look of many rows at once, then the others.
std::uint64_t count_in_planes(const EarlyStopTable& table, const Sample& sample,
                              const Sample::Row& row, std::vector<std::uint8_t>& counts) {
  const SketchTable& codes = sample.codes;
  counts.resize(row.others.size());
  count_equal_rows(codes.row(0, row.item), codes.plane(0), row.others, counts.data());
  std::uint64_t accepted = 0;
  const std::int32_t reject = table.looks.front().reject;
  for (std::size_t i = 0; i < row.others.size(); ++i) {
    if (counts[i] <= reject) continue;
    const auto count = [&](std::size_t plane) {
      return count_equal(codes.row(plane, row.item), codes.row(plane, row.others[i]),
                         codes.width(plane));
    };
    const Decision decision = run_looks(table.looks, counts[i], count);
    accepted += decision.verdict == Verdict::kAccept ? 1U : 0U;
  }
  return accepted;
}

// `work` takes one row.
template <class Work>
double time_rows(const Sample& sample, std::size_t step, Work&& work) {
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < sample.rows.size(); i += step) pairs += sample.rows[i].others.size();
  const double took = best_seconds(kRuns, [&] {
    for (std::size_t i = 0; i < sample.rows.size(); i += step) keep(work(sample.rows[i]));
  });
  return took * 1e9 / static_cast<double>(pairs);
}

}  // namespace

Result<std::vector<Contestant>> contestants(std::uint32_t threshold_permille) {
  struct Entry {
    Way way;
    const char* name;
    const char* spec;
    std::vector<std::uint32_t> looks;
  };
  const std::vector<Entry> entries = {
      {Way::kFull, "all components", "none", {}},
      {Way::kGoph, "GOPH", "goph1", {}},
      {Way::kHoph, "HOPH 1:1", "hoph1:ratio=1:1,groups=10", {}},
      {Way::kCws, "CWS filter", "cws1", {}},
      {Way::kSequential,
       "group-sequential, 64-bit",
       "gs1:full",
       {32, 64, 96, 128, 192, 256, 384, 512, 768}},
      {Way::kPlanes, "ours: byte planes, SIMD", "gs1:full", {64, 128, 256, 512}}};
  std::vector<Contestant> all;
  for (const auto& [way, name, spec, looks] : entries) {
    const bool planes = way == Way::kPlanes;
    TWINSIFT_TRY(FilterOptions options, parse_filter(spec));
    options.error = kError;
    FilterTask task{.k = planes ? kOurComponents : kPaperComponents,
                    .threshold_permille = threshold_permille,
                    .code_bits = planes ? 8U : 64U,
                    .looks = looks};
    TWINSIFT_TRY(EarlyStopTable table, make_filter(options, task));
    all.push_back({way, name, std::move(task), std::move(table)});
  }
  return all;
}

Result<Sample> draw_sample(SimilarityLaw law) {
  const SimilarityDraw draw(law);
  Rng rng(1);
  Sketch first(kOurComponents);
  for (std::uint64_t& component : first) component = rng.next();
  const std::span<const std::uint64_t> paper(first.data(), kPaperComponents);
  Sample sample;
  TWINSIFT_TRY([[maybe_unused]] auto added, add_item(sample, paper, first));
  for (std::uint32_t item = 1; item <= kDrawn; ++item) {
    const double similarity = draw(rng);
    Sketch sketch = first;
    for (std::uint64_t& component : sketch) {
      if (rng.uniform() >= similarity) component = rng.next();
    }
    TWINSIFT_TRY([[maybe_unused]] auto done,
                 add_item(sample, std::span(sketch).first(kPaperComponents), sketch));
  }
  sample.rows.push_back({0, std::vector<ItemId>(kDrawn)});
  std::iota(sample.rows[0].others.begin(), sample.rows[0].others.end(), 1U);
  return sample;
}

Result<TextSample> text_sample(const std::string& corpus) {
  TWINSIFT_TRY(const std::vector<std::string> texts, read_texts(corpus));
  TWINSIFT_TRY(const Shingler words, Shingler::make("words:5"));
  TWINSIFT_TRY(const auto paper, make_sketcher("fss1:k=1000"));
  TWINSIFT_TRY(const auto ours, make_sketcher("fss1:k=1024"));
  TextSample text;
  Shingles shingles;
  Sketch paper_sketch(kPaperComponents);
  Sketch our_sketch(kOurComponents);
  const std::size_t distance = std::max(texts.size() / kDocumentRuns, kDocumentsInRun);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i % distance >= kDocumentsInRun) continue;
    words.shingle(texts[i], shingles);
    if (shingles.ids.empty()) continue;
    make_set(shingles.ids);
    paper->sketch_ids(shingles.ids, paper_sketch);
    ours->sketch_ids(shingles.ids, our_sketch);
    TWINSIFT_TRY([[maybe_unused]] auto done, add_item(text.sample, paper_sketch, our_sketch));
    text.documents.push_back(shingles.ids);
  }
  const auto items = static_cast<ItemId>(text.documents.size());
  for (ItemId a = 0; a + 1 < items; ++a) {
    text.sample.rows.push_back({a, std::vector<ItemId>(items - a - 1)});
    std::iota(text.sample.rows[a].others.begin(), text.sample.rows[a].others.end(), a + 1);
  }
  return text;
}

double ns_per_pair(const Contestant& contestant, const Sample& sample, std::size_t step) {
  const EarlyStopTable& table = contestant.table;
  std::vector<std::uint8_t> counts;
  if (contestant.way == Way::kPlanes) {
    return time_rows(sample, step, [&](const Sample::Row& row) {
      return count_in_planes(table, sample, row, counts);
    });
  }
  return time_rows(sample, step, [&](const Sample::Row& row) {
    std::uint64_t accepted = 0;
    for (const ItemId other : row.others) {
      const Decision decision = decide_scalar(table, sample.sketch(row.item), sample.sketch(other));
      accepted += decision.verdict == Verdict::kAccept ? 1U : 0U;
    }
    return accepted;
  });
}

double scalar_ns_per_pair(const Sample& sample, std::size_t step) {
  return time_rows(sample, step, [&](const Sample::Row& row) {
    std::uint64_t equal = 0;
    for (const ItemId other : row.others) {
      equal += scalar_matches(sample.sketch(row.item), sample.sketch(other));
    }
    return equal;
  });
}

}  // namespace twinsift::bench
