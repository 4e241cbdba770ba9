// SPDX-License-Identifier: Apache-2.0
// Multi-probe LSH with capped neighbours: our default for vectors.
//
// In each of L tables a question reads its own bucket, all of it, and then the `probes` buckets
// whose keys are nearest to its own: the bits of the lowest margin flipped, the closest borders of
// cells crossed.  Where all of them are empty it reads the occupied one that begins as its own does
// for the longest (index/probed_table.h).  Of those neighbours it reads at most
//     cap = ceil(gamma n / buckets of the table)
// ids, the smallest ones.  What is beyond the cap stays recorded with its bucket: it is displaced
// by nothing, and a question that has its home there finds it.  So the answers contain those of
// basic LSH with the same tables, for every seed, and a hot spot next door costs no more than
// gamma usual buckets.  Cap and order depend on what is in the index alone: after any insertions
// and deletions the answers are those of a fresh index.
//
// Papers:  [LV07] Lv, Josephson, Wang, Charikar, Li, "Multi-Probe LSH", VLDB 2007. [HU18]
//          load-balanced LSH: the cap; index/balanced.h has it as in the paper.
// Differs: [LV07] has no cap and leaves empty buckets at that; [HU18] moves what is beyond it to
// other buckets and cannot
//          change.
// Cost:    a question hashes once and looks at L (1 + probes) buckets.  A change writes to L
//          buckets, in time proportional to their length if its id is not the largest there.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "index/probed_table.h"
#include "index/vector_family.h"
#include "index/vector_store.h"

namespace twinsift {

class MultiProbeIndex final : public VectorIndex {
 public:
  struct Options {
    std::string spec = {};
    std::uint32_t probes = 0;  // 0: basic LSH
    double gamma = 16;
  };
  MultiProbeIndex(Options options, std::unique_ptr<const VectorFamily> family,
                  std::size_t dimension);

  [[nodiscard]] std::string spec() const override { return options_.spec; }
  [[nodiscard]] std::size_t size() const override { return store_.size(); }
  [[nodiscard]] Status insert(ItemId id, VectorView vector) override;
  [[nodiscard]] Status erase(ItemId id) override;
  [[nodiscard]] Status candidates(VectorView vector, std::vector<ItemId>& out) const override;

 protected:
  [[nodiscard]] VectorView row(ItemId id) const override { return store_[id]; }

 private:
  Options options_;
  std::unique_ptr<const VectorFamily> family_;
  VectorStore store_;
  std::vector<ProbedTable> tables_;
};

// "hamming1:v=16,l=10,theta=median,seed=0" and "pstable1:v=8,l=20,r=4,seed=0": basic LSH.
Result<std::unique_ptr<VectorIndex>> make_basic_lsh(std::string_view spec,
                                                    const VectorRows& training,
                                                    const VectorRows& items);
// "multiprobe2:family=hamming,probes=4,gamma=16,v=16,l=10,theta=median,seed=0", or with
// family=pstable and its keys.
Result<std::unique_ptr<VectorIndex>> make_multiprobe(std::string_view spec,
                                                     const VectorRows& training,
                                                     const VectorRows& items);

}  // namespace twinsift
