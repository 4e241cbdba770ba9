// SPDX-License-Identifier: Apache-2.0
// Before anything is compared: equal documents become one item.
#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "base/parallel.h"
#include "group/matcher.h"

namespace twinsift {

// Documents with equal features become one item; the rest in the order of keeping.
Status Matcher::collapse(const Task& task, Items& items) const {
  std::vector<DocId> order(documents());
  std::iota(order.begin(), order.end(), 0);
  if (task.longest_first) {
    const auto begin = order.begin() + task.references;
    std::stable_sort(begin, order.end(),
                     [&](DocId a, DocId b) { return lengths_[a] > lengths_[b]; });
  }
  items.same_as.resize(documents());
  std::iota(items.same_as.begin(), items.same_as.end(), 0);
  if (task.labels.empty()) {
    TWINSIFT_TRY([[maybe_unused]] auto collapsed, collapse_equal(task, order, items.same_as));
  }
  for (const DocId d : order) {
    if (items.same_as[d] != d || rows_[d] == kNoRow) continue;
    items.docs.push_back(d);
    items.rows.push_back(rows_[d]);
    items.references += d < task.references ? 1U : 0U;
  }
  return ok();
}

// Equal documents have equal signatures, so only those are compared: each with the first of its
// signature and sequence of words, and that one, if its set may be the same in another order,
// with the first of its signature.  That is linear in the documents.
Status Matcher::collapse_equal(const Task& task, std::span<const DocId> order,
                               std::vector<DocId>& same_as) const {
  struct Key {
    std::uint64_t signature;
    std::uint32_t place;
  };
  std::vector<Key> keys;
  keys.reserve(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    const bool empty = kinds_[order[i]] == static_cast<std::uint8_t>(Kind::kEmpty);
    if (!empty) keys.push_back({equal_[2 * order[i] + 1], i});
  }
  std::ranges::sort(keys, {}, [](const Key& k) { return std::pair(k.signature, k.place); });
  std::vector<std::span<const Key>> runs;
  for (std::size_t begin = 0, end = 0; begin < keys.size(); begin = end) {
    while (end < keys.size() && keys[end].signature == keys[begin].signature) ++end;
    if (end - begin > 1) runs.push_back(std::span(keys).subspan(begin, end - begin));
  }
  std::vector<std::optional<Error>> errors(std::max(options_.threads, 1U));
  parallel_for(runs.size(), options_.threads, task.stop, [&](std::size_t i, unsigned worker) {
    if (errors[worker]) return;
    std::vector<DocId> docs;
    for (const Key& key : runs[i]) docs.push_back(order[key.place]);
    const Status done = collapse_run(task, docs, same_as);
    if (!done) errors[worker] = done.error();
  });
  for (const auto& error : errors) {
    if (error) return *error;
  }
  return ok();
}

// Documents of one signature, in the order of keeping.
Status Matcher::collapse_run(const Task& task, std::span<const DocId> docs,
                             std::vector<DocId>& same_as) const {
  std::unordered_map<std::uint64_t, DocId> first_of_sequence;
  for (const DocId d : docs) {
    const auto [place, inserted] = first_of_sequence.emplace(equal_[2 * d], d);
    const DocId candidate = inserted ? docs.front() : place->second;
    if (candidate == d || (task.apart && task.apart(candidate, d))) continue;
    TWINSIFT_TRY(const bool same, equal(task, candidate, d));
    if (same) same_as[d] = same_as[candidate];
  }
  return ok();
}

// Hashes can meet, so what decides is the text, or the features if the text is not the same.
Result<bool> Matcher::equal(const Task& task, DocId a, DocId b) const {
  if (kinds_[a] != kinds_[b]) return false;
  const bool full = rows_[a] != kNoRow;
  if (full && options_.store_features) {
    const SetView set_a = arena_.set(rows_[a]);
    const SetView set_b = arena_.set(rows_[b]);
    return std::ranges::equal(set_a.ids, set_b.ids) &&
           std::ranges::equal(set_a.weights, set_b.weights);
  }
  if (equal_[2 * a] == equal_[2 * b]) {
    TWINSIFT_TRY(const bool same, task.same_text(a, b));
    if (same || !full) return same;
  }
  if (!full) return false;
  TWINSIFT_TRY(const WeightedSet set_a, task.remake(a));
  TWINSIFT_TRY(const WeightedSet set_b, task.remake(b));
  return set_a.tokens == set_b.tokens && set_a.weights == set_b.weights;
}

}  // namespace twinsift
