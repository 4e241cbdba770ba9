// SPDX-License-Identifier: Apache-2.0
// Bit codes in tables, each keyed by some of their bits: the index behind mih1 and hamming1.
//
// A question looks, in each table, at the buckets of all keys within `flips` bits of its own,
// compares the codes in them and answers with those within the radius.  If the buckets hold so many
// that reading all codes in order is cheaper (few codes, or many alike), it does that instead: no
// question costs much more than a scan, and the answer can only be more complete.
#pragma once

#include <string>
#include <vector>

#include "index/code_index.h"
#include "index/postings.h"

namespace twinsift {

// The bits of one table.
struct BitSample {
  std::vector<std::uint64_t> masks;  // one for each word of a code
  std::uint32_t flips = 0;           // 0 if there are more than CodeTables::kAddressBits bits
};

class CodeTables final : public CodeIndex {
 public:
  static constexpr unsigned kAddressBits = Postings::kMaxBits;

  struct Layout {
    std::string spec;
    std::uint32_t words = 0;               // of a code
    std::uint32_t radius = 0;              // questions for more are answered by a scan
    unsigned address_bits = kAddressBits;  // wider keys are hashed to so many bits
    std::vector<BitSample> samples = {};
  };
  explicit CodeTables(Layout layout);

  [[nodiscard]] std::string spec() const override { return layout_.spec; }
  [[nodiscard]] std::size_t size() const override { return size_; }
  [[nodiscard]] std::size_t bytes() const override;
  [[nodiscard]] Status insert(ItemId id, CodeView code) override;
  [[nodiscard]] Status insert_all(ItemId first, CodeView codes) override;
  [[nodiscard]] Status erase(ItemId id) override;
  [[nodiscard]] Status near(CodeView code, std::uint32_t radius,
                            std::vector<CodeMatch>& out) const override;

 private:
  struct Probe {
    std::uint32_t table;
    std::uint32_t address;
  };
  [[nodiscard]] bool holds(ItemId id) const;
  [[nodiscard]] CodeView row(ItemId id) const;
  [[nodiscard]] std::uint32_t rows() const { return static_cast<std::uint32_t>(alive_.size()); }
  [[nodiscard]] std::uint32_t address(std::size_t table, std::uint64_t key) const;
  [[nodiscard]] Status check(CodeView code) const;
  [[nodiscard]] Status check_free(ItemId first, std::size_t count) const;
  void keep(ItemId id, CodeView code);
  void make_room(std::size_t ids);
  void add_probes(std::size_t table, CodeView code, std::vector<Probe>& probes) const;
  void scan(CodeView code, std::uint32_t radius, std::vector<CodeMatch>& out) const;

  Layout layout_;
  std::vector<unsigned> widths_;  // bits of each sample
  std::vector<Postings> tables_;
  std::vector<std::uint64_t> codes_;  // one after another, by id; up to the largest there is
  std::vector<bool> alive_;
  std::size_t size_ = 0;
};

}  // namespace twinsift
