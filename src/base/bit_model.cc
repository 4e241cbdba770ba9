// SPDX-License-Identifier: Apache-2.0
#include "base/bit_model.h"

#include <utility>

namespace twinsift {
namespace {

constexpr unsigned kBits = 11;  // of a probability
constexpr unsigned kPace = 4;   // the more, the slower it learns
constexpr std::uint32_t kTop = std::uint32_t{1} << 24U;

}  // namespace

void BitModel::learn(bool bit) {
  if (bit) {
    zero = static_cast<std::uint16_t>(zero - (zero >> kPace));
  } else {
    zero = static_cast<std::uint16_t>(zero + (((1U << kBits) - zero) >> kPace));
  }
}

void BitEncoder::shift() {
  if (low_ < 0xFF000000U || low_ > 0xFFFFFFFFU) {
    const auto carry = static_cast<std::uint8_t>(low_ >> 32U);
    for (; waiting_ > 0; --waiting_) {
      bytes_.push_back(static_cast<std::uint8_t>(first_ + carry));
      first_ = 0xFF;
    }
    first_ = static_cast<std::uint8_t>(low_ >> 24U);
  }
  ++waiting_;
  low_ = (low_ & 0x00FFFFFFU) << 8U;
}

void BitEncoder::add(bool bit, BitModel& model) {
  const std::uint32_t bound = (range_ >> kBits) * model.zero;
  if (bit) {
    low_ += bound;
    range_ -= bound;
  } else {
    range_ = bound;
  }
  model.learn(bit);
  while (range_ < kTop) {
    range_ <<= 8U;
    shift();
  }
}

std::vector<std::uint8_t> BitEncoder::finish() {
  for (int i = 0; i < 5; ++i) shift();
  // The first byte is always 0, and the decoder goes on with zeros behind the end.
  bytes_.erase(bytes_.begin());
  while (!bytes_.empty() && bytes_.back() == 0) bytes_.pop_back();
  return std::move(bytes_);
}

BitDecoder::BitDecoder(std::span<const std::uint8_t> bytes) : bytes_(bytes) {
  for (int i = 0; i < 4; ++i) code_ = code_ << 8U | byte();
}

bool BitDecoder::next(BitModel& model) {
  const std::uint32_t bound = (range_ >> kBits) * model.zero;
  const bool bit = code_ >= bound;
  if (bit) {
    code_ -= bound;
    range_ -= bound;
  } else {
    range_ = bound;
  }
  model.learn(bit);
  while (range_ < kTop) {
    range_ <<= 8U;
    code_ = code_ << 8U | byte();
  }
  return bit;
}

}  // namespace twinsift
