// SPDX-License-Identifier: Apache-2.0
// How fast two sketches are compared: byte codes in planes with the early stop, beside all 64-bit
// components one by one.
//
// One query meets N sketches.  Their similarities follow the law "low" (tune/similarity_law.h), as
// in a corpus where nearly everything is unrelated.  A component of a sketch equals the query's
// with probability J and is new otherwise.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/bits.h"
#include "base/random.h"
#include "bench/scalar_compare.h"
#include "bench/similarities.h"
#include "bench/timing.h"
#include "sketch/set_sketch.h"
#include "sketch/table.h"
#include "verify/decide.h"
#include "verify/early_stop.h"

namespace twinsift::bench {
namespace {

constexpr std::uint32_t kComponents = 1024;
constexpr std::uint32_t kThreshold = 800;  // permille
constexpr int kRuns = 7;
constexpr std::uint32_t kInCache = 1500;
// 0.5 GB of components, and 64 MB of first planes: neither fits into any cache.
constexpr std::uint32_t kFullRows = 60'000;
constexpr std::uint32_t kRows = 1'000'000;
// 0.2 GB of codes, each item's in one piece.
constexpr std::uint32_t kByteRows = 200'000;
constexpr std::uint32_t kTile = 64;
constexpr std::uint32_t kSide = 10'000;  // of the large tile

struct Data {
  SketchTable table;
  std::vector<std::uint64_t> query;
  std::vector<std::uint8_t> query_codes;
  std::vector<std::uint64_t> sketches;  // of the first kFullRows rows
  std::vector<std::uint8_t> codes;      // of the first kByteRows rows
  EarlyStopTable stop;

  [[nodiscard]] std::span<const std::uint64_t> sketch(std::uint32_t row) const {
    return std::span(sketches).subspan(std::size_t{row} * kComponents, kComponents);
  }
};

Result<Data> make_data() {
  const std::vector<std::uint32_t> looks = {64, 128, 256, 512, kComponents};
  Data data{.table = SketchTable(looks),
            .query = {},
            .query_codes = {},
            .sketches = {},
            .codes = {},
            .stop = {}};
  data.stop = group_sequential_full({.k = kComponents,
                                     .threshold_permille = kThreshold,
                                     .looks = {64, 128, 256, 512},
                                     .alpha_reject = 1e-4,
                                     .alpha_accept = 1e-4,
                                     .code_bits = 8});
  Rng rng(1);
  const SimilarityDraw draw(SimilarityLaw::kLow);
  data.query.resize(kComponents);
  for (std::uint64_t& component : data.query) component = rng.next();
  data.query_codes.resize(kComponents);
  make_codes(data.query, data.query_codes);
  data.sketches.reserve(std::size_t{kFullRows} * kComponents);
  Sketch sketch(kComponents);
  std::vector<std::uint8_t> codes(kComponents);
  for (std::uint32_t row = 0; row < kRows; ++row) {
    const double similarity = draw(rng);
    for (std::uint32_t i = 0; i < kComponents; ++i) {
      sketch[i] = rng.uniform() < similarity ? data.query[i] : rng.next();
    }
    make_codes(sketch, codes);
    TWINSIFT_TRY([[maybe_unused]] auto done, data.table.append(codes));
    if (row < kFullRows) data.sketches.insert(data.sketches.end(), sketch.begin(), sketch.end());
    if (row < kByteRows) data.codes.insert(data.codes.end(), codes.begin(), codes.end());
  }
  return data;
}

// The looks after the first one, which has seen `matches`.
bool finish(const Data& data, std::uint32_t row, std::uint32_t matches) {
  const std::vector<Look>& looks = data.stop.looks;
  const auto count = [&](std::size_t plane) {
    return count_equal(data.query_codes.data() + looks[plane - 1].bins, data.table.row(plane, row),
                       data.table.width(plane));
  };
  return run_looks(looks, matches, count).verdict == Verdict::kAccept;
}

// How many of the rows `ids` are accepted, by the early stop.
std::uint64_t count_early(const Data& data, std::span<const std::uint32_t> ids,
                          std::vector<std::uint8_t>& counts) {
  constexpr std::size_t kBatch = 4096;
  static std::vector<std::uint32_t> passed;
  counts.resize(kBatch);
  std::uint64_t accepted = 0;
  for (; !ids.empty(); ids = ids.subspan(std::min(kBatch, ids.size()))) {
    const auto batch = ids.first(std::min(kBatch, ids.size()));
    count_equal_rows(data.query_codes.data(), data.table.plane(0), batch, counts.data());
    pass_first_look(data.stop, data.table, batch, std::span(counts).first(batch.size()), passed);
    for (const std::uint32_t i : passed) {
      accepted += finish(data, batch[i], counts[i]) ? 1U : 0U;
    }
  }
  return accepted;
}

// The same loop as scalar_matches, in the hands of an optimising compiler.
std::uint32_t compiled_matches(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  std::uint32_t matches = 0;
  for (std::size_t i = 0; i < a.size(); ++i) matches += a[i] == b[i] ? 1U : 0U;
  return matches;
}

template <class Matches>
std::uint64_t count_full(const Data& data, std::span<const std::uint32_t> ids, Matches&& matches) {
  std::uint64_t accepted = 0;
  for (const std::uint32_t id : ids) {
    const std::uint64_t found = matches(data.query, data.sketch(id));
    accepted += found * 1000 >= std::uint64_t{kThreshold} * kComponents ? 1U : 0U;
  }
  return accepted;
}

// Rows 0..n-1, in this order or in a random one.
std::vector<std::uint32_t> order_of(std::uint32_t n, bool random) {
  std::vector<std::uint32_t> ids(n);
  std::iota(ids.begin(), ids.end(), 0);
  Rng rng(2);
  for (std::uint32_t i = n; random && i > 1; --i) std::swap(ids[i - 1], ids[rng.below(i)]);
  return ids;
}

struct Place {
  std::string_view name;
  std::uint32_t full_rows;
  std::uint32_t rows;
  bool random;
  double target;
};

void print_speed(const Data& data) {
  constexpr Place kPlaces[] = {{"in cache", kInCache, kInCache, false, 150},
                               {"in memory, in order", kFullRows, kRows, false, 50},
                               {"in memory, at random", kFullRows, kRows, true, 50}};
  fmt::print(
      "| Sketches | 64-bit, scalar: ns | 64-bit, compiled: ns | early stop: ns | ratio to scalar"
      " | target |\n|---|---|---|---|---|---|\n");
  for (const Place& place : kPlaces) {
    const std::vector<std::uint32_t> full_ids = order_of(place.full_rows, place.random);
    const std::vector<std::uint32_t> ids = order_of(place.rows, place.random);
    std::vector<std::uint8_t> counts;
    const auto ns = [](double took, std::size_t n) { return took * 1e9 / static_cast<double>(n); };
    const double scalar =
        ns(best_seconds(kRuns, [&] { keep(count_full(data, full_ids, scalar_matches)); }),
           full_ids.size());
    const double compiled =
        ns(best_seconds(kRuns, [&] { keep(count_full(data, full_ids, compiled_matches)); }),
           full_ids.size());
    const double early =
        ns(best_seconds(kRuns, [&] { keep(count_early(data, ids, counts)); }), ids.size());
    fmt::print("| {} | {:.0f} | {:.0f} | {:.2f} | {:.0f}x | >= {:.0f}x: {} |\n", place.name, scalar,
               compiled, early, scalar / early, place.target,
               scalar / early >= place.target ? "met" : "missed");
  }
}

// All byte codes of each row, in one piece and in order: what SIMD alone gains.  The early stop has
// more rows, because its first plane, too, must be larger than the caches.
void print_bytes(const Data& data) {
  const std::vector<std::uint32_t> ids = order_of(kRows, false);
  const auto needed = static_cast<std::uint32_t>(data.stop.looks.back().accept);
  std::vector<std::uint8_t> counts;
  const double all_seconds = best_seconds(kRuns, [&] {
    std::uint64_t accepted = 0;
    for (std::uint32_t row = 0; row < kByteRows; ++row) {
      const std::uint8_t* codes = data.codes.data() + std::size_t{row} * kComponents;
      accepted += count_equal(data.query_codes.data(), codes, kComponents) >= needed ? 1U : 0U;
    }
    keep(accepted);
  });
  const double early_seconds = best_seconds(kRuns, [&] { keep(count_early(data, ids, counts)); });
  const double all = all_seconds * 1e9 / kByteRows;
  const double early = early_seconds * 1e9 / kRows;
  constexpr double kTarget = 7;
  fmt::print(
      "\n| Byte codes in memory, in order | all, AVX2: ns | early stop: ns | ratio | target |\n"
      "|---|---|---|---|---|\n| {} sketches | {:.1f} | {:.2f} | {:.1f}x | >= {:.0f}x: {} |\n",
      kRows, all, early, all / early, kTarget, all / early >= kTarget ? "met" : "missed");
}

// How many of the pairs that the first look leaves are accepted; row 0 of the hits is `begin`.
std::uint64_t finish_hits(const Data& data, std::span<const RowPair> hits, std::uint32_t begin) {
  std::uint64_t accepted = 0;
  for (const RowPair& hit : hits) {
    const std::uint32_t row = begin + hit.row;
    const std::uint32_t matches = count_equal(data.query_codes.data(), data.table.row(0, row), 64);
    accepted += finish(data, row, matches) ? 1U : 0U;
  }
  return accepted;
}

// Blocks of rows against 64 queries in the nearest cache, as a join of all with all would go.  The
// queries are 64 copies of one, so that the law holds for every pair.
void print_tile(const Data& data) {
  constexpr std::uint32_t kBlock = 256;
  std::vector<std::uint8_t> queries;
  for (std::uint32_t i = 0; i < kTile; ++i) {
    queries.insert(queries.end(), data.query_codes.begin(), data.query_codes.begin() + 64);
  }
  std::vector<RowPair> hits(std::size_t{kTile} * kBlock + 1);
  const auto blocks = [&](bool finished) {
    std::uint64_t accepted = 0;
    for (std::uint32_t begin = 0; begin + kBlock <= kFullRows; begin += kBlock) {
      const std::span rows(data.table.row(0, begin), std::size_t{64} * kBlock);
      const std::size_t found = match_tile(queries, rows, data.stop.looks[0].reject, hits.data());
      accepted += found;
      if (finished) accepted += finish_hits(data, std::span(hits).first(found), begin);
    }
    keep(accepted);
  };
  const double pairs = kTile * static_cast<double>(kFullRows / kBlock * kBlock);
  const double first = best_seconds(kRuns, [&] { blocks(false); }) * 1e9 / pairs;
  const double whole = best_seconds(kRuns, [&] { blocks(true); }) * 1e9 / pairs;
  fmt::print(
      "\n| All pairs of a tile, {} queries | ns per pair and core | target |\n|---|---|---|\n",
      kTile);
  fmt::print("| first look | {:.2f} | <= 2: {} |\n", first, first <= 2 ? "met" : "missed");
  fmt::print("| first look, and all others of those it leaves | {:.2f} | |\n", whole);
}

// 10^8 pairs: every query with every row, all looks.  The queries are copies of one again.
void print_large_tile(const Data& data) {
  constexpr std::uint32_t kBlock = 250;
  constexpr std::uint32_t kQueries = 50;
  static_assert(kSide % kBlock == 0 && kSide % kQueries == 0);
  std::vector<std::uint8_t> queries;
  for (std::uint32_t i = 0; i < kSide; ++i) {
    queries.insert(queries.end(), data.query_codes.begin(), data.query_codes.begin() + 64);
  }
  std::vector<RowPair> hits(std::size_t{kQueries} * kBlock + 1);
  const double took = best_seconds(3, [&] {
    std::uint64_t accepted = 0;
    for (std::uint32_t begin = 0; begin < kSide; begin += kBlock) {
      const std::span rows(data.table.row(0, begin), std::size_t{64} * kBlock);
      for (std::uint32_t first = 0; first < kSide; first += kQueries) {
        const std::span some =
            std::span(queries).subspan(std::size_t{64} * first, std::size_t{64} * kQueries);
        const std::size_t found = match_tile(some, rows, data.stop.looks[0].reject, hits.data());
        accepted += finish_hits(data, std::span(hits).first(found), begin);
      }
    }
    keep(accepted);
  });
  fmt::print("\n| {0} x {0} sketches, one core | seconds | target |\n|---|---|---|\n", kSide);
  fmt::print("| all looks | {:.3f} | <= 0.25: {} |\n", took, took <= 0.25 ? "met" : "missed");
}

// Wrong verdicts: where the early stop says something else than all components.
bool print_verdicts(const Data& data) {
  const std::uint32_t all_codes = static_cast<std::uint32_t>(data.stop.looks.back().accept);
  std::uint64_t bins = 0;
  std::uint32_t against_codes = 0;
  std::uint32_t against_components = 0;
  std::uint32_t accepted = 0;
  for (std::uint32_t row = 0; row < kRows; ++row) {
    std::uint32_t matches = 0;
    std::uint32_t seen = 0;
    const Look* stop = nullptr;
    for (std::size_t plane = 0; plane < data.stop.looks.size(); ++plane) {
      const Look& look = data.stop.looks[plane];
      matches += count_equal(data.query_codes.data() + seen, data.table.row(plane, row),
                             data.table.width(plane));
      seen = look.bins;
      const auto x = static_cast<std::int32_t>(matches);
      if (stop == nullptr && (x <= look.reject || x >= look.accept)) {
        stop = &look;
        bins += look.bins;
      }
    }
    const bool early =
        finish(data, row, count_equal(data.query_codes.data(), data.table.row(0, row), 64));
    accepted += matches >= all_codes ? 1U : 0U;
    against_codes += early != (matches >= all_codes) ? 1U : 0U;
    if (row >= kFullRows) continue;
    const std::uint64_t equal = scalar_matches(data.query, data.sketch(row));
    const bool full = equal * 1000 >= std::uint64_t{kThreshold} * kComponents;
    against_components += early != full ? 1U : 0U;
  }
  fmt::print("\n| Verdicts | pairs | wrong | share |\n|---|---|---|---|\n");
  fmt::print("| against all {} codes ({} accepted) | {} | {} | {:.1e} |\n", kComponents, accepted,
             kRows, against_codes, static_cast<double>(against_codes) / kRows);
  fmt::print("| against all {} 64-bit components | {} | {} | {:.1e} |\n", kComponents, kFullRows,
             against_components, static_cast<double>(against_components) / kFullRows);
  fmt::print("\nComponents read on average: {:.1f} of {}.\n", static_cast<double>(bins) / kRows,
             kComponents);
  return against_codes <= kRows * 2e-4;
}

int run() {
  const Result<Data> data = make_data();
  if (!data) {
    fmt::print(stderr, "bench_compare: {}\n", data.error().message);
    return 2;
  }
  fmt::print("## Comparing sketches, k = {}, one core, best of {} runs\n\n", kComponents, kRuns);
  fmt::print("Filter: {}.\n\n", data->stop.spec);
  print_speed(*data);
  print_bytes(*data);
  print_tile(*data);
  print_large_tile(*data);
  return print_verdicts(*data) ? 0 : 1;
}

}  // namespace
}  // namespace twinsift::bench

int main() { return twinsift::bench::run(); }
