// SPDX-License-Identifier: Apache-2.0
#include "act/attributes.h"

#include <algorithm>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/test_dir.h"

namespace twinsift {
namespace {

class AttributesTest : public testing::Test {
 protected:
  [[nodiscard]] Fd open_new(const std::string& name) const {
    return Fd(::open((dir / name).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  }
  static Attributes sorted(int fd) {
    Attributes all = attributes_of(fd);
    std::ranges::sort(all);
    return all;
  }
  TestDir dir;
};

TEST_F(AttributesTest, AFileGetsTheseAndNoOthers) {
  const Fd file = open_new("a");
  const Attributes first = {{"user.a", "1"}, {"user.b", std::string("\0\xff", 2)}};
  if (set_attributes(file.get(), first) == EOPNOTSUPP) GTEST_SKIP() << "no attributes here";
  EXPECT_EQ(sorted(file.get()), first);
  const Attributes second = {{"user.b", "2"}, {"user.c", ""}};
  EXPECT_EQ(set_attributes(file.get(), second), 0);
  EXPECT_EQ(sorted(file.get()), second);
  EXPECT_EQ(set_attributes(file.get(), {}), 0);
  EXPECT_TRUE(attributes_of(file.get()).empty());
}

// The clone of a file without an ACL must not let others in because its folder would.
TEST_F(AttributesTest, AnInheritedAclGoes) {
  const Fd plain = open_new("plain");
  // Version 2; user::rwx, user:1234:rwx, group::r-x, mask::rwx, other::---.
  const std::string acl(
      "\2\0\0\0"
      "\1\0\7\0\xff\xff\xff\xff"
      "\2\0\7\0\xd2\4\0\0"
      "\4\0\5\0\xff\xff\xff\xff"
      "\x10\0\7\0\xff\xff\xff\xff"
      "\x20\0\0\0\xff\xff\xff\xff",
      44);
  if (::setxattr(dir.path().c_str(), "system.posix_acl_default", acl.data(), acl.size(), 0) != 0) {
    GTEST_SKIP() << "no ACLs here";
  }
  const Fd heir = open_new("heir");
  ASSERT_FALSE(attributes_of(heir.get()).empty());
  EXPECT_EQ(set_attributes(heir.get(), attributes_of(plain.get())), 0);
  EXPECT_EQ(sorted(heir.get()), sorted(plain.get()));
}

// chown() takes capabilities away, so it must come first; this is what the order rests on.
TEST_F(AttributesTest, CapabilitiesOutliveChmodButNotChown) {
  const Fd file = open_new("tool");
  const std::string capability("\1\0\0\2\0\x20\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 20);
  const Attributes wanted = {{"security.capability", capability}};
  if (set_attributes(file.get(), wanted) != 0) GTEST_SKIP() << "not permitted here";
  EXPECT_EQ(::fchmod(file.get(), 0755), 0);
  EXPECT_EQ(sorted(file.get()), wanted);
  EXPECT_EQ(::fchown(file.get(), 1000, 1000), 0);
  EXPECT_TRUE(attributes_of(file.get()).empty());
}

}  // namespace
}  // namespace twinsift
