// SPDX-License-Identifier: Apache-2.0
#include "base/bit_model.h"

#include <array>

#include <gtest/gtest.h>

#include "base/random.h"

namespace twinsift {
namespace {

// So many bits, of which this share is 1, in one of four contexts each.
struct Message {
  std::vector<bool> bits;
  std::vector<std::size_t> context;
  Message(std::size_t count, double ones, std::uint64_t seed) {
    Rng rng(seed);
    for (std::size_t i = 0; i < count; ++i) {
      context.push_back(rng.below(4));
      bits.push_back(rng.uniform() < ones);
    }
  }
  [[nodiscard]] std::vector<std::uint8_t> coded() const {
    BitEncoder encoder;
    std::array<BitModel, 4> models;
    for (std::size_t i = 0; i < bits.size(); ++i) encoder.add(bits[i], models[context[i]]);
    return encoder.finish();
  }
};

TEST(BitModel, DecodingGivesTheBitsBack) {
  for (const double ones : {0.0, 0.01, 0.3, 0.5, 0.97, 1.0}) {
    for (const std::size_t count :
         {std::size_t{0}, std::size_t{1}, std::size_t{9}, std::size_t{5000}}) {
      const Message message(count, ones, count + 1);
      const auto bytes = message.coded();
      BitDecoder decoder(bytes);
      std::array<BitModel, 4> models;
      for (std::size_t i = 0; i < count; ++i) {
        ASSERT_EQ(decoder.next(models[message.context[i]]), message.bits[i]) << ones << ' ' << i;
      }
    }
  }
}

// Within a tenth of the entropy, 0.286 bits for a share of 0.05, as far as models learn.
TEST(BitModel, RareBitsCostLittle) {
  EXPECT_LT(static_cast<double>(Message(80000, 0.05, 3).coded().size()), 10000 * 0.286 * 1.1);
  EXPECT_LT(static_cast<double>(Message(80000, 0.5, 3).coded().size()), 10000 * 1.05);
}

// Carries run through bytes of 0xFF.
TEST(BitModel, CarriesReachEveryByte) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Message message(400, 0.999, seed);
    const auto bytes = message.coded();
    BitDecoder decoder(bytes);
    std::array<BitModel, 4> models;
    for (std::size_t i = 0; i < message.bits.size(); ++i) {
      ASSERT_EQ(decoder.next(models[message.context[i]]), message.bits[i]) << seed;
    }
  }
}

}  // namespace
}  // namespace twinsift
