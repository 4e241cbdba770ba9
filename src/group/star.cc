// SPDX-License-Identifier: Apache-2.0
#include "group/star.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "base/parallel.h"

namespace twinsift {
namespace {

constexpr std::uint32_t kBlock = 1024;  // fixed, so that results do not depend on the threads

// What one worker counts and keeps for itself.
struct Worker {
  std::vector<ItemId> candidates;
  MatchStats stats;
  std::vector<Match> matches;
  std::optional<Error> error;
};

void add(MatchStats& sum, const MatchStats& part) {
  sum.candidates += part.candidates;
  sum.survivors += part.survivors;
  sum.matches += part.matches;
  sum.capped.insert(sum.capped.end(), part.capped.begin(), part.capped.end());
}

// Forbidden pairs out, sketches looked at: what is left in worker.candidates is worth the exact
// comparison.
void narrow(const MatchTask& task, ItemId item, bool complete, Worker& worker) {
  if (task.allowed) {
    std::erase_if(worker.candidates, [&](ItemId other) { return !task.allowed(other, item); });
  }
  worker.stats.candidates += worker.candidates.size();
  if (!complete) worker.stats.capped.push_back(item);
  task.verifier->filter(item, worker.candidates);
  worker.stats.survivors += worker.candidates.size();
}

// The first keeper of worker.candidates that matches decides.
void settle(const MatchTask& task, ItemId item, Worker& worker, Stars& stars) {
  for (const ItemId other : worker.candidates) {
    const Result<double> score = task.verifier->similarity(other, item);
    if (!score) {
      worker.error = score.error();
      return;
    }
    if (*score < 0) continue;
    stars.keeper[item] = other;
    stars.score[item] = *score;
    ++worker.stats.matches;
    return;
  }
}

void compare_with_kept(const MatchTask& task, ItemId item, ItemId from, Worker& worker,
                       Stars& stars) {
  const bool complete = task.buckets->kept(item, from, worker.candidates);
  narrow(task, item, complete, worker);
  settle(task, item, worker, stars);
}

Error cancelled() { return Error{ErrorCode::kCancelled, "the run was stopped"}; }

}  // namespace

Result<Stars> find_stars(const MatchTask& task) {
  Stars stars;
  stars.keeper.resize(task.items);
  std::iota(stars.keeper.begin(), stars.keeper.end(), 0);
  stars.score.assign(task.items, 1);
  for (ItemId item = 0; item < task.references; ++item) task.buckets->keep(item);

  std::vector<Worker> workers(std::max(task.threads, 1U));
  for (ItemId begin = task.references; begin < task.items; begin += kBlock) {
    const ItemId end = std::min(task.items, begin + kBlock);
    parallel_for(end - begin, task.threads, task.stop, [&](std::size_t i, unsigned worker) {
      const auto item = static_cast<ItemId>(begin + i);
      if (!workers[worker].error) compare_with_kept(task, item, 0, workers[worker], stars);
    });
    for (ItemId item = begin; item < end && !task.references_only; ++item) {
      if (stars.keeper[item] != item || workers[0].error) continue;
      compare_with_kept(task, item, begin, workers[0], stars);
      if (stars.keeper[item] == item) task.buckets->keep(item);
    }
    if (task.stop.stop_requested()) return cancelled();
    if (task.progress) task.progress(end);
  }
  for (const Worker& worker : workers) {
    if (worker.error) return *worker.error;
    add(stars.stats, worker.stats);
  }
  std::ranges::sort(stars.stats.capped);
  return stars;
}

Result<AllPairs> find_all_pairs(const MatchTask& task) {
  std::vector<Worker> workers(std::max(task.threads, 1U));
  const auto compare = [&](ItemId item, Worker& worker) {
    const bool complete = task.buckets->earlier(item, worker.candidates);
    if (task.references_only) {
      std::erase_if(worker.candidates, [&](ItemId other) { return other >= task.references; });
    }
    narrow(task, item, complete, worker);
    for (const ItemId other : worker.candidates) {
      const Result<double> score = task.verifier->similarity(other, item);
      if (!score) {
        worker.error = score.error();
        return;
      }
      if (*score >= 0) worker.matches.push_back({other, item, *score});
    }
  };
  for (ItemId begin = task.references; begin < task.items; begin += kBlock) {
    const ItemId end = std::min(task.items, begin + kBlock);
    parallel_for(end - begin, task.threads, task.stop, [&](std::size_t i, unsigned worker) {
      if (!workers[worker].error) compare(static_cast<ItemId>(begin + i), workers[worker]);
    });
    if (task.stop.stop_requested()) return cancelled();
    if (task.progress) task.progress(end);
  }
  AllPairs all;
  for (Worker& worker : workers) {
    if (worker.error) return *worker.error;
    worker.stats.matches = worker.matches.size();
    add(all.stats, worker.stats);
    all.matches.insert(all.matches.end(), worker.matches.begin(), worker.matches.end());
  }
  std::ranges::sort(all.matches, {}, [](const Match& m) { return std::pair(m.a, m.b); });
  std::ranges::sort(all.stats.capped);
  return all;
}

Stars stars_of(const std::vector<Match>& matches, std::uint32_t items, std::uint32_t references) {
  Stars stars;
  stars.keeper.resize(items);
  std::iota(stars.keeper.begin(), stars.keeper.end(), 0);
  stars.score.assign(items, 1);
  std::vector<Match> by_later = matches;
  std::ranges::sort(by_later, {}, [](const Match& m) { return std::pair(m.b, m.a); });
  for (const Match& match : by_later) {
    if (match.b < references || stars.keeper[match.b] != match.b) continue;
    if (stars.keeper[match.a] != match.a) continue;
    stars.keeper[match.b] = match.a;
    stars.score[match.b] = match.score;
  }
  return stars;
}

}  // namespace twinsift
