// SPDX-License-Identifier: Apache-2.0
// Which addresses are worth a question, by what came of earlier ones.
//
// Where nobody answers, nobody is asked again for a while.  Where somebody answers who is not the
// owner of the entry, a few more owners may be tried: an entry can name any address, and nobody is
// to be sent more than kMostUnproven questions in that while because of what others publish.  Who
// closes a connection without a word may be a peer with too many of them, so it is tried more
// often, but not for ever.  An owner who has proved before that it is there is always asked, so
// that false entries cannot silence it.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <set>
#include <utility>

#include "net/entry.h"
#include "net/peer_identity.h"

namespace twinsift::net {

// Not thread-safe.
class KnownAddresses {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t kMost = 4096;  // addresses, and owners, that are remembered
  static constexpr std::size_t kMostUnproven = 4;
  static constexpr std::size_t kMostClosed = 12;

  explicit KnownAddresses(std::chrono::milliseconds silence) : silence_(silence) {}

  [[nodiscard]] bool worth_asking(const Address& address, const PublicKey& owner,
                                  Clock::time_point now = Clock::now()) const {
    const auto found = records_.find(address);
    if (found == records_.end() || found->second.until <= now) return true;
    if (found->second.unreachable) return false;
    return is_proven(address, owner) ||
           (found->second.unproven < kMostUnproven && found->second.closed < kMostClosed);
  }
  [[nodiscard]] bool is_proven(const Address& address, const PublicKey& owner) const {
    return proven_.contains({address, owner});
  }

  void unreachable(const Address& address, Clock::time_point now = Clock::now()) {
    Record& record = record_of(address, now);
    record.unreachable = true;
    record.until = now + silence_;
  }
  void unproven(const Address& address, Clock::time_point now = Clock::now()) {
    ++record_of(address, now).unproven;
  }
  void closed(const Address& address, Clock::time_point now = Clock::now()) {
    ++record_of(address, now).closed;
  }
  void proven(const Address& address, const PublicKey& owner) {
    if (proven_.size() >= kMost) proven_.erase(proven_.begin());
    proven_.insert({address, owner});
    const auto found = records_.find(address);
    if (found != records_.end()) found->second.unreachable = false;
  }

 private:
  struct Record {
    Clock::time_point until{};
    std::size_t unproven = 0;
    std::size_t closed = 0;
    bool unreachable = false;
  };

  // The one that holds, or a new one.
  Record& record_of(const Address& address, Clock::time_point now) {
    if (records_.size() >= kMost && !records_.contains(address)) {
      std::erase_if(records_, [&](const auto& entry) { return entry.second.until <= now; });
      if (records_.size() >= kMost) records_.erase(records_.begin());
    }
    Record& record = records_[address];
    if (record.until <= now) record = {.until = now + silence_};
    return record;
  }

  std::chrono::milliseconds silence_;
  std::map<Address, Record> records_;
  std::set<std::pair<Address, PublicKey>> proven_;
};

}  // namespace twinsift::net
