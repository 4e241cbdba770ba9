// SPDX-License-Identifier: Apache-2.0
// Bits into fewer bytes: an adaptive binary range coder.
//
// A bit that was mostly 0 where it was coded before costs little if it is 0 again.  What "where"
// means is the caller's choice: each has a BitModel, which learns how likely a 1 is.
//
// Papers:  G. Martin, "Range encoding: an algorithm for removing redundancy from a digitised
//          message", 1979.  I. Pavlov, LZMA: the carries, and probabilities of 11 bits.
// Cost:    one multiplication a bit, some nanoseconds.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace twinsift {

struct BitModel {
  std::uint16_t zero = 1024;  // of 2048: how likely a 0 is
  void learn(bool bit);
};

class BitEncoder {
 public:
  void add(bool bit, BitModel& model);
  // All bytes, after which nothing may be added.
  std::vector<std::uint8_t> finish();

 private:
  void shift();

  std::vector<std::uint8_t> bytes_;
  std::uint64_t low_ = 0;
  std::uint32_t range_ = 0xFFFFFFFFU;
  std::uint64_t waiting_ = 1;  // bytes that a carry may still change
  std::uint8_t first_ = 0;     // of them; the others are 0xFF
};

// The same bits for the same models.  Whatever the bytes are, bits come: behind their end as if
// there were zeros.
class BitDecoder {
 public:
  explicit BitDecoder(std::span<const std::uint8_t> bytes);
  bool next(BitModel& model);

 private:
  std::uint8_t byte() { return next_ < bytes_.size() ? bytes_[next_++] : std::uint8_t{0}; }

  std::span<const std::uint8_t> bytes_;
  std::size_t next_ = 0;
  std::uint32_t range_ = 0xFFFFFFFFU;
  std::uint32_t code_ = 0;
};

}  // namespace twinsift
