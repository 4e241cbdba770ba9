// SPDX-License-Identifier: Apache-2.0
// One table of an index: for each key of a few bits the ids that have it, in as little memory as
// insertion and deletion allow.
//
// A bucket is one run of ids of 3 bytes (4 once an id needs them) in a pool, so that reading it is
// one access to memory.  A bucket that grows moves to a run an eighth larger; runs that were left
// are used again, and when too much lies idle, the pool is packed.  The order of ids in a bucket
// depends on what happened before: whoever answers with them sorts.
//
// Cost: 8 bytes a key and 3.1 to 3.4 bytes an id where a bucket has 15.  Insertion and
//       deletion: two or three accesses to memory, but deletion reads the bucket, so that it is
//       slow among thousands of equal keys.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "twinsift/types.h"

namespace twinsift {

class Postings {
 public:
  static constexpr ItemId kMaxId = (1U << 28U) - 1;
  static constexpr unsigned kMaxBits = 24;

  explicit Postings(unsigned bits);  // Requires: bits <= kMaxBits.

  // The ids of a key; valid until the next change.
  class Bucket {
   public:
    Bucket(const std::uint8_t* data, std::uint32_t count, unsigned width)
        : data_(data), count_(count), width_(width) {}
    [[nodiscard]] std::uint32_t size() const { return count_; }
    [[nodiscard]] ItemId operator[](std::uint32_t i) const;
    // Writes all of them and returns what comes after the last.
    ItemId* copy(ItemId* out) const;
    void prefetch() const;

   private:
    const std::uint8_t* data_;
    std::uint32_t count_;
    unsigned width_;
  };
  // All require: the key has no more bits than the table.
  [[nodiscard]] Bucket bucket(std::uint32_t key) const;
  void prefetch(std::uint32_t key) const;
  void insert(std::uint32_t key, ItemId id);  // Requires: id <= kMaxId, and not there yet.
  bool erase(std::uint32_t key, ItemId id);   // False if it is not there.

  // Replaces all: keys[i] gets first + i.
  void build(std::span<const std::uint32_t> keys, ItemId first);

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t bytes() const;

 private:
  static constexpr unsigned kGrades = 232;
  struct Head {
    std::uint64_t start : 28 = 0;  // in pairs of ids
    std::uint64_t count : 28 = 0;
    std::uint64_t grade : 8 = 0;  // of its capacity; 0 if it has none
  };

  [[nodiscard]] std::uint8_t* at(std::uint64_t pair) { return pool_.data() + pair * 2 * width_; }
  [[nodiscard]] const std::uint8_t* at(std::uint64_t pair) const {
    return pool_.data() + pair * 2 * width_;
  }
  [[nodiscard]] std::uint64_t take(unsigned grade);
  void give_back(const Head& head);
  void grow(Head& head);
  void set_count(Head& head, std::uint64_t count);
  void pack(unsigned width);
  void pack_if_idle();
  void lay_out();
  void resize_pool(std::uint64_t pairs);

  unsigned width_ = 3;  // bytes of an id
  std::vector<Head> heads_;
  std::vector<std::uint8_t> pool_;  // and room for reading a word at the last id
  std::uint64_t pairs_ = 0;         // in the pool, used or idle
  std::uint64_t needed_ = 0;        // pairs, if all runs were as small as they can be
  std::size_t size_ = 0;
  std::array<std::uint32_t, kGrades> idle_;  // the first idle run of each grade, kNone at the end
};

}  // namespace twinsift
