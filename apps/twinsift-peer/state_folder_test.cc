// SPDX-License-Identifier: Apache-2.0
#include "state_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/test_dir.h"

namespace twinsift::cli {
namespace {

KnownNodes some_nodes() {
  return {
      .listened = *net::parse_address("127.0.0.1:4222"),
      .nodes = {*net::parse_address("192.0.2.7:1"), *net::parse_address("[2001:db8::1]:65535")}};
}

TEST(StateFolder, RemembersWhomItKnew) {
  const TestDir folder;
  const auto state = StateFolder::open(folder / "deep/er");
  ASSERT_TRUE(state) << state.error().message;
  EXPECT_EQ(state->nodes(), KnownNodes{});
  ASSERT_TRUE(state->save(some_nodes()));
  EXPECT_EQ(StateFolder::open(folder / "deep/er")->nodes(), some_nodes());
  struct stat info {};
  ASSERT_EQ(::stat((folder / "deep/er").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0700U);
}

// What was cut off or changed is nobody's advice.
TEST(StateFolder, DamagedNodesAreForgotten) {
  const std::string text = encode(some_nodes());
  ASSERT_EQ(decode_nodes(text), some_nodes());
  for (std::size_t i = 0; i < text.size(); ++i) EXPECT_FALSE(decode_nodes(text.substr(0, i))) << i;
  EXPECT_FALSE(decode_nodes(text + "x"));
  EXPECT_FALSE(decode_nodes("twinsift nodes 1\nlistened nowhere\nend\n"));
}

TEST(StateFolder, HasOnePeerAtATime) {
  const TestDir folder;
  auto first = *StateFolder::open(folder.path());
  auto second = *StateFolder::open(folder.path());
  EXPECT_TRUE(first.lock());
  const Status again = second.lock();
  ASSERT_FALSE(again);
  EXPECT_NE(again.error().message.find("peer stop"), std::string::npos);
}

}  // namespace
}  // namespace twinsift::cli
