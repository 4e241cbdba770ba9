// SPDX-License-Identifier: Apache-2.0
#include "eval/scan.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <span>
#include <thread>

#include <fmt/format.h>

#include "base/bits.h"
#include "base/cancel.h"
#include "base/parallel.h"
#include "eval/cpu_time.h"
#include "sketch/doph.h"
#include "sketch/set_sketch.h"
#include "sketch/table.h"
#include "twinsift/sketch.h"
#include "verify/decide.h"

namespace twinsift {
namespace {

constexpr std::uint32_t kPart = 100'000;  // documents in memory: 800 MB of 64-bit bins
constexpr std::uint32_t kLowest = 500;    // no threshold is below it

unsigned all_threads() { return std::max(1U, std::thread::hardware_concurrency()); }

// A sketcher whose sketches have no empty bins.
class DenseSketcher {
 public:
  static Result<DenseSketcher> make(const std::string& spec, std::uint64_t seed) {
    TWINSIFT_TRY(auto sketcher, make_sketcher(spec));
    return DenseSketcher(std::move(sketcher), seed);
  }

  [[nodiscard]] std::uint32_t k() const { return sketcher_->k(); }
  void sketch(const TokenSet& ids, std::span<std::uint64_t> out) const {
    sketcher_->sketch_ids(ids, out);
    if (sketcher_->leaves_empty()) densify(out, seed_);
  }

 private:
  DenseSketcher(std::unique_ptr<Sketcher> sketcher, std::uint64_t seed)
      : sketcher_(std::move(sketcher)), seed_(seed) {}
  std::unique_ptr<Sketcher> sketcher_;
  std::uint64_t seed_;
};

// Sketches of one thing after the other.
struct Bins {
  std::uint32_t k = 0;
  std::vector<std::uint64_t> all{};
  [[nodiscard]] std::span<const std::uint64_t> of(std::size_t i) const {
    return std::span(all).subspan(i * k, k);
  }
};

Bins sketch_all(const DenseSketcher& sketcher, std::span<const TokenSet> sets,
                const std::stop_token& stop) {
  Bins bins{sketcher.k()};
  bins.all.resize(sets.size() * bins.k);
  parallel_for(sets.size(), all_threads(), stop, [&](std::size_t i, unsigned) {
    sketcher.sketch(sets[i], std::span(bins.all).subspan(i * bins.k, bins.k));
  });
  return bins;
}

// Byte codes of the queries, then of the documents, which are sketched a few at a time.
Result<SketchTable> code_all(const DenseSketcher& sketcher, std::span<const TokenSet> queries,
                             std::span<const TokenSet> documents, const std::stop_token& stop) {
  std::vector<std::uint32_t> looks(kOurLooks.begin(), kOurLooks.end());
  looks.push_back(sketcher.k());
  SketchTable table(std::move(looks));
  constexpr std::size_t kFew = 4096;
  for (std::span<const TokenSet> sets : {queries, documents}) {
    for (; !sets.empty(); sets = sets.subspan(std::min(kFew, sets.size()))) {
      if (stop.stop_requested()) return cancelled_error();
      const auto some = sets.first(std::min(kFew, sets.size()));
      const Bins bins = sketch_all(sketcher, some, stop);
      std::vector<std::uint8_t> codes(bins.k);
      for (std::size_t i = 0; i < some.size(); ++i) {
        make_codes(bins.of(i), codes);
        TWINSIFT_TRY([[maybe_unused]] auto added, table.append(codes));
      }
    }
  }
  return table;
}

// Documents in memory, with what is true of them.
struct Part {
  std::vector<TokenSet> sets;
  std::vector<std::vector<QueryOverlap>> similar;  // of each document
};

Part make_part(const Workload& workload, const QueryIndex& index, std::uint32_t begin,
               std::uint32_t end, const std::stop_token& stop) {
  Part part;
  part.sets.resize(end - begin);
  part.similar.resize(end - begin);
  parallel_for(part.sets.size(), all_threads(), stop, [&](std::size_t i, unsigned) {
    part.sets[i] = workload.document(begin + static_cast<std::uint32_t>(i));
    part.similar[i] = index.similar(part.sets[i], kLowest);
  });
  return part;
}

struct Counter {
  const ScanRun& run;
  const Part& part;
  ScanPoint& point;

  void count_similar() const {
    for (const auto& overlaps : part.similar) {
      for (const QueryOverlap& overlap : overlaps) {
        point.similar += overlap.reaches(run.threshold_permille) ? 1U : 0U;
      }
    }
  }
  // What is left open is compared exactly, so that only similar pairs are accepted.
  void count(Verdict verdict, std::size_t query, std::size_t document) const {
    if (verdict == Verdict::kReject) return;
    const bool open = verdict == Verdict::kOpen;
    const bool right = std::ranges::any_of(part.similar[document], [&](const QueryOverlap& o) {
      return o.query == query && o.reaches(run.threshold_permille);
    });
    point.open += open ? 1U : 0U;
    point.right += right ? 1U : 0U;
    point.accepted += right || !open ? 1U : 0U;
  }
};

void compare_plain(const Bins& queries, const Bins& documents, const Counter& counter,
                   const std::stop_token& stop) {
  const std::size_t count = counter.part.sets.size();
  std::uint64_t bins = 0;
  for (std::size_t q = 0; q < queries.all.size() / queries.k; ++q) {
    if (stop.stop_requested()) return;
    const auto query = queries.of(q);
    for (std::size_t d = 0; d < count; ++d) {
      const Decision decision = decide(counter.run.table, query, documents.of(d));
      bins += decision.bins;
      counter.count(decision.verdict, q, d);
    }
  }
  counter.point.bins += bins;
}

void compare_codes(const SketchTable& table, std::size_t queries, const Counter& counter,
                   const std::stop_token& stop) {
  constexpr std::size_t kTile = 1024;
  const Look& first = counter.run.table.looks.front();
  const std::size_t width = first.bins;
  const std::span plane(table.plane(0), table.size() * width);
  std::vector<RowPair> hits(queries * kTile + 1);
  for (std::size_t begin = queries; begin < table.size(); begin += kTile) {
    if (stop.stop_requested()) return;
    const std::size_t rows = std::min(kTile, table.size() - begin);
    const std::size_t found =
        match_tile(plane.first(queries * width), plane.subspan(begin * width, rows * width),
                   first.reject, hits.data());
    counter.point.bins += (queries * rows - found) * width;
    for (const RowPair& hit : std::span(hits).first(found)) {
      const std::size_t row = begin + hit.row;
      const Decision decision =
          decide(counter.run.table, table, hit.query, static_cast<ItemId>(row));
      counter.point.bins += decision.bins;
      counter.count(decision.verdict, hit.query, row - queries);
    }
  }
}

void add(const ScanPoint& more, ScanPoint& sum) {
  sum.documents += more.documents;
  sum.pairs += more.pairs;
  sum.seconds += more.seconds;
  sum.bins += more.bins;
  sum.open += more.open;
  sum.accepted += more.accepted;
  sum.right += more.right;
  sum.similar += more.similar;
}

class Scan {
 public:
  Scan(const Workload& workload, const ScanPlan& plan, const EvalOptions& options)
      : workload_(workload),
        sketches_(plan.sketches),
        runs_(plan.runs),
        options_(options),
        index_(workload.queries()) {
    result_.runs.resize(runs_.size());
    result_.sketch_seconds.resize(sketches_.size());
  }

  Result<ScanResult> go(const std::vector<std::uint32_t>& points) {
    std::uint32_t done = 0;
    for (std::size_t p = 0; p < points.size(); ++p) {
      for (std::size_t r = 0; r < runs_.size(); ++r) {
        if (p >= runs_[r].points) continue;
        auto& line = result_.runs[r];
        line.push_back(line.empty() ? ScanPoint{} : line.back());
      }
      while (done < points[p]) {
        const std::uint32_t end = std::min(points[p], done + kPart);
        TWINSIFT_TRY([[maybe_unused]] auto measured, measure_part(p, done, end));
        done = end;
      }
    }
    return std::move(result_);
  }

 private:
  Status measure_part(std::size_t p, std::uint32_t begin, std::uint32_t end) {
    const Part part = make_part(workload_, index_, begin, end, options_.stop);
    for (std::size_t s = 0; s < sketches_.size(); ++s) {
      const auto wanted = [&](const ScanRun& run) { return run.sketch == s && run.points > p; };
      if (std::ranges::none_of(runs_, wanted)) continue;
      if (options_.stop.stop_requested()) return cancelled_error();
      if (options_.progress) {
        options_.progress(fmt::format("{}, documents {} to {}", sketches_[s].name, begin, end));
      }
      TWINSIFT_TRY(const DenseSketcher sketcher,
                   DenseSketcher::make(sketches_[s].spec, options_.seed));
      if (begin == 0) time_sketching(s, sketcher);
      TWINSIFT_TRY([[maybe_unused]] auto done, sketches_[s].codes
                                                   ? run_codes(p, s, sketcher, part)
                                                   : run_plain(p, s, sketcher, part));
    }
    return ok();
  }

  // The best of several times all queries, on one thread.
  void time_sketching(std::size_t sketch, const DenseSketcher& sketcher) {
    constexpr int kTimes = 3;
    std::vector<std::uint64_t> bins(sketcher.k());
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < kTimes && !options_.stop.stop_requested(); ++i) {
      const double start = cpu_seconds();
      for (const TokenSet& query : workload_.queries()) sketcher.sketch(query, bins);
      best = std::min(best, cpu_seconds() - start);
    }
    result_.sketch_seconds[sketch] = best / static_cast<double>(workload_.queries().size());
  }

  Status run_plain(std::size_t p, std::size_t sketch, const DenseSketcher& sketcher,
                   const Part& part) {
    const Bins queries = sketch_all(sketcher, workload_.queries(), options_.stop);
    const Bins documents = sketch_all(sketcher, part.sets, options_.stop);
    return time_runs(p, sketch, part, [&](const Counter& counter) {
      compare_plain(queries, documents, counter, options_.stop);
    });
  }

  Status run_codes(std::size_t p, std::size_t sketch, const DenseSketcher& sketcher,
                   const Part& part) {
    TWINSIFT_TRY(const SketchTable table,
                 code_all(sketcher, workload_.queries(), part.sets, options_.stop));
    return time_runs(p, sketch, part, [&](const Counter& counter) {
      compare_codes(table, workload_.queries().size(), counter, options_.stop);
    });
  }

  // The best of three where that is cheap: other work on the machine only makes a pass slower.
  template <class Compare>
  ScanPoint best_pass(const ScanRun& run, const Part& part, Compare&& compare) {
    constexpr double kCheap = 0.2;
    ScanPoint best;
    for (int i = 0; i < 3; ++i) {
      ScanPoint pass{.documents = part.sets.size(),
                     .pairs = part.sets.size() * workload_.queries().size()};
      const Counter counter{run, part, pass};
      const double start = cpu_seconds();
      compare(counter);
      pass.seconds = cpu_seconds() - start;
      counter.count_similar();
      if (i == 0 || pass.seconds < best.seconds) best = pass;
      if (best.seconds > kCheap) break;
    }
    return best;
  }

  template <class Compare>
  Status time_runs(std::size_t p, std::size_t sketch, const Part& part, Compare&& compare) {
    for (std::size_t r = 0; r < runs_.size(); ++r) {
      if (runs_[r].sketch != sketch || p >= runs_[r].points) continue;
      if (options_.stop.stop_requested()) return cancelled_error();
      add(best_pass(runs_[r], part, compare), result_.runs[r].back());
    }
    return options_.stop.stop_requested() ? Status(cancelled_error()) : ok();
  }

  const Workload& workload_;
  const std::vector<ScanSketch>& sketches_;
  const std::vector<ScanRun>& runs_;
  const EvalOptions& options_;
  QueryIndex index_;
  ScanResult result_;
};

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 1 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

double ScanPoint::precision() const { return share(right, accepted); }
double ScanPoint::recall() const { return share(right, similar); }

Result<ScanResult> scan(const Workload& workload, const ScanPlan& plan,
                        const EvalOptions& options) {
  return Scan(workload, plan, options).go(plan.points);
}

}  // namespace twinsift
