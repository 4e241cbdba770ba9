// SPDX-License-Identifier: Apache-2.0
// twinsift-virtual-peers: a network of peers in one process and in virtual time, for evaluations.
//
// A program of its own: it brings its own clock, which must not be that of a real peer.
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "net/simulate_main.h"

int main(int argc, char** argv) {
  try {
    return twinsift::net::simulate_main(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "twinsift-virtual-peers: %s\n", error.what());
    return 2;
  }
}
