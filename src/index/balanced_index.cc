// SPDX-License-Identifier: Apache-2.0
// The index made of load-balanced tables, and its spec.
#include <algorithm>

#include <fmt/format.h>

#include "base/ascending.h"
#include "index/balanced.h"
#include "index/spec.h"

namespace twinsift {
namespace {

enum class Probe : std::uint8_t { kPaper, kRecorded };

class BalancedIndex final : public VectorIndex {
 public:
  BalancedIndex(std::string spec, Probe probe, std::unique_ptr<const VectorFamily> family,
                VectorStore store, std::uint64_t cap)
      : spec_(std::move(spec)),
        probe_(probe),
        family_(std::move(family)),
        store_(std::move(store)) {
    std::vector<std::uint64_t> keys(store_.size());
    for (std::uint32_t t = 0; t < family_->tables(); ++t) {
      for (std::size_t i = 0; i < keys.size(); ++i) {
        keys[i] = family_->key(store_[static_cast<ItemId>(i)], t);
      }
      tables_.emplace_back(keys, store_, cap);
    }
  }

  [[nodiscard]] std::string spec() const override { return spec_; }
  [[nodiscard]] std::size_t size() const override { return store_.size(); }
  [[nodiscard]] Status insert(ItemId, VectorView) override { return fixed(); }
  [[nodiscard]] Status erase(ItemId) override { return fixed(); }

  [[nodiscard]] Status candidates(VectorView vector, std::vector<ItemId>& out) const override {
    out.clear();
    TWINSIFT_TRY([[maybe_unused]] const auto checked, store_.check(vector));
    for (std::uint32_t t = 0; t < tables_.size(); ++t) {
      const std::uint64_t key = family_->key(vector, t);
      const auto range =
          probe_ == Probe::kPaper ? tables_[t].paper_probe(key) : tables_[t].recorded_probe(key);
      tables_[t].read(range, out);
    }
    sort_unique(out);
    return ok();
  }

 protected:
  [[nodiscard]] VectorView row(ItemId id) const override { return store_[id]; }

 private:
  static Error fixed() {
    return {ErrorCode::kUnsupported,
            "balanced1 is built once and for all: use multiprobe2 where vectors come and go"};
  }

  std::string spec_;
  Probe probe_;
  std::unique_ptr<const VectorFamily> family_;
  VectorStore store_;
  std::vector<BalancedTable> tables_;
};

// The cap of all tables; 0 for "auto", which each works out for itself.
Result<std::uint64_t> parse_cap(const IndexSpec& spec, std::size_t items, std::size_t dimension,
                                std::uint32_t tables) {
  const std::string_view text = spec.text("cap", "auto");
  if (text == "auto") return std::uint64_t{0};
  if (text == "none") return BalancedTable::kNoCap;
  if (text == "paper") return paper_cap(std::max<std::size_t>(items, 1), dimension, tables);
  const auto number = spec.number("cap", 0, 1, UINT32_MAX);
  if (!number) return spec.error("cap is auto, paper, none or a whole number above 0");
  return number;
}

}  // namespace

Result<std::unique_ptr<VectorIndex>> make_balanced(std::string_view text,
                                                   const VectorRows& training,
                                                   const VectorRows& items) {
  TWINSIFT_TRY(const IndexSpec spec,
               IndexSpec::parse(text, {"family", "cap", "probe", "v", "l", "theta", "r", "seed"}));
  TWINSIFT_TRY(auto family, make_family(spec, training));
  TWINSIFT_TRY(const auto probe, spec.choice("probe", {"paper", "recorded"}));
  TWINSIFT_TRY(const auto cap, parse_cap(spec, items.size(), items.dimension, family->tables()));
  VectorStore store(items.dimension);
  for (std::size_t i = 0; i < items.size(); ++i) {
    TWINSIFT_TRY([[maybe_unused]] const auto done, store.insert(static_cast<ItemId>(i), items[i]));
  }
  std::string canonical =
      fmt::format("balanced1:family={},cap={},probe={},{}", spec.text("family", "hamming"),
                  spec.text("cap", "auto"), spec.text("probe", "paper"), family->parameters());
  return std::unique_ptr<VectorIndex>(std::make_unique<BalancedIndex>(
      std::move(canonical), probe == 0 ? Probe::kPaper : Probe::kRecorded, std::move(family),
      std::move(store), cap));
}

}  // namespace twinsift
