// SPDX-License-Identifier: Apache-2.0
#include "eval/vector_search.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "index/probe_sequence.h"
#include "index/spec.h"

namespace twinsift {
namespace {

// Places of cells among those of all items: odd numbers where items are, even ones between.
class CellOrder {
 public:
  explicit CellOrder(std::vector<Cells> cells) : sorted_(std::move(cells)) {
    std::ranges::sort(sorted_);
    sorted_.erase(std::unique(sorted_.begin(), sorted_.end()), sorted_.end());
  }
  [[nodiscard]] std::uint64_t place(const Cells& cells) const {
    const auto at = std::ranges::lower_bound(sorted_, cells);
    const auto rank = static_cast<std::uint64_t>(at - sorted_.begin());
    return 2 * rank + (at != sorted_.end() && *at == cells ? 1 : 0);
  }

 private:
  std::vector<Cells> sorted_;
};

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

}  // namespace

double acceleration_factor(std::size_t items, double mean_candidates) {
  assert(mean_candidates > 0);
  return static_cast<double>(items) / mean_candidates;
}

std::optional<double> relative_mrp(std::span<const std::uint32_t> by_index,
                                   std::span<const std::uint32_t> by_scan) {
  const std::uint64_t scan = std::accumulate(by_scan.begin(), by_scan.end(), std::uint64_t{0});
  const std::uint64_t index = std::accumulate(by_index.begin(), by_index.end(), std::uint64_t{0});
  if (scan == 0) return std::nullopt;
  return static_cast<double>(index) / static_cast<double>(scan);
}

VectorQuestions::VectorQuestions(const VectorSet& set, std::size_t count)
    : set_(&set), store_(set.dimension) {
  for (std::size_t i = 0; i < set.size(); ++i) {
    [[maybe_unused]] const Status stored = store_.insert(static_cast<ItemId>(i), set.rows()[i]);
    assert(stored);
  }
  count = std::min(count, set.size());
  for (std::size_t q = 0; q < count; ++q) {
    ids_.push_back(static_cast<ItemId>((2 * q + 1) * set.size() / (2 * count)));
  }
  std::vector<double> usual;
  std::vector<double> distances(set.size());
  for (std::size_t q = 0; q < count; ++q) {
    for (std::size_t i = 0; i < set.size(); ++i) {
      distances[i] = squared_distance(question(q), store_[static_cast<ItemId>(i)]);
    }
    auto& order = order_.emplace_back(set.size());
    std::iota(order.begin(), order.end(), ItemId{0});
    std::ranges::sort(order, [&](ItemId a, ItemId b) {
      return std::pair(distances[a], a) < std::pair(distances[b], b);
    });
    const std::size_t top = std::min(kTop, order.size());
    usual.push_back(std::sqrt(distances[order[order.size() / 2]]));
    std::uint32_t wanted = 0;
    std::uint32_t at_top = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (!right(q, order[i])) continue;
      ++wanted;
      at_top += i < top ? 1 : 0;
    }
    wanted_.push_back(wanted);
    by_scan_.push_back(at_top);
  }
  usual_distance_ = median(std::move(usual));
}

bool VectorQuestions::right(std::size_t q, ItemId id) const {
  if (!set_->groups.empty()) return set_->groups[ids_[q]] == set_->groups[id];
  const auto top = static_cast<std::ptrdiff_t>(std::min(kTop, order_[q].size()));
  return std::find(order_[q].begin(), order_[q].begin() + top, id) != order_[q].begin() + top;
}

double VectorQuestions::scan_score() const {
  return std::accumulate(by_scan_.begin(), by_scan_.end(), 0.0) / double(by_scan_.size());
}

SearchFigures VectorQuestions::judge(std::span<const std::uint8_t> found) const {
  const std::size_t items = set_->size();
  assert(found.size() == items * size());
  SearchFigures figures;
  std::vector<std::uint32_t> by_index;
  for (std::size_t q = 0; q < size(); ++q) {
    const auto mine = found.subspan(q * items, items);
    std::uint32_t taken = 0;
    std::uint32_t at_top = 0;
    std::uint32_t all = 0;
    for (const ItemId id : order_[q]) {
      if (mine[id] == 0) continue;
      const bool hit = right(q, id);
      all += hit ? 1 : 0;
      at_top += hit && taken < kTop ? 1 : 0;
      ++taken;
    }
    by_index.push_back(at_top);
    figures.candidates += taken;
    figures.ns_score += at_top;
    figures.recall += static_cast<double>(all) / wanted_[q];  // the question itself is wanted
  }
  const auto n = static_cast<double>(size());
  figures.candidates /= n;
  figures.ns_score /= n;
  figures.recall /= n;
  figures.relative_mrp = relative_mrp(by_index, by_scan_).value_or(1);
  return figures;
}

std::string SearchFamily::parameters() const {
  return name == "pstable" ? fmt::format("v={},l={},r={},seed={}", v, l, r, seed)
                           : fmt::format("v={},l={},seed={}", v, l, seed);
}

void HashedVectors::place_by_cells(Table& table) {
  const CellOrder order(table.cells);
  for (const Cells& cells : table.cells) table.places.push_back(order.place(cells));
  for (const auto& question : table.questions) {
    table.question_places.push_back(order.place(question.cells));
  }
}

Result<HashedVectors> HashedVectors::make(const VectorQuestions& questions,
                                          const SearchFamily& wanted) {
  TWINSIFT_TRY(const IndexSpec spec, IndexSpec::parse(fmt::format("search:family={},{}",
                                                                  wanted.name, wanted.parameters()),
                                                      {"family", "v", "l", "theta", "r", "seed"}));
  const VectorRows rows = questions.set().rows();
  TWINSIFT_TRY(const auto family, make_family(spec, rows));
  HashedVectors hashed(questions);
  for (std::uint32_t t = 0; t < wanted.l; ++t) {
    Table table;
    std::vector<Move> moves;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      table.keys.push_back(family->key(rows[i], t, table.cells.emplace_back(), moves));
    }
    const bool by_keys = wanted.order == BucketOrder::kKeys;
    for (std::size_t q = 0; q < questions.size(); ++q) {
      auto& question = table.questions.emplace_back();
      question.key = family->key(questions.question(q), t, question.cells, moves);
      probe_keys(question.key, moves, kMostProbes, question.keys);
      if (by_keys) table.question_places.push_back(question.key);
    }
    if (by_keys) {
      table.places = table.keys;
    } else {
      place_by_cells(table);
    }
    hashed.tables_.push_back(std::move(table));
  }
  return hashed;
}

void HashedVectors::multi_probe(const Table& table, std::uint32_t probes,
                                std::span<std::uint8_t> found) const {
  const std::size_t items = table.keys.size();
  ProbedTable probed;
  for (std::size_t i = 0; i < items; ++i) {
    probed.insert(table.cells[i], table.keys[i], static_cast<ItemId>(i));
  }
  std::vector<ItemId> out;
  for (std::size_t q = 0; q < questions_->size(); ++q) {
    out.clear();
    probed.read(table.questions[q], probes, kGamma, out);
    for (const ItemId id : out) found[q * items + id] = 1;
  }
}

void HashedVectors::search(const Table& table, const SearchMethod& method,
                           std::span<std::uint8_t> found) const {
  using Kind = SearchMethod::Kind;
  if (method.kind == Kind::kBasic || method.kind == Kind::kMultiProbe) {
    multi_probe(table, method.probes, found);
    return;
  }
  const BalancedTable balanced(table.places, questions_->store(), method.cap);
  std::vector<ItemId> out;
  for (std::size_t q = 0; q < questions_->size(); ++q) {
    const std::uint64_t place = table.question_places[q];
    out.clear();
    balanced.read(
        method.kind == Kind::kPaper ? balanced.paper_probe(place) : balanced.recorded_probe(place),
        out);
    for (const ItemId id : out) found[q * table.keys.size() + id] = 1;
  }
}

std::vector<SearchFigures> HashedVectors::measure(const SearchMethod& method,
                                                  std::span<const std::uint32_t> tables) const {
  assert(method.probes <= kMostProbes);
  std::vector<std::uint8_t> found(questions_->size() * questions_->set().size());
  std::vector<SearchFigures> figures;
  std::uint32_t done = 0;
  for (const std::uint32_t l : tables) {
    assert(l >= done && l <= tables_.size());
    for (; done < l; ++done) search(tables_[done], method, found);
    figures.push_back(questions_->judge(found));
  }
  return figures;
}

SearchFigures HashedVectors::measure(const SearchMethod& method) const {
  const auto all = static_cast<std::uint32_t>(tables_.size());
  return measure(method, std::span(&all, 1)).front();
}

}  // namespace twinsift
