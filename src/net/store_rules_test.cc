// SPDX-License-Identifier: Apache-2.0
#include "net/store_rules.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "net/configuration.h"
#include "net/entry.h"
#include "net/test_identity.h"

namespace twinsift::net {
namespace {

constexpr std::int64_t kNow = 1'800'000'000;

struct Sealed {
  Entry entry;
  std::string bytes;
  [[nodiscard]] StoredValue value() const { return {entry_id(entry), bytes}; }
};

DhtKey key_number(std::uint8_t number) {
  DhtKey key{};
  key[3] = number;
  return key;
}

Sealed sealed(const DhtKey& key, std::uint64_t owner, std::uint16_t resource,
              std::int64_t expires = kNow + 3600) {
  const Identity identity = test_identity(owner);
  Entry entry{.expires = expires, .owner = identity.public_key()};
  entry.resource[0] = static_cast<std::uint8_t>(resource);
  entry.resource[1] = static_cast<std::uint8_t>(resource >> 8U);
  return {entry, seal(entry, key, identity)};
}

class StoreRules : public testing::Test {
 protected:
  [[nodiscard]] ErrorCode refused(const StoredValue& value, const DhtKey& key = key_number(1),
                                  const std::vector<StoredValue>& present = {}) const {
    const Status status = may_store(network_, key, value, present, kNow);
    EXPECT_FALSE(status);
    return status ? ErrorCode::kIo : status.error().code;
  }
  Network network_{NetworkOptions{}};
};

TEST_F(StoreRules, TakeAnEntryThatWasSignedForItsKey) {
  const Sealed good = sealed(key_number(1), 1, 1);
  EXPECT_TRUE(may_store(network_, key_number(1), good.value(), {}, kNow));
}

TEST_F(StoreRules, RefuseWhatIsForgedMovedExpiredOrInAnothersPlace) {
  const Sealed good = sealed(key_number(1), 1, 1);
  EXPECT_EQ(refused(good.value(), key_number(2)), ErrorCode::kCorrupt);
  std::string forged = good.bytes;
  forged[10] = static_cast<char>(forged[10] ^ 1);
  EXPECT_EQ(refused({entry_id(good.entry), forged}), ErrorCode::kCorrupt);
  EXPECT_EQ(refused({entry_id(good.entry) + 1, good.bytes}), ErrorCode::kCorrupt);
  EXPECT_EQ(refused(sealed(key_number(1), 1, 1, kNow - 1).value()), ErrorCode::kCorrupt);
  EXPECT_EQ(refused(sealed(key_number(1), 1, 1, kNow + 100 * 3600).value()), ErrorCode::kCorrupt);
  EXPECT_EQ(refused({7, "what is this"}), ErrorCode::kCorrupt);
  EXPECT_EQ(refused({7, ""}), ErrorCode::kCorrupt);
}

TEST_F(StoreRules, OneOwnerCannotFillAKeyAndAllTogetherCan) {
  std::vector<Sealed> kept;
  std::vector<StoredValue> present;
  const auto offer = [&](std::uint64_t owner, std::uint16_t resource) {
    Sealed next = sealed(key_number(1), owner, resource);
    if (!may_store(network_, key_number(1), next.value(), present, kNow)) return false;
    kept.push_back(std::move(next));
    present.clear();
    for (const Sealed& one : kept) present.push_back(one.value());
    return true;
  };
  std::size_t of_one = 0;
  for (std::uint16_t i = 0; i < 100; ++i) of_one += offer(1, i) ? 1U : 0U;
  EXPECT_EQ(of_one, kMostOfOwner);
  EXPECT_TRUE(offer(2, 0));
  for (std::uint64_t owner = 3; owner < 300; ++owner) offer(owner, 0);
  EXPECT_EQ(kept.size(), kMostEntries);
  EXPECT_EQ(refused(sealed(key_number(1), 900, 0).value(), key_number(1), present),
            ErrorCode::kLimit);
}

TEST_F(StoreRules, OnlyANewerEntryReplacesOne) {
  const DhtKey key = key_number(1);
  const Sealed older = sealed(key, 1, 1, kNow + 1000);
  const Sealed newer = sealed(key, 1, 1, kNow + 2000);
  const auto replaces = [&](const StoredValue& a, const StoredValue& b) {
    return may_replace(network_, key, a, b, kNow).has_value();
  };
  EXPECT_TRUE(replaces(older.value(), newer.value()));
  EXPECT_FALSE(replaces(newer.value(), older.value()));
  EXPECT_FALSE(replaces(newer.value(), newer.value()));
  std::string forged = newer.bytes;
  forged.back() = static_cast<char>(forged.back() ^ 1);
  EXPECT_FALSE(replaces(older.value(), {newer.value().id, forged}));
}

TEST_F(StoreRules, TakeAConfigurationAndNeverChangeIt) {
  const Identity signer = test_identity(5);
  Configuration configuration = *first_configuration(network_.options().goal, false);
  configuration.version = 9;
  configuration.signer = signer.public_key();
  const DhtKey key = network_.configuration_key(9);
  const std::string bytes = seal(configuration, key, signer);
  const StoredValue value{configuration_id(configuration), bytes};
  EXPECT_TRUE(may_store(network_, key, value, {}, kNow));
  EXPECT_EQ(refused(value, key_number(1)), ErrorCode::kCorrupt);
  configuration.shape.labels += 1;
  const std::string other = seal(configuration, key, signer);
  EXPECT_FALSE(may_replace(network_, key, value, {value.id, other}, kNow));
}

}  // namespace
}  // namespace twinsift::net
