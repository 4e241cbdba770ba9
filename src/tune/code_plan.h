// SPDX-License-Identifier: Apache-2.0
// Choosing the tables of multi-index hashing: from (radius, recall) to their number, width and
// flips.
//
// A code of `bits` bits has `tables` disjoint groups of `width` bits.  A pair is found if some
// group differs in at most `flips` bits.  For two codes at distance d whose differing bits are
// a random set,
//     P(missed) = [x^d] (sum_{j > flips} C(width, j) x^j)^tables (1 + x)^(bits - tables width)
//                 / C(bits, d),
// a sum of positive terms.  The groups are random (index/mih.h), so this is the probability for any
// fixed pair; it grows with d.  By the pigeonhole principle nothing is missed once tables * (flips
// + 1) > d; for that, some tables may do with one flip less.
//
// Papers:  [NPF12] Norouzi, Punjani, Fleet, "Fast Search in Hamming Space with Multi-Index
//          Hashing", CVPR 2012: the exact plan, sec. 3.
// Differs: the paper covers all bits and is always exact.  Here the groups need not cover the
//          code, and a recall below 1 saves tables: 31 of 256 bits need 16 groups of 16 bits
//          exactly, 8 for .99.
// Cost:    about bits * radius multiplications a plan, below 0.1 s for all.
#pragma once

#include <cstdint>

#include "twinsift/result.h"

namespace twinsift {

struct CodeTask {
  std::uint32_t bits = 256;
  std::uint32_t radius = 31;        // the largest distance for which the recall is promised
  double recall = 0.99;             // 1: exact
  std::uint32_t items = 1'000'000;  // expected
  double bytes_per_item = 100;      // the tables and the codes
};

struct CodePlan {
  std::uint32_t tables = 0;
  std::uint32_t width = 0;
  std::uint32_t flips = 0;
  std::uint32_t reduced = 0;  // so many of the tables have one flip less; only in exact plans
  double found = 0;           // P(found) at the radius, and at least that below
  double lookups = 0;         // buckets looked at for a question
  double candidates = 0;      // codes compared, if all keys are equally frequent
  double bytes = 0;           // of memory an item
  double nanoseconds = 0;     // for a question, by the costs in the .cc
};

// P(found) above for tables that all have the same flips.
// Requires: distance <= bits <= 512, tables * width <= bits, width > 0.
double code_found(std::uint32_t bits, std::uint32_t distance, std::uint32_t tables,
                  std::uint32_t width, std::uint32_t flips);

// The plan of the fastest questions that keeps the recall within the memory, or, where none is
// within it, that with the least memory.  kInvalidArgument if bits is not a multiple of 64
// in 64..512, the radius above bits / 4, recall not in (0, 1], or items 0 or above 2^28.
Result<CodePlan> choose_code_plan(const CodeTask& task);

}  // namespace twinsift
