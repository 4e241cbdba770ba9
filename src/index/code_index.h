// SPDX-License-Identifier: Apache-2.0
// Indexes of bit codes: which stored codes lie within a Hamming distance of a given one.
//
// Another interface than Index (twinsift/index.h), which is an immutable family of keys for
// sketches of sets: a code is compared exactly in a few nanoseconds, so that an index of codes
// holds them and answers with verified distances; and pictures and frames come and go one at a
// time.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bit_code.h"
#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

// Bit i of a code is bit i % 64 of word i / 64.
using CodeView = std::span<const std::uint64_t>;
// Its row is the id.
using CodeMatch = NearRow;

// Any number of threads may ask between changes; a change needs the caller's lock.
class CodeIndex {
 public:
  virtual ~CodeIndex() = default;

  // Canonical description, e.g. "mih1:bits=256,radius=31,recall=0.99,items=1000000,seed=0".
  [[nodiscard]] virtual std::string spec() const = 0;
  [[nodiscard]] virtual std::size_t size() const = 0;
  // Memory in use, codes and all.
  [[nodiscard]] virtual std::size_t bytes() const = 0;

  // Ids are chosen by the caller; memory grows with the largest.  kInvalidArgument if the code has
  // another length than the index or the id is taken, kLimit if the id is too large.
  [[nodiscard]] virtual Status insert(ItemId id, CodeView code) = 0;
  // The code `i` of `codes`, which lie one after another, gets the id first + i.  Faster than one
  // at a time if the index is empty; the answers are the same.  If it fails, nothing was inserted.
  [[nodiscard]] virtual Status insert_all(ItemId first, CodeView codes) = 0;
  // kNotFound if there is no such id.
  [[nodiscard]] virtual Status erase(ItemId id) = 0;

  // Replaces `out` by ids and distances of the codes within `radius`, by ascending ids: each with
  // at least the promised probability if `radius` is at most that of the spec, and nothing that is
  // farther away.  kInvalidArgument if the code has another length than the index.
  [[nodiscard]] virtual Status near(CodeView code, std::uint32_t radius,
                                    std::vector<CodeMatch>& out) const = 0;
};

// "mih1:...", "hamming1:...": see docs/algorithms.
Result<std::unique_ptr<CodeIndex>> make_code_index(std::string_view spec);

}  // namespace twinsift
