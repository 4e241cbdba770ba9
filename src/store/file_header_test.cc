// SPDX-License-Identifier: Apache-2.0
#include "store/file_header.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "base/crc32c.h"
#include "store/bytes.h"

namespace twinsift {
namespace {

FileHeader some_header() {
  FileHeader header{.kind = StoreFile::kSegment, .number = 7, .first_sequence = 8, .salt = 9};
  for (std::uint8_t i = 0; i < 16; ++i) header.id[i] = i;
  return header;
}

Result<FileHeader> decode(const std::string& bytes, StoreFile kind = StoreFile::kSegment) {
  return decode_file_header(as_bytes(bytes), kind, "seg");
}

void set_crc(std::string& bytes) {
  store(&bytes[60], crc32c(as_bytes(std::string_view(bytes).substr(0, 60))));
}

TEST(FileHeader, ComesBack) {
  const auto header = decode(encode_file_header(some_header()));
  ASSERT_TRUE(header);
  EXPECT_EQ(*header, some_header());
}

TEST(FileHeader, HasTheBytesOfTheFormat) {
  const std::string bytes = encode_file_header(some_header());
  ASSERT_EQ(bytes.size(), 64U);
  const std::string_view begin("TWINSIFT\r\nSG\x01\0\0\0\0\x01\x02\x03", 20);
  EXPECT_EQ(std::string_view(bytes).substr(0, 20), begin);
  EXPECT_EQ(std::string_view(bytes).substr(32, 9), std::string_view("\x07\0\0\0\0\0\0\0\x08", 9));
}

TEST(FileHeader, EveryFlippedBitAndEveryTruncationIsSeen) {
  const std::string good = encode_file_header(some_header());
  for (std::size_t bit = 0; bit < good.size() * 8; ++bit) {
    std::string bad = good;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << bit % 8));
    const auto header = decode(bad);
    ASSERT_FALSE(header) << bit;
    EXPECT_EQ(header.error().code, ErrorCode::kCorrupt) << bit;
  }
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_FALSE(decode(good.substr(0, size))) << size;
  }
}

TEST(FileHeader, RefusesANewerVersionByName) {
  std::string bytes = encode_file_header(some_header());
  store(&bytes[12], std::uint32_t{2});
  set_crc(bytes);
  const auto header = decode(bytes);
  ASSERT_FALSE(header);
  EXPECT_EQ(header.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(header.error().message,
            "seg: has format version 2, and this twinsift reads version 1; use a newer twinsift");
}

TEST(FileHeader, RefusesTheOtherByteOrder) {
  std::string bytes = encode_file_header(some_header());
  std::reverse(bytes.begin() + 12, bytes.begin() + 16);
  set_crc(bytes);
  std::reverse(bytes.begin() + 60, bytes.begin() + 64);
  const auto header = decode(bytes);
  ASSERT_FALSE(header);
  EXPECT_EQ(header.error().code, ErrorCode::kUnsupported);
  EXPECT_NE(header.error().message.find("other byte order"), std::string::npos);
}

TEST(FileHeader, TellsFilesApart) {
  const FileHeader header = some_header();
  EXPECT_FALSE(decode(encode_file_header(header), StoreFile::kData));
  EXPECT_TRUE(check_file_header(header, header.id, 7, "seg"));
  EXPECT_FALSE(check_file_header(header, header.id, 8, "seg"));
  EXPECT_FALSE(check_file_header(header, CollectionId{}, 7, "seg"));
}

}  // namespace
}  // namespace twinsift
