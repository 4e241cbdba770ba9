// SPDX-License-Identifier: Apache-2.0
// What was asked of 'peer start', checked and in the words of src/net.
#pragma once

#include <string>
#include <vector>

#include "cli.h"
#include "net/entry.h"
#include "net/network.h"
#include "net/peer_identity.h"
#include "twinsift/result.h"

namespace twinsift::cli {

struct PeerSettings {
  std::string collection;  // empty: nothing is shared
  net::NetworkOptions network{};
  bool one_bit = false;
  net::Address listen{};
  net::Address announced{};  // port 0: that of `listen`
  std::vector<net::Address> join{};
  std::vector<net::PublicKey> allowed{};
  std::string key;  // a file; empty: that of the state
  double labels_per_second = 20;
  bool background = false;
};

// The folder of --state, or the default; empty if there is no home.
std::string state_path(const Arguments& args);

// kInvalidArgument, kIo: one sentence that names the option.  Names of hosts are looked up.
Result<PeerSettings> peer_settings(const Arguments& args);

}  // namespace twinsift::cli
