// SPDX-License-Identifier: Apache-2.0
#include "group/film_matcher.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/cancel.h"
#include "base/parallel.h"
#include "feature/film_print.h"
#include "index/film_index.h"
#include "verify/film_match.h"

namespace twinsift {
namespace {

using ItemPair = std::pair<ItemId, ItemId>;

// Of one film, so that a scene that all films show does not compare all with all.
constexpr std::size_t kMostCandidates = 512;

// The first error of many threads, in no order: any of them ends the run.
class FirstError {
 public:
  void set(const Error& error) {
    const std::scoped_lock lock(mutex_);
    if (!error_) error_ = error;
  }
  [[nodiscard]] const std::optional<Error>& get() const { return error_; }

 private:
  std::mutex mutex_;
  std::optional<Error> error_;
};

// Nothing if there is nothing to see.
Result<std::optional<FilmPrint>> print_of(const FilmTask& task, ItemId item) {
  TWINSIFT_TRY(const auto words, task.packed(item));
  if (words.empty()) return std::optional<FilmPrint>();
  TWINSIFT_TRY(FilmPrint print, unpack_film_print(words));
  return std::optional(std::move(print));
}

class FilmRun {
 public:
  explicit FilmRun(const FilmTask& task) : task_(task) {}

  Result<FilmPairs> run() {
    if (!(task_.recall > 0 && task_.recall <= 1)) {
      return Error{
          ErrorCode::kInvalidArgument,
          fmt::format("the recall is {}, but it must be above 0 and at most 1", task_.recall)};
    }
    if (task_.items <= task_.few) {
      propose_all();
    } else {
      if (const Status status = propose_by_index(); !status) return status.error();
    }
    if (const Status status = verify(); !status) return status.error();
    return std::move(outcome_);
  }

 private:
  void propose_all() {
    for (ItemId a = 0; a < task_.items; ++a) {
      for (ItemId b = a + 1; b < task_.items; ++b) pairs_.emplace_back(a, b);
    }
    outcome_.index = "all";
    outcome_.guarantee = "all pairs of films were compared";
  }

  Status propose_by_index();
  Status verify();
  // Work for each item that has a print, from many threads.
  Status for_prints(std::string_view stage,
                    const std::function<void(ItemId, const FilmPrint&)>& work);

  const FilmTask& task_;
  FilmPairs outcome_;
  std::vector<ItemPair> pairs_;
};

Status FilmRun::for_prints(std::string_view stage,
                           const std::function<void(ItemId, const FilmPrint&)>& work) {
  FirstError error;
  std::atomic<std::uint64_t> done = 0;
  parallel_for(task_.items, task_.threads, task_.stop, [&](std::size_t i, unsigned worker) {
    const auto item = static_cast<ItemId>(i);
    const auto print = print_of(task_, item);
    if (!print) return error.set(print.error());
    if (*print) work(item, **print);
    const std::uint64_t now = ++done;
    if (worker == 0 && task_.progress) task_.progress(stage, now, task_.items);
  });
  if (error.get()) return *error.get();
  if (task_.stop.stop_requested()) return cancelled_error();
  return ok();
}

Status FilmRun::propose_by_index() {
  constexpr std::uint64_t kSeed = 0;
  FilmIndex index;
  for (ItemId item = 0; item < task_.items; ++item) {
    if (task_.stop.stop_requested()) return cancelled_error();
    TWINSIFT_TRY(const auto print, print_of(task_, item));
    if (print) index.add(item, *print);
  }
  index.build(task_.recall, kSeed);
  std::vector<std::vector<FilmCandidate>> candidates(task_.items);
  const auto asked = for_prints("looking for films", [&](ItemId item, const FilmPrint& print) {
    candidates[item] = index.ask(print, kMostCandidates + 1);
  });
  if (!asked) return asked;
  for (ItemId item = 0; item < task_.items; ++item) {
    if (candidates[item].size() > kMostCandidates) outcome_.capped.push_back(item);
    for (const FilmCandidate& candidate : candidates[item]) {
      if (candidate.film != item) pairs_.push_back(std::minmax(item, candidate.film));
    }
  }
  // A pair is found from either side.
  std::ranges::sort(pairs_);
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  const FilmIndexPlan& plan = index.plan();
  outcome_.index = fmt::format("film1:bits=256,v={},l={},seed={}", plan.width, plan.tables, kSeed);
  outcome_.guarantee =
      fmt::format("films that share {} s within {} of 256 bits: P(compared) >= {:.4f}",
                  kPromisedSeconds, kPromisedBits, std::floor(plan.found * 1e4) / 1e4);
  return ok();
}

// One task for each film with candidates, which is unpacked once for all of them.
Status FilmRun::verify() {
  outcome_.candidates = pairs_.size();
  if (task_.allowed) {
    std::erase_if(pairs_, [&](const ItemPair& p) { return !task_.allowed(p.first, p.second); });
  }
  outcome_.verified = pairs_.size();
  std::vector<std::optional<Timeline>> timelines(pairs_.size());
  FirstError error;
  const auto compared = for_prints("comparing films", [&](ItemId a, const FilmPrint& print) {
    auto pair = std::ranges::lower_bound(pairs_, a, {}, &ItemPair::first);
    for (; pair != pairs_.end() && pair->first == a && !task_.stop.stop_requested(); ++pair) {
      const auto other = print_of(task_, pair->second);
      if (!other) return error.set(other.error());
      if (!*other) continue;
      timelines[static_cast<std::size_t>(pair - pairs_.begin())] = match_film(print, **other);
    }
  });
  if (!compared) return compared;
  if (error.get()) return *error.get();
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    if (!timelines[i]) continue;
    outcome_.pairs.push_back({pairs_[i].first, pairs_[i].second, *std::move(timelines[i])});
  }
  return ok();
}

}  // namespace

Result<FilmPairs> find_film_pairs(const FilmTask& task) { return FilmRun(task).run(); }

}  // namespace twinsift
