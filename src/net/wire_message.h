// SPDX-License-Identifier: Apache-2.0
// What kind of message of OpenDHT a datagram is, and whether a node should look at it at all.
//
// OpenDHT allows more than a network of entries needs: anybody may let a node keep values of any
// type and 64 KB each, keep the values of others alive beyond their time (`refresh`, or the same
// value once more), and be told of every change (`listen`).  All of that is dropped at the door.
//
// The door must read a message as OpenDHT does, or it lets in what it does not see.  So a message
// in which something is said twice is dropped, and one that has the marks of two kinds: OpenDHT
// goes by the marks, whatever the message calls itself.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace twinsift::net {

enum class MessageKind : std::uint8_t { kPing, kFind, kGet, kPut, kReply, kOther };
inline constexpr std::size_t kMessageKinds = 6;
std::string_view to_text(MessageKind kind);

// Of the values of a put message.
inline constexpr std::uint16_t kValueType = 0x7457;  // of entries and configurations

// kOther also for what is no message.
MessageKind message_kind(std::string_view datagram);

// Whether a node of the network should look at it.  Values come in one piece, in a put or a reply.
// A put must hold one value, of kValueType, that
// has nothing but an id and bytes: what a node stores is marked in another field, so that no value
// that comes is the same as one that is there, and every one meets the rules.
bool is_welcome(std::string_view datagram);

// A request for the values under a key.
struct GetRequest {
  std::uint32_t transaction = 0;
  std::array<std::uint8_t, 20> key{};
};
std::optional<GetRequest> read_get_request(std::string_view datagram);

// Ids and bytes of the values that one node has under a key, if it was asked for these.
struct SelectReply {
  struct Value {
    std::uint64_t id = 0;
    std::string bytes;
  };
  std::uint32_t transaction = 0;
  std::vector<Value> values{};
};
std::optional<SelectReply> read_select_reply(std::string_view datagram);

}  // namespace twinsift::net
