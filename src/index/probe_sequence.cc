// SPDX-License-Identifier: Apache-2.0
#include "index/probe_sequence.h"

#include <algorithm>
#include <tuple>

namespace twinsift {
namespace {

struct MoveSet {
  double cost = 0;
  std::vector<std::uint32_t> steps;  // ascending places among the sorted moves
};

// std heaps have the largest first.
bool later(const MoveSet& a, const MoveSet& b) {
  return std::tie(a.cost, a.steps) > std::tie(b.cost, b.steps);
}

double cost_of(const std::vector<Move>& moves, const std::vector<std::uint32_t>& steps) {
  double sum = 0;  // from scratch, so that equal sets cost the same however they came about
  for (const std::uint32_t step : steps) sum += moves[step].cost;
  return sum;
}

bool moves_none_twice(const std::vector<Move>& moves, const std::vector<std::uint32_t>& steps) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (moves[steps[i]].coordinate == moves[steps[j]].coordinate) return false;
    }
  }
  return true;
}

}  // namespace

void probe_keys(std::uint64_t home, std::vector<Move> moves, std::size_t count,
                std::vector<std::uint64_t>& keys) {
  keys.clear();
  if (moves.empty()) return;
  std::ranges::sort(moves, [](const Move& a, const Move& b) {
    return std::tie(a.cost, a.coordinate, a.step) < std::tie(b.cost, b.coordinate, b.step);
  });
  std::vector<MoveSet> heap = {{moves[0].cost, {0}}};
  const auto push = [&](std::vector<std::uint32_t> steps) {
    heap.push_back({cost_of(moves, steps), std::move(steps)});
    std::ranges::push_heap(heap, later);
  };
  while (keys.size() < count && !heap.empty()) {
    std::ranges::pop_heap(heap, later);
    std::vector<std::uint32_t> steps = std::move(heap.back().steps);
    heap.pop_back();
    if (moves_none_twice(moves, steps)) {
      std::uint64_t key = home;
      for (const std::uint32_t step : steps) key += moves[step].step;
      keys.push_back(key);
    }
    if (steps.back() + 1 == moves.size()) continue;
    std::vector<std::uint32_t> expanded = steps;
    expanded.push_back(steps.back() + 1);
    push(std::move(expanded));
    ++steps.back();
    push(std::move(steps));
  }
}

}  // namespace twinsift
