// SPDX-License-Identifier: Apache-2.0
// Identities for tests: the same for the same number.
#pragma once

#include <string>

#include "net/peer_identity.h"

namespace twinsift::net {

inline Identity test_identity(std::uint64_t number) {
  std::string seed(32, 'k');
  for (std::size_t i = 0; i < 8; ++i) seed[i] = static_cast<char>(number >> (8 * i) & 0xFFU);
  return *Identity::from_seed(seed);
}

}  // namespace twinsift::net
