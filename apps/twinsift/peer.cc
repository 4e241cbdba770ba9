// SPDX-License-Identifier: Apache-2.0
// twinsift peer: the work is done by twinsift-peer, a program of its own, because it uses OpenDHT,
// which is under the GPL.
#include <cerrno>
#include <cstdio>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/sibling_program.h"
#include "commands.h"

namespace twinsift::cli {

int run_peer(std::span<const std::string> words) {
  const std::string program = find_sibling_program("twinsift-peer", "TWINSIFT_PEER");
  if (program.empty()) {
    fmt::print(
        stderr,
        "twinsift: twinsift-peer was not found; this build cannot search on other machines\n");
    return kFailed;
  }
  std::vector<std::string> copies = {program};
  copies.insert(copies.end(), words.begin(), words.end());
  std::vector<char*> arguments;
  for (std::string& copy : copies) arguments.push_back(copy.data());
  arguments.push_back(nullptr);
  std::fflush(nullptr);
  ::execv(program.c_str(), arguments.data());
  fmt::print(stderr, "twinsift: {}\n", errno_error(program, errno).message);
  return kFailed;
}

}  // namespace twinsift::cli
