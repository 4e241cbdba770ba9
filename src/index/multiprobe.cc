// SPDX-License-Identifier: Apache-2.0
#include "index/multiprobe.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/ascending.h"
#include "index/hamming.h"
#include "index/probe_sequence.h"
#include "index/pstable.h"

namespace twinsift {
namespace {

constexpr std::uint32_t kMaxProbes = 1024;

Result<std::unique_ptr<VectorIndex>> filled(std::unique_ptr<VectorIndex> index,
                                            const VectorRows& items) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    TWINSIFT_TRY([[maybe_unused]] const auto done, index->insert(static_cast<ItemId>(i), items[i]));
  }
  return index;
}

}  // namespace

MultiProbeIndex::MultiProbeIndex(Options options, std::unique_ptr<const VectorFamily> family,
                                 std::size_t dimension)
    : options_(std::move(options)),
      family_(std::move(family)),
      store_(dimension),
      tables_(family_->tables()) {}

Status MultiProbeIndex::insert(ItemId id, VectorView vector) {
  TWINSIFT_TRY([[maybe_unused]] const auto stored, store_.insert(id, vector));
  Cells cells;
  std::vector<Move> moves;
  for (std::uint32_t t = 0; t < tables_.size(); ++t) {
    const std::uint64_t key = family_->key(vector, t, cells, moves);
    tables_[t].insert(cells, key, id);
  }
  return ok();
}

Status MultiProbeIndex::erase(ItemId id) {
  if (!store_.holds(id)) return Error{ErrorCode::kNotFound, fmt::format("there is no id {}", id)};
  Cells cells;
  std::vector<Move> moves;
  for (std::uint32_t t = 0; t < tables_.size(); ++t) {
    const std::uint64_t key = family_->key(store_[id], t, cells, moves);
    tables_[t].erase(cells, key, id);
  }
  store_.erase(id);
  return ok();
}

Status MultiProbeIndex::candidates(VectorView vector, std::vector<ItemId>& out) const {
  out.clear();
  TWINSIFT_TRY([[maybe_unused]] const auto checked, store_.check(vector));
  ProbedTable::Question question;
  std::vector<Move> moves;
  for (std::uint32_t t = 0; t < tables_.size(); ++t) {
    question.key = family_->key(vector, t, question.cells, moves);
    probe_keys(question.key, moves, options_.probes, question.keys);
    tables_[t].read(question, options_.probes, options_.gamma, out);
  }
  sort_unique(out);
  return ok();
}

Result<std::unique_ptr<VectorIndex>> make_basic_lsh(std::string_view text,
                                                    const VectorRows& training,
                                                    const VectorRows& items) {
  const bool hamming = index_name(text) == "hamming1";
  TWINSIFT_TRY(const IndexSpec spec,
               IndexSpec::parse(text, {"v", "l", hamming ? "theta" : "r", "seed"}));
  TWINSIFT_TRY(auto family,
               hamming ? make_hamming_family(spec, training) : make_pstable_family(spec, training));
  MultiProbeIndex::Options options;
  options.spec = fmt::format("{}:{}", index_name(text), family->parameters());
  return filled(
      std::make_unique<MultiProbeIndex>(std::move(options), std::move(family), training.dimension),
      items);
}

Result<std::unique_ptr<VectorIndex>> make_multiprobe(std::string_view text,
                                                     const VectorRows& training,
                                                     const VectorRows& items) {
  TWINSIFT_TRY(const IndexSpec spec, IndexSpec::parse(text, {"family", "probes", "gamma", "v", "l",
                                                             "theta", "r", "seed"}));
  TWINSIFT_TRY(auto family, make_family(spec, training));
  TWINSIFT_TRY(const auto probes, spec.number("probes", 4, 0, kMaxProbes));
  TWINSIFT_TRY(const double gamma, spec.real("gamma", 16));
  MultiProbeIndex::Options options{.probes = static_cast<std::uint32_t>(probes), .gamma = gamma};
  options.spec = fmt::format("multiprobe2:family={},probes={},gamma={},{}",
                             spec.text("family", "hamming"), probes, gamma, family->parameters());
  return filled(
      std::make_unique<MultiProbeIndex>(std::move(options), std::move(family), training.dimension),
      items);
}

}  // namespace twinsift
