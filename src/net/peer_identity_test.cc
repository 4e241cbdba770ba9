// SPDX-License-Identifier: Apache-2.0
#include "net/peer_identity.h"

#include <fstream>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/test_dir.h"
#include "net/test_identity.h"

namespace twinsift::net {
namespace {

// GOLDEN: RFC 8032, section 7.1, test 1.
TEST(PeerIdentity, SignsAsTheStandardSays) {
  const std::string seed =
      "\x9d\x61\xb1\x9d\xef\xfd\x5a\x60\xba\x84\x4a\xf4\x92\xec\x2c\xc4"
      "\x44\x49\xc5\x69\x7b\x32\x69\x19\x70\x3b\xac\x03\x1c\xae\x7f\x60";
  const auto identity = Identity::from_seed(seed);
  ASSERT_TRUE(identity);
  EXPECT_EQ(to_hex(identity->public_key()),
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
  const Signature signature = identity->sign("");
  EXPECT_EQ(signature[0], 0xe5);
  EXPECT_EQ(signature[63], 0x0b);
  EXPECT_TRUE(verify(identity->public_key(), "", signature));
}

TEST(PeerIdentity, NothingElseIsVerified) {
  const Identity a = test_identity(1);
  const Identity b = test_identity(2);
  Signature signature = a.sign("message");
  EXPECT_TRUE(verify(a.public_key(), "message", signature));
  EXPECT_FALSE(verify(b.public_key(), "message", signature));
  EXPECT_FALSE(verify(a.public_key(), "messagf", signature));
  for (std::size_t i = 0; i < signature.size(); ++i) {
    signature[i] ^= 1U;
    EXPECT_FALSE(verify(a.public_key(), "message", signature));
    signature[i] ^= 1U;
  }
}

TEST(PeerIdentity, AFileKeepsIt) {
  const TestDir dir;
  const std::string path = dir / "key";
  const auto made = Identity::load_or_create(path);
  ASSERT_TRUE(made);
  struct stat info {};
  ASSERT_EQ(stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0600U);
  const auto again = Identity::load_or_create(path);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->public_key(), made->public_key());
  const auto other = Identity::generate();
  ASSERT_TRUE(other);
  EXPECT_NE(other->public_key(), made->public_key());
}

TEST(PeerIdentity, AnOpenFileIsRefused) {
  const TestDir dir;
  const std::string path = dir / "key";
  ASSERT_TRUE(Identity::load_or_create(path));
  for (const unsigned mode : {0640U, 0604U, 0610U, 0666U}) {
    ASSERT_EQ(chmod(path.c_str(), mode), 0);
    const auto loaded = Identity::load(path);
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().code, ErrorCode::kIo);
    EXPECT_NE(loaded.error().message.find("chmod 600"), std::string::npos);
  }
  ASSERT_EQ(chmod(path.c_str(), 0400), 0);
  EXPECT_TRUE(Identity::load(path));
}

TEST(PeerIdentity, DamagedFilesAreRefused) {
  const TestDir dir;
  const std::string path = dir / "key";
  ASSERT_TRUE(Identity::load_or_create(path));
  std::string content;
  std::getline(std::ifstream(path), content, '\0');
  for (std::size_t size = 0; size < content.size(); ++size) {
    std::ofstream(path, std::ios::trunc) << content.substr(0, size);
    EXPECT_FALSE(Identity::load(path)) << size;
  }
  for (std::size_t i = 0; i < content.size(); ++i) {
    std::string damaged = content;
    damaged[i] = 'X';
    std::ofstream(path, std::ios::trunc) << damaged;
    EXPECT_FALSE(Identity::load(path)) << i;
  }
  EXPECT_FALSE(Identity::load(dir / "absent"));
  EXPECT_FALSE(Identity::load(dir / ""));
}

TEST(PeerIdentity, PublicKeysAreReadAsTheyWereWritten) {
  const PublicKey key = test_identity(3).public_key();
  const auto read = parse_public_key(to_hex(key));
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, key);
  for (const char* wrong : {"", "ab", "zz",
                            "D75A980182B10AB7D54BFED3C964073A0EE172F3DAA62325AF021"
                            "A68F707511A"}) {
    EXPECT_FALSE(parse_public_key(wrong));
  }
}

}  // namespace
}  // namespace twinsift::net
