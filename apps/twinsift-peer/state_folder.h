// SPDX-License-Identifier: Apache-2.0
// What a peer keeps between its runs: its key, the port it had, and whom it knew.  One peer runs
// for each such folder.
//
//     key       the identity, unless it is elsewhere (net/peer_identity.h)
//     nodes     where it listened and who was near, as text; written anew, never changed in place
//     control   the socket by which it is commanded, while it runs
//     lock      held while it runs
//     log       what it says, if it runs in the background
//
// After kill -9 the next run has all of that: it listens at the old port, so that what it has
// published still leads to it, and joins those it knew.  What it publishes then goes out at the
// pace of every other time, so that nothing of when things were published need be kept.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "net/entry.h"
#include "twinsift/result.h"

namespace twinsift::cli {

struct KnownNodes {
  net::Address listened{};  // port 0: nothing is known
  std::vector<net::Address> nodes{};
  friend bool operator==(const KnownNodes&, const KnownNodes&) = default;
};

inline constexpr std::size_t kMostKnownNodes = 64;

std::string encode(const KnownNodes& nodes);
// Nothing if it is not what encode() makes: then the peer knows nobody.
std::optional<KnownNodes> decode_nodes(std::string_view text);

class StateFolder {
 public:
  // Makes it if need be, for this person alone.  kIo if that cannot be done.
  static Result<StateFolder> open(const std::string& path);

  // Held as long as the folder; kIo if another peer has it.
  Status lock();

  [[nodiscard]] std::string key() const { return path_ + "/key"; }
  [[nodiscard]] std::string control() const { return path_ + "/control"; }
  [[nodiscard]] std::string log() const { return path_ + "/log"; }
  [[nodiscard]] KnownNodes nodes() const;
  Status save(const KnownNodes& nodes) const;

 private:
  explicit StateFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;
  Fd lock_;
};

}  // namespace twinsift::cli
