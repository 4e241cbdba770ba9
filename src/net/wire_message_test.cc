// SPDX-License-Identifier: Apache-2.0
#include "net/wire_message.h"

#include <string>

#include <gtest/gtest.h>
#include <msgpack.hpp>

namespace twinsift::net {
namespace {

std::string request(const std::string& name) {
  msgpack::sbuffer buffer;
  msgpack::packer<msgpack::sbuffer> packer(buffer);
  packer.pack_map(3);
  packer.pack("a");
  packer.pack_map(0);
  packer.pack("q");
  packer.pack(name);
  packer.pack("y");
  packer.pack("q");
  return {buffer.data(), buffer.size()};
}

struct PutShape {
  std::uint16_t type = kValueType;
  std::size_t data = 0;
  std::size_t values = 1;
  bool priority = false;
  bool owner = false;
};

std::string put(const PutShape& shape) {
  msgpack::sbuffer buffer;
  msgpack::packer<msgpack::sbuffer> packer(buffer);
  packer.pack_map(3);
  packer.pack("a");
  packer.pack_map(1);
  packer.pack("values");
  packer.pack_array(static_cast<std::uint32_t>(shape.values));
  for (std::size_t i = 0; i < shape.values; ++i) {
    packer.pack_map(shape.priority ? 3 : 2);
    packer.pack("id");
    packer.pack(7);
    packer.pack("dat");
    packer.pack_map(1);
    packer.pack("body");
    packer.pack_map(shape.owner ? 4 : 3);
    packer.pack("type");
    packer.pack(shape.type);
    packer.pack("data");
    packer.pack_bin(static_cast<std::uint32_t>(shape.data));
    packer.pack_bin_body(std::string(shape.data, 'd').data(),
                         static_cast<std::uint32_t>(shape.data));
    packer.pack("utype");
    packer.pack("bytes");
    if (shape.owner) {
      packer.pack("owner");
      packer.pack("somebody");
    }
    if (shape.priority) {
      packer.pack("p");
      packer.pack(1);
    }
  }
  packer.pack("q");
  packer.pack("put");
  packer.pack("y");
  packer.pack("q");
  return {buffer.data(), buffer.size()};
}

TEST(WireMessage, KindsAreKnownByTheirNames) {
  EXPECT_EQ(message_kind(request("ping")), MessageKind::kPing);
  EXPECT_EQ(message_kind(request("find")), MessageKind::kFind);
  EXPECT_EQ(message_kind(request("get")), MessageKind::kGet);
  EXPECT_EQ(message_kind(put({})), MessageKind::kPut);
  EXPECT_EQ(message_kind(request("listen")), MessageKind::kOther);
  EXPECT_EQ(message_kind(""), MessageKind::kOther);
  EXPECT_EQ(to_text(MessageKind::kReply), "reply");
}

TEST(WireMessage, ADoorKeepsOutWhatANetworkOfEntriesDoesNotNeed) {
  EXPECT_TRUE(is_welcome(request("ping")));
  EXPECT_TRUE(is_welcome(request("get")));
  EXPECT_FALSE(is_welcome(request("listen")));
  EXPECT_FALSE(is_welcome(request("refresh")));
  EXPECT_FALSE(is_welcome(request("update")));
  EXPECT_FALSE(is_welcome(request("put")));  // of nothing
}

TEST(WireMessage, OnlyAPlainValueMayBePut) {
  EXPECT_TRUE(is_welcome(put({})));
  EXPECT_FALSE(is_welcome(put({.type = 0})));
  EXPECT_FALSE(is_welcome(put({.type = 3})));
  EXPECT_FALSE(is_welcome(put({.data = 1})));
  EXPECT_FALSE(is_welcome(put({.values = 0})));
  EXPECT_FALSE(is_welcome(put({.values = 2})));
  EXPECT_FALSE(is_welcome(put({.priority = true})));
  EXPECT_FALSE(is_welcome(put({.owner = true})));
}

// A message of keys and words, and perhaps a map of keys and lists of a number.
using Fields = std::vector<std::pair<std::string, std::string>>;
std::string message(const Fields& fields, const std::string& map = "",
                    const std::vector<std::string>& keys = {}) {
  msgpack::sbuffer buffer;
  msgpack::packer<msgpack::sbuffer> packer(buffer);
  packer.pack_map(static_cast<std::uint32_t>(fields.size() + (map.empty() ? 0 : 1)));
  for (const auto& [key, word] : fields) {
    packer.pack(key);
    packer.pack(word);
  }
  if (!map.empty()) {
    packer.pack(map);
    packer.pack_map(static_cast<std::uint32_t>(keys.size()));
    for (const std::string& key : keys) {
      packer.pack(key);
      packer.pack_array(1);
      packer.pack(60000);
    }
  }
  return {buffer.data(), buffer.size()};
}

// OpenDHT might take the other one.
TEST(WireMessage, NothingMayBeSaidTwice) {
  EXPECT_TRUE(is_welcome(message({{"q", "ping"}, {"y", "q"}}, "a")));
  EXPECT_FALSE(is_welcome(message({{"q", "ping"}, {"q", "listen"}, {"y", "q"}}, "a")));
  EXPECT_FALSE(is_welcome(message({{"y", "r"}, {"y", "q"}, {"q", "refresh"}}, "r")));
  EXPECT_TRUE(is_welcome(message({{"q", "get"}, {"y", "q"}}, "a", {"h"})));
  EXPECT_FALSE(is_welcome(message({{"q", "get"}, {"y", "q"}}, "a", {"h", "h"})));
  Fields many = {{"q", "ping"}, {"y", "q"}};
  for (int i = 0; i < 1000; ++i) many.emplace_back(std::to_string(i), "");
  EXPECT_FALSE(is_welcome(message(many, "a")));
}

// OpenDHT knows a message by what is in it, and not by what it says it is.
TEST(WireMessage, AMessageIsOfOneKind) {
  EXPECT_TRUE(is_welcome(message({{"y", "r"}}, "r")));
  EXPECT_TRUE(is_welcome(message({{"y", "e"}, {"e", ""}})));
  EXPECT_FALSE(is_welcome(message({{"y", "r"}}, "a")));
  EXPECT_FALSE(is_welcome(message({{"y", "e"}, {"q", "put"}}, "a")));
  for (const char* mark : {"r", "e", "u", "p"}) {
    EXPECT_FALSE(is_welcome(message({{"y", "q"}, {"q", "ping"}, {mark, ""}}, "a"))) << mark;
  }
  for (const char* mark : {"e", "u", "p"}) {
    EXPECT_FALSE(is_welcome(message({{"y", "r"}, {mark, ""}}, "r"))) << mark;
  }
}

// A number in the place of a value announces pieces, which a node would keep and wait for.
TEST(WireMessage, ValuesComeInOnePiece) {
  EXPECT_FALSE(is_welcome(message({{"y", "r"}}, "r", {"values"})));
  EXPECT_FALSE(is_welcome(message({{"y", "q"}, {"q", "ping"}}, "a", {"values"})));
  EXPECT_FALSE(is_welcome(message({{"y", "q"}, {"q", "put"}}, "a", {"values"})));
}

TEST(WireMessage, CutOffAndChangedMessagesAreSurvived) {
  const std::string good = put({});
  for (std::size_t size = 0; size < good.size(); ++size) {
    EXPECT_FALSE(is_welcome(good.substr(0, size)));
  }
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = good;
      changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
      message_kind(changed);
      is_welcome(changed);
    }
  }
  EXPECT_FALSE(is_welcome(std::string(60'000, '\x91')));  // arrays in arrays
  EXPECT_FALSE(is_welcome(std::string(60'000, '\xdd')));  // of 3.7 thousand million elements
}

}  // namespace
}  // namespace twinsift::net
