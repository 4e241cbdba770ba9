// SPDX-License-Identifier: Apache-2.0
// What closed networks show, they show under a veil: only those who know the secret can read it.
//
// AES-256-GCM under a key made of the secret, with a nonce of 96 random bits: after 2^32 bodies two
// of them would meet with probability 2^-33.  In an open network nothing is changed, because
// everybody may ask.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "net/network.h"
#include "twinsift/result.h"

namespace twinsift::net {

// Immutable: threads may share one.
class Veil {
 public:
  explicit Veil(const Network& network);

  // kIo if there are no random numbers.
  [[nodiscard]] Result<std::string> cover(std::string_view bytes) const;
  // kCorrupt if it was covered with another secret, or changed since.
  [[nodiscard]] Result<std::string> uncover(std::string_view covered) const;
  // How much longer cover() makes anything.
  static constexpr std::size_t kOverhead = 12 + 16;

 private:
  bool open_;
  std::array<std::uint8_t, 32> key_{};
};

}  // namespace twinsift::net
