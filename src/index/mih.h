// SPDX-License-Identifier: Apache-2.0
// Multi-index hashing: all codes within a Hamming distance, exactly or with a promised recall.
//
// The bits are cut into disjoint groups, one table for each.  If two codes differ in at most d bits
// and there are m groups, some group differs in at most floor(d / m) bits: the buckets of all keys
// so near to that of the question hold every answer.  tune/code_plan.h chooses number, width and
// flips for the fastest question; with a recall below 1 it needs fewer tables.
//
// Papers:  [NPF12] Norouzi, Punjani, Fleet, "Fast Search in Hamming Space with Multi-Index
//          Hashing", CVPR 2012.
// Differs: the groups are random bits, not consecutive ones, which in codes of pictures are
//          alike and would differ together; hence the promise for any pair.  Codes come and go.
// Cost:    31 of 256 bits, a million codes: 0.02 ms and 84 bytes a code for recall .99, 0.1 ms
//          and 93 bytes exactly, against 2.4 ms for a scan.
#pragma once

#include "index/code_index.h"
#include "tune/code_plan.h"

namespace twinsift {

// "mih1:bits=256,radius=31,recall=0.99,items=1000000,seed=0"; what is not said is as here.
Result<std::unique_ptr<CodeIndex>> make_mih(std::string_view spec);

// The plan that such an index has.
Result<CodePlan> plan_of_mih(std::string_view spec);

}  // namespace twinsift
