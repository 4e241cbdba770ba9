// SPDX-License-Identifier: Apache-2.0
#include "net/entry.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "net/test_identity.h"

namespace twinsift::net {
namespace {

using std::chrono::seconds;

constexpr std::int64_t kNow = 1'800'000'000;
constexpr seconds kLifetime{7200};

Entry some_entry(const Identity& owner) {
  Entry entry{.table = 3, .expires = kNow + 7200, .owner = owner.public_key()};
  entry.resource.fill(7);
  entry.address = *parse_address("192.0.2.7:4222");
  entry.sketch = {1, UINT64_MAX};
  entry.sketch.back() = 7;
  return entry;
}

const Network kNetwork(NetworkOptions{});
const DhtKey kKey = kNetwork.label_key(1, "text1:words:5", 3, "label", {});

TEST(Entry, IsReadAsItWasWritten) {
  const Identity owner = test_identity(1);
  const Entry entry = some_entry(owner);
  const std::string bytes = seal(entry, kKey, owner);
  EXPECT_EQ(bytes.size(), kEntryBytes);
  const auto read = open_entry(bytes, kKey, entry_id(entry), kNow, kLifetime);
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, entry);
}

// CORRUPT: no byte can be changed, and nothing cut off or added.
TEST(Entry, EveryByteCounts) {
  const Identity owner = test_identity(1);
  const Entry entry = some_entry(owner);
  const std::string bytes = seal(entry, kKey, owner);
  const auto opens = [&](const std::string& damaged) {
    return open_entry(damaged, kKey, entry_id(entry), kNow, kLifetime).has_value();
  };
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    EXPECT_FALSE(opens(damaged)) << i;
    EXPECT_FALSE(opens(bytes.substr(0, i))) << i;
  }
  EXPECT_FALSE(opens(bytes + "x"));
}

// Replayed elsewhere, later, or in the place of somebody else's entry.
TEST(Entry, HoldsOnlyWhereAndWhenItWasMeant) {
  const Identity owner = test_identity(1);
  const Entry entry = some_entry(owner);
  const std::string bytes = seal(entry, kKey, owner);
  const std::uint64_t id = entry_id(entry);
  const auto opens = [&](const DhtKey& key, std::uint64_t at, std::int64_t now) {
    return open_entry(bytes, key, at, now, kLifetime).has_value();
  };
  EXPECT_TRUE(opens(kKey, id, kNow));
  EXPECT_FALSE(opens(kNetwork.label_key(1, "text1:words:5", 3, "lobel", {}), id, kNow));
  EXPECT_FALSE(opens(kNetwork.label_key(1, "text1:words:5", 4, "label", {}), id, kNow));
  EXPECT_FALSE(opens(kNetwork.label_key(1, "text1:words:5", 3, "label", {1, 0}), id, kNow));
  EXPECT_FALSE(opens(kKey, id + 1, kNow));
  EXPECT_FALSE(opens(kKey, id, entry.expires));
  EXPECT_TRUE(opens(kKey, id, entry.expires - 1));
}

// A clock that is an hour wrong is survived; a forger cannot publish for ever.
TEST(Entry, ClocksMayDifferByAnHour) {
  const Identity owner = test_identity(1);
  Entry entry = some_entry(owner);
  const auto opens = [&](std::int64_t clock) {
    entry.expires = clock + kLifetime.count();
    return open_entry(seal(entry, kKey, owner), kKey, entry_id(entry), kNow, kLifetime).has_value();
  };
  EXPECT_TRUE(opens(kNow + 3600));
  EXPECT_TRUE(opens(kNow - 3600));
  EXPECT_FALSE(opens(kNow + 2 * 3600));
  EXPECT_FALSE(opens(kNow - 2 * 3600));
}

TEST(Entry, AnotherOwnerHasAnotherPlace) {
  EXPECT_NE(entry_id(some_entry(test_identity(1))), entry_id(some_entry(test_identity(2))));
}

RC_GTEST_PROP(Entry, AnyBytesAreRefused, (std::string bytes)) {
  bytes.resize(kEntryBytes);
  bytes[0] = 3;
  RC_ASSERT(!open_entry(bytes, kKey, 1, 0, kLifetime));
}

TEST(Address, IsReadAsItWasWritten) {
  for (const char* text : {"127.0.0.1:4222", "[::1]:65535", "[2001:db8::7]:1", "0.0.0.0:0"}) {
    const auto address = parse_address(text);
    ASSERT_TRUE(address) << text;
    EXPECT_EQ(to_text(*address), text);
  }
  for (const char* text : {"", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1",
                           "localhost:1", "::1:4222", "[::1]", "[127.0.0.1]:1", "1.2.3.4:5x"}) {
    EXPECT_FALSE(parse_address(text)) << text;
  }
}

}  // namespace
}  // namespace twinsift::net
