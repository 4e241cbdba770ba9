// SPDX-License-Identifier: Apache-2.0
#include "net/store_rules.h"

#include <algorithm>

#include "net/configuration.h"
#include "net/entry.h"

namespace twinsift::net {
namespace {

Error no_room(const char* what) { return {ErrorCode::kLimit, what}; }

bool is_configuration(const StoredValue& value) {
  return !value.bytes.empty() && value.bytes.front() == kConfigurationKind;
}

Status check_value(const Network& network, const DhtKey& key, const StoredValue& value,
                   std::int64_t now) {
  if (is_configuration(value)) return check_configuration(value.bytes, key, value.id);
  TWINSIFT_TRY([[maybe_unused]] const Entry entry,
               open_entry(value.bytes, key, value.id, now, network.options().lifetime));
  return ok();
}

std::size_t count_of_owner(std::span<const StoredValue> values, const PublicKey& owner) {
  return static_cast<std::size_t>(std::ranges::count_if(values, [&](const StoredValue& value) {
    const Result<Entry> entry = peek_entry(value.bytes);
    return entry && entry->owner == owner;
  }));
}

}  // namespace

Status may_store(const Network& network, const DhtKey& key, const StoredValue& value,
                 std::span<const StoredValue> present, std::int64_t now) {
  if (present.size() >= kMostEntries) return no_room("the key is full");
  if (!is_configuration(value)) {
    TWINSIFT_TRY(const Entry entry, peek_entry(value.bytes));
    if (count_of_owner(present, entry.owner) >= kMostOfOwner) {
      return no_room("the owner has enough under this key");
    }
  }
  return check_value(network, key, value, now);  // last, because signatures cost most
}

Status may_replace(const Network& network, const DhtKey& key, const StoredValue& old_value,
                   const StoredValue& new_value, std::int64_t now) {
  const Result<Entry> before = peek_entry(old_value.bytes);
  const Result<Entry> after = peek_entry(new_value.bytes);
  // A configuration is never changed: its signer may say one thing in a period.
  if (!before || !after || after->expires <= before->expires) {
    return Error{ErrorCode::kCorrupt, "a value is older than the one that is there"};
  }
  return check_value(network, key, new_value, now);
}

}  // namespace twinsift::net
