// SPDX-License-Identifier: Apache-2.0
#include "net/show_desk.h"

#include <algorithm>
#include <chrono>
#include <cstring>

#include <openssl/rand.h>

#include "base/sha256.h"
#include "net/byte_text.h"
#include "net/peer_report.h"
#include "net/shown_list.h"

namespace twinsift::net {
namespace {

constexpr double kTicketSeconds = 60;
constexpr std::chrono::milliseconds kCollecting{1000};

std::uint64_t minute_of(double seconds) {
  return static_cast<std::uint64_t>(seconds / kTicketSeconds);
}

Reply refused(const Error& error) {
  switch (error.code) {
    case ErrorCode::kNotFound:
      return {404};
    case ErrorCode::kInvalidArgument:
      return {400};
    default:
      return {503};
  }
}

}  // namespace

Result<ShowDesk> ShowDesk::make(const Network& network, const Identity& identity,
                                const Shelf& shelf, std::vector<PublicKey> allowed,
                                ReportSource report, HelloSource hello) {
  ShowDesk desk(network, identity, shelf, std::move(allowed), std::move(report), std::move(hello));
  if (RAND_bytes(desk.secret_.data(), static_cast<int>(desk.secret_.size())) != 1) {
    return Error{ErrorCode::kIo, "there are no random numbers to make tickets of"};
  }
  return desk;
}

Reply ShowDesk::answer(const PeerRequest& request, const Address& caller, double seconds) const {
  if (const auto* show_it = std::get_if<ShowRequest>(&request)) {
    return show(*show_it, caller, seconds);
  }
  if (std::holds_alternative<TicketRequest>(request)) {
    Reply reply;
    put_bytes(ticket(caller, minute_of(seconds)), reply.body);
    return reply;
  }
  if (const auto* report_it = std::get_if<ReportRequest>(&request)) return report(*report_it);
  return {200, encode(hello_())};
}

// The asker does not wait long for the proof, which cannot be sent before the length of all that
// follows is known: so it follows without what would take long to collect.
Reply ShowDesk::show(const ShowRequest& request, const Address& caller, double seconds) const {
  if (request.owner != identity_->public_key()) return {404};
  if (!may_ask(request, caller, minute_of(seconds))) return {403};
  const auto end = std::chrono::steady_clock::now() + kCollecting;
  ShownWriter list(request.resources.size());
  for (const ResourceId& resource : request.resources) {
    const auto representation = shelf_->representation(resource);
    const bool gone = !representation && representation.error().code == ErrorCode::kNotFound;
    if (!representation && !gone) return refused(representation.error());
    list.add(gone ? std::string() : encode(*representation));
    if (list.full() || std::chrono::steady_clock::now() >= end) break;
  }
  const std::size_t shown = list.shown();
  auto covered = veil_.cover(std::move(list).finish());
  if (!covered) return refused(covered.error());
  return {200, make_proof(*network_, *identity_, request) + *covered, shown};
}

Reply ShowDesk::report(const ReportRequest& request) const {
  const auto bytes = report_(request.version);
  if (!bytes) return refused(bytes.error());
  auto covered = veil_.cover(*bytes);
  if (!covered) return refused(covered.error());
  return {200, *std::move(covered)};
}

// Good for one connection and the minute in which it was made or the next one.
Ticket ShowDesk::ticket(const Address& caller, std::uint64_t minute) const {
  std::string fields = "twinsift ticket 3";
  put_bytes(secret_, fields);
  put_bytes(caller.ip, fields);
  put_number(caller.port, fields);
  put_number(minute, fields);
  const std::string digest = sha256(fields);
  Ticket ticket{};
  std::memcpy(ticket.data(), digest.data(), ticket.size());
  return ticket;
}

bool ShowDesk::may_ask(const ShowRequest& request, const Address& caller,
                       std::uint64_t minute) const {
  if (allowed_.empty()) return true;
  if (!request.asker) return false;
  const SignedAsker& asker = *request.asker;
  const bool fresh = asker.ticket == ticket(caller, minute) ||
                     (minute > 0 && asker.ticket == ticket(caller, minute - 1));
  return fresh && std::ranges::find(allowed_, asker.key) != allowed_.end() &&
         verify(asker.key, asking_message(*network_, request), asker.signature);
}

}  // namespace twinsift::net
