// SPDX-License-Identifier: Apache-2.0
// One table of multi-probe LSH: a question's own bucket and those nearest to it.
//
// A question names the keys that lie nearest to its own (index/probe_sequence.h).  Where functions
// are many and vectors few, the buckets of all of these may be empty; it reads one occupied bucket
// then, that whose cells begin as its own do for the longest: a neighbour in the order of cells, as
// in an LSH forest.
//
// Papers:  [LV07] Lv, Josephson, Wang, Charikar, Li, "Multi-Probe LSH", VLDB 2007.  [BCG05] Bawa,
//          Condie, Ganesan, "LSH forest: self-tuning indexes for similarity search", WWW 2005.
// Differs: [LV07] reads nothing where all are empty.  Reading more neighbours, as many as there
// were
//          empty buckets, was worse at equal numbers of candidates (docs/algorithms/multiprobe.md).
// Cost:    a question looks up one key for each probe.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "index/vector_family.h"

namespace twinsift {

class ProbedTable {
 public:
  struct Question {
    Cells cells;
    std::uint64_t key = 0;            // its own
    std::vector<std::uint64_t> keys;  // nearest first, without its own
  };

  void insert(const Cells& cells, std::uint64_t key, ItemId id);
  // Requires: the id was inserted with these.
  void erase(const Cells& cells, std::uint64_t key, ItemId id);

  // Appends all ids of the question's own bucket, and of the buckets of its first `probes` keys, or
  // the neighbour's, the smallest ids up to ceil(gamma n / buckets).
  void read(const Question& question, std::uint32_t probes, double gamma,
            std::vector<ItemId>& out) const;

 private:
  using Buckets = std::map<Cells, std::vector<ItemId>>;  // ids ascending
  [[nodiscard]] std::size_t cap(double gamma) const;
  // The occupied bucket next to a question's own, which is `home` or not there (the end).
  [[nodiscard]] Buckets::const_iterator neighbour(const Cells& cells,
                                                  Buckets::const_iterator home) const;

  Buckets buckets_;
  std::unordered_map<std::uint64_t, Buckets::const_iterator> by_key_;
  std::size_t items_ = 0;
};

}  // namespace twinsift
