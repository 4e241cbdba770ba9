// SPDX-License-Identifier: Apache-2.0
// The address of a control socket.
#pragma once

#include <cstring>
#include <string>

#include <sys/socket.h>
#include <sys/un.h>

#include "twinsift/result.h"

namespace twinsift::cli {

inline Result<sockaddr_un> control_address(const std::string& path) {
  sockaddr_un address{};
  if (path.size() >= sizeof address.sun_path) {
    return Error{ErrorCode::kInvalidArgument,
                 path + ": this path is too long for a socket; name a shorter folder with --state"};
  }
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

}  // namespace twinsift::cli
