// SPDX-License-Identifier: Apache-2.0
#include "base/crc32c.h"

#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"

namespace twinsift {
namespace {

using Bytes = std::vector<std::byte>;
using Crc = std::uint32_t (*)(std::span<const std::byte>, std::uint32_t);

class Crc32c : public testing::TestWithParam<Crc> {};
INSTANTIATE_TEST_SUITE_P(Both, Crc32c, testing::Values(&crc32c, &crc32c_scalar));

// GOLDEN: RFC 3720, appendix B.4 (there in the order of the wire, low byte first).
TEST_P(Crc32c, VectorsOfRfc3720) {
  const Crc crc = GetParam();
  EXPECT_EQ(crc(Bytes(32, std::byte{0}), 0), 0x8A9136AAU);
  EXPECT_EQ(crc(Bytes(32, std::byte{0xFF}), 0), 0x62A8AB43U);
  Bytes up;
  for (unsigned i = 0; i < 32; ++i) up.push_back(static_cast<std::byte>(i));
  EXPECT_EQ(crc(up, 0), 0x46DD794EU);
  EXPECT_EQ(crc(Bytes(up.rbegin(), up.rend()), 0), 0x113FDB5CU);
  std::vector<unsigned char> read(48);  // an iSCSI read command
  read[0] = 0x01;
  read[1] = 0xC0;
  read[16] = 0x14;
  read[22] = 0x04;
  read[27] = 0x14;
  read[31] = 0x18;
  read[32] = 0x28;
  read[40] = 0x02;
  EXPECT_EQ(crc(std::as_bytes(std::span(read)), 0), 0xD9963A56U);
  constexpr std::string_view kCheck = "123456789";  // the check value of every list of CRCs
  EXPECT_EQ(crc(std::as_bytes(std::span(kCheck)), 0), 0xE3069283U);
  EXPECT_EQ(crc({}, 0), 0U);
}

// ORACLE: every length and every alignment, whole and in two parts.
TEST(Crc32cFast, AgreesWithScalarForEveryLengthAndPlace) {
  Rng rng(1);
  Bytes bytes(300);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(rng.below(256));
  for (std::size_t begin = 0; begin < 9; ++begin) {
    for (std::size_t n = 0; begin + n <= bytes.size(); ++n) {
      const auto part = std::span(bytes).subspan(begin, n);
      const std::uint32_t whole = crc32c_scalar(part);
      ASSERT_EQ(crc32c(part), whole);
      ASSERT_EQ(crc32c(part.subspan(n / 3), crc32c(part.first(n / 3))), whole);
      ASSERT_EQ(crc32c_scalar(part.subspan(n / 3), crc32c_scalar(part.first(n / 3))), whole);
    }
  }
}

}  // namespace
}  // namespace twinsift
