// SPDX-License-Identifier: Apache-2.0
#include "net/lookups.h"

#include <optional>
#include <vector>

#include "net/wire_message.h"

namespace twinsift::net {
namespace {

constexpr double kLongest = 10;  // seconds that an answer may take: OpenDHT asks for three
// Of what others say for one lookup: so that liars cannot fill the memory.
constexpr std::size_t kMostValues = 8192;

}  // namespace

Lookups::Id Lookups::begin(const DhtKey& key, std::function<void(const DhtValue&)> found) {
  lookups_[++last_] = {.key = key, .found = std::move(found)};
  by_key_.emplace(key, last_);
  return last_;
}

void Lookups::end(Id lookup) {
  const auto found = lookups_.find(lookup);
  if (found == lookups_.end()) return;
  const auto [first, last] = by_key_.equal_range(found->second.key);
  for (auto it = first; it != last; ++it) {
    if (it->second != lookup) continue;
    by_key_.erase(it);
    break;
  }
  lookups_.erase(found);
}

void Lookups::sent(const Address& to, std::string_view bytes, double now) {
  while (!ages_.empty() && ages_.front().first < now - kLongest) {
    requests_.erase(ages_.front().second);
    ages_.pop_front();
  }
  if (lookups_.empty()) return;
  const std::optional<GetRequest> request = read_get_request(bytes);
  if (!request || !by_key_.contains(request->key)) return;
  const Request name{to, request->transaction};
  if (requests_.emplace(name, request->key).second) ages_.emplace_back(now, name);
}

void Lookups::received(const Address& from, std::string_view bytes) {
  if (requests_.empty()) return;
  const std::optional<SelectReply> reply = read_select_reply(bytes);
  if (!reply) return;
  const auto request = requests_.find({from, reply->transaction});
  if (request == requests_.end()) return;
  std::vector<Id> asking;
  const auto [first, last] = by_key_.equal_range(request->second);
  for (auto it = first; it != last; ++it) asking.push_back(it->second);
  requests_.erase(request);
  for (const SelectReply::Value& value : reply->values) {
    for (const Id lookup : asking) give(lookup, {value.id, value.bytes});
  }
}

void Lookups::give(Id lookup, const DhtValue& value) {
  const auto found = lookups_.find(lookup);  // a callback may have ended it
  if (found == lookups_.end() || found->second.given.size() >= kMostValues) return;
  if (found->second.given.insert(value).second) found->second.found(value);
}

}  // namespace twinsift::net
