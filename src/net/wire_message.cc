// SPDX-License-Identifier: Apache-2.0
#include "net/wire_message.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <utility>

#include <msgpack.hpp>

namespace twinsift::net {
namespace {

constexpr std::array<std::string_view, kMessageKinds> kNames = {"ping", "find",  "get",
                                                                "put",  "reply", "other"};

// The datagram stays where it is: nothing is copied.
bool refer(msgpack::type::object_type /*type*/, std::size_t /*size*/, void* /*unused*/) {
  return true;
}

// Messages are not deep, and a hostile one should not become many objects.
msgpack::unpack_limit limits() { return {4096, 4096, 65536, 65536, 4096, 16}; }

const msgpack::object* find(const msgpack::object& map, std::string_view key) {
  if (map.type != msgpack::type::MAP) return nullptr;
  for (std::uint32_t i = 0; i < map.via.map.size; ++i) {
    const msgpack::object_kv& pair = map.via.map.ptr[i];
    if (pair.key.type == msgpack::type::STR &&
        std::string_view(pair.key.via.str.ptr, pair.key.via.str.size) == key) {
      return &pair.val;
    }
  }
  return nullptr;
}

std::string_view text(const msgpack::object* object) {
  if (object == nullptr || object->type != msgpack::type::STR) return {};
  return {object->via.str.ptr, object->via.str.size};
}

MessageKind kind_of(const msgpack::object& message) {
  const std::string_view type = text(find(message, "y"));
  if (type == "r") return MessageKind::kReply;
  if (type != "q") return MessageKind::kOther;
  const auto* const name = std::find(kNames.begin(), kNames.begin() + 4, text(find(message, "q")));
  return name == kNames.begin() + 4 ? MessageKind::kOther
                                    : static_cast<MessageKind>(name - kNames.begin());
}

// Whether no key of a map is there twice.  No map of OpenDHT has nearly so many.
bool says_all_once(const msgpack::object& map) {
  constexpr std::uint32_t kMostKeys = 32;
  if (map.type != msgpack::type::MAP || map.via.map.size > kMostKeys) return false;
  for (std::uint32_t i = 0; i < map.via.map.size; ++i) {
    for (std::uint32_t j = 0; j < i; ++j) {
      if (map.via.map.ptr[i].key == map.via.map.ptr[j].key) return false;
    }
  }
  return true;
}

// Answers, errors, pieces of values ("p") and news of values ("u"), as OpenDHT tells them apart.
bool has_marks(const msgpack::object& message, bool answer, bool error) {
  return (find(message, "r") != nullptr) == answer && (find(message, "e") != nullptr) == error &&
         find(message, "p") == nullptr && find(message, "u") == nullptr;
}

bool is_plain_request(const msgpack::object& message, bool put) {
  const msgpack::object* const arguments = find(message, "a");
  return arguments != nullptr && says_all_once(*arguments) && has_marks(message, false, false) &&
         (put || find(*arguments, "values") == nullptr);
}

// A number in the place of a value announces pieces.
bool is_plain_reply(const msgpack::object& message) {
  const msgpack::object* const answer = find(message, "r");
  if (answer == nullptr || !says_all_once(*answer) || !has_marks(message, true, false)) {
    return false;
  }
  const msgpack::object* const values = find(*answer, "values");
  if (values == nullptr) return true;
  if (values->type != msgpack::type::ARRAY) return false;
  return std::all_of(values->via.array.ptr, values->via.array.ptr + values->via.array.size,
                     [](const msgpack::object& v) { return v.type == msgpack::type::MAP; });
}

bool is_plain_value(const msgpack::object& value) {
  if (value.type != msgpack::type::MAP || value.via.map.size != 2) return false;
  const msgpack::object* const content = find(value, "dat");
  if (content == nullptr || content->type != msgpack::type::MAP || content->via.map.size != 1) {
    return false;
  }
  const msgpack::object* const body = find(*content, "body");
  if (body == nullptr || body->type != msgpack::type::MAP || body->via.map.size != 3) return false;
  const msgpack::object* const type = find(*body, "type");
  const msgpack::object* const data = find(*body, "data");
  return type != nullptr && type->type == msgpack::type::POSITIVE_INTEGER &&
         type->via.u64 == kValueType && data != nullptr && data->type == msgpack::type::BIN &&
         data->via.bin.size == 0 && find(*body, "utype") != nullptr;
}

bool is_plain_put(const msgpack::object& message) {
  const msgpack::object* const arguments = find(message, "a");
  if (arguments == nullptr) return false;
  const msgpack::object* const values = find(*arguments, "values");
  return values != nullptr && values->type == msgpack::type::ARRAY && values->via.array.size == 1 &&
         is_plain_value(values->via.array.ptr[0]);
}

std::optional<std::uint32_t> transaction_of(const msgpack::object& message) {
  const msgpack::object* const number = find(message, "t");
  if (number == nullptr || number->type != msgpack::type::POSITIVE_INTEGER ||
      number->via.u64 > 0xFFFFFFFF) {
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(number->via.u64);
}

std::optional<GetRequest> get_request(const msgpack::object& message) {
  const std::optional<std::uint32_t> transaction = transaction_of(message);
  const msgpack::object* const arguments = find(message, "a");
  if (kind_of(message) != MessageKind::kGet || !transaction || arguments == nullptr) {
    return std::nullopt;
  }
  const msgpack::object* const key = find(*arguments, "h");
  GetRequest request{.transaction = *transaction};
  if (key == nullptr || key->type != msgpack::type::BIN ||
      key->via.bin.size != request.key.size()) {
    return std::nullopt;
  }
  std::memcpy(request.key.data(), key->via.bin.ptr, request.key.size());
  return request;
}

// The fields are those that were asked for, in this order; their name is OpenDHT's.
constexpr std::array<std::uint64_t, 2> kFields = {1, 5};  // id, user_type

bool has_our_fields(const msgpack::object* fields) {
  if (fields == nullptr || fields->type != msgpack::type::ARRAY ||
      fields->via.array.size != kFields.size()) {
    return false;
  }
  return std::equal(kFields.begin(), kFields.end(), fields->via.array.ptr,
                    [](std::uint64_t wanted, const msgpack::object& field) {
                      return field.type == msgpack::type::POSITIVE_INTEGER &&
                             field.via.u64 == wanted;
                    });
}

std::optional<SelectReply> select_reply(const msgpack::object& message) {
  const std::optional<std::uint32_t> transaction = transaction_of(message);
  const msgpack::object* const answer = find(message, "r");
  if (kind_of(message) != MessageKind::kReply || !transaction || answer == nullptr) {
    return std::nullopt;
  }
  const msgpack::object* const selected = find(*answer, "fileds");
  if (selected == nullptr || !has_our_fields(find(*selected, "f"))) return std::nullopt;
  const msgpack::object* const list = find(*selected, "v");
  if (list == nullptr || list->type != msgpack::type::ARRAY) return std::nullopt;
  SelectReply reply{.transaction = *transaction};
  for (std::uint32_t i = 0; i + 1 < list->via.array.size; i += 2) {
    const msgpack::object& id = list->via.array.ptr[i];
    const msgpack::object& bytes = list->via.array.ptr[i + 1];
    if (id.type != msgpack::type::POSITIVE_INTEGER || bytes.type != msgpack::type::STR) continue;
    reply.values.push_back({id.via.u64, std::string(bytes.via.str.ptr, bytes.via.str.size)});
  }
  return reply;
}

// `look` sees the message, unless it is none.
template <class Look>
auto read_message(std::string_view datagram, Look look,
                  decltype(look(msgpack::object())) otherwise) {
  try {
    msgpack::object_handle handle;
    std::size_t end = 0;
    msgpack::unpack(handle, datagram.data(), datagram.size(), end, refer, nullptr, limits());
    return look(handle.get());
  } catch (const std::exception&) {
    return otherwise;
  }
}

}  // namespace

std::string_view to_text(MessageKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

MessageKind message_kind(std::string_view datagram) {
  return read_message(datagram, kind_of, MessageKind::kOther);
}

bool is_welcome(std::string_view datagram) {
  const auto look = [](const msgpack::object& message) {
    if (!says_all_once(message)) return false;
    if (text(find(message, "y")) == "e") return has_marks(message, false, true);
    const MessageKind kind = kind_of(message);
    if (kind == MessageKind::kOther) return false;
    if (kind == MessageKind::kReply) return is_plain_reply(message);
    const bool put = kind == MessageKind::kPut;
    return is_plain_request(message, put) && (!put || is_plain_put(message));
  };
  return read_message(datagram, look, false);
}

std::optional<GetRequest> read_get_request(std::string_view datagram) {
  return read_message(datagram, get_request, std::optional<GetRequest>());
}

std::optional<SelectReply> read_select_reply(std::string_view datagram) {
  return read_message(datagram, select_reply, std::optional<SelectReply>());
}

}  // namespace twinsift::net
