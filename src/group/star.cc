// SPDX-License-Identifier: Apache-2.0
#include "group/star.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "base/ascending.h"
#include "base/cancel.h"
#include "base/parallel.h"

namespace twinsift {
namespace {

constexpr std::uint32_t kBlock = 2048;  // fixed, so that results do not depend on the threads

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
  const bool complete = task.candidates->kept(item, from, worker.candidates);
  narrow(task, item, complete, worker);
  settle(task, item, worker, stars);
}

// Items of one block that match others of the block, found in advance.
struct InBlock {
  bool known = false;
  std::vector<std::pair<ItemId, double>> matches;  // ascending
};

// What can be done for an item before the fate of its neighbours in the block is known.
void prepare(const MatchTask& task, ItemId item, ItemId begin, Worker& worker, Stars& stars,
             InBlock& in_block) {
  constexpr std::size_t kFew = 32;  // in a crowd most will go, and comparing all is a waste
  compare_with_kept(task, item, 0, worker, stars);
  in_block = {};
  if (stars.keeper[item] != item || worker.error || task.references_only) return;
  in_block.known = task.candidates->between(begin, item, kFew, worker.candidates);
  if (!in_block.known) return;
  narrow(task, item, true, worker);
  for (const ItemId other : worker.candidates) {
    const Result<double> score = task.verifier->similarity(other, item);
    if (!score) {
      worker.error = score.error();
      return;
    }
    if (*score >= 0) in_block.matches.emplace_back(other, *score);
  }
}

// Decides an item once all before it are decided.
void decide(const MatchTask& task, ItemId item, ItemId begin, const InBlock& in_block,
            Worker& worker, Stars& stars) {
  if (stars.keeper[item] != item || worker.error) return;
  if (!in_block.known) compare_with_kept(task, item, begin, worker, stars);
  for (const auto& [other, score] : in_block.matches) {
    if (stars.keeper[other] != other) continue;
    stars.keeper[item] = other;
    stars.score[item] = score;
    ++worker.stats.matches;
    return;
  }
  if (stars.keeper[item] == item) task.candidates->keep(item);
}

}  // namespace

Result<Stars> find_stars(const MatchTask& task) {
  Stars stars;
  stars.keeper.resize(task.items);
  std::iota(stars.keeper.begin(), stars.keeper.end(), 0);
  stars.score.assign(task.items, 1);
  for (ItemId item = 0; item < task.references; ++item) task.candidates->keep(item);

  std::vector<Worker> workers(std::max(task.threads, 1U));
  std::vector<InBlock> in_block(kBlock);
  for (ItemId begin = task.references; begin < task.items; begin += kBlock) {
    const ItemId end = std::min(task.items, begin + kBlock);
    parallel_for(end - begin, task.threads, task.stop, [&](std::size_t i, unsigned worker) {
      const auto item = static_cast<ItemId>(begin + i);
      if (workers[worker].error) return;
      prepare(task, item, begin, workers[worker], stars, in_block[i]);
    });
    for (ItemId item = begin; item < end && !task.references_only; ++item) {
      decide(task, item, begin, in_block[item - begin], workers[0], stars);
    }
    if (task.stop.stop_requested()) return cancelled_error();
    if (task.progress) task.progress(end);
  }
  for (const Worker& worker : workers) {
    if (worker.error) return *worker.error;
    add(stars.stats, worker.stats);
  }
  sort_unique(stars.stats.capped);
  return stars;
}

Result<AllPairs> find_all_pairs(const MatchTask& task) {
  std::vector<Worker> workers(std::max(task.threads, 1U));
  const auto compare = [&](ItemId item, Worker& worker) {
    const bool complete = task.candidates->earlier(item, worker.candidates);
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
    if (task.stop.stop_requested()) return cancelled_error();
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
  sort_unique(all.stats.capped);
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
