// SPDX-License-Identifier: Apache-2.0
// Who a peer is: an Ed25519 key, kept in a file that only its owner can read.
//
// A peer's public key is its name.  Everything it publishes is signed with the key, its place in
// the network is a hash of it, and its HTTP server proves with it that the address in an entry is
// the signer's.  OpenSSL does the arithmetic: TLS and OpenDHT bring it along anyway.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "twinsift/result.h"

struct evp_pkey_st;  // EVP_PKEY of OpenSSL

namespace twinsift::net {

using PublicKey = std::array<std::uint8_t, 32>;
using Signature = std::array<std::uint8_t, 64>;

// Immutable after it was made: any number of threads may share one.
class Identity {
 public:
  static Result<Identity> generate();
  // The same for the same 32 bytes, which are the secret.  For tests and simulations.
  static Result<Identity> from_seed(std::string_view seed);
  // kIo: cannot be read, or others can read it; kCorrupt: is no key.  Each sentence says what to
  // do.
  static Result<Identity> load(const std::string& path);
  // As load(); a file that is not there is made, with mode 0600.
  static Result<Identity> load_or_create(const std::string& path);

  [[nodiscard]] const PublicKey& public_key() const { return public_key_; }
  [[nodiscard]] Signature sign(std::string_view message) const;
  [[nodiscard]] evp_pkey_st* handle() const { return key_.get(); }

 private:
  Identity() = default;
  std::shared_ptr<evp_pkey_st> key_;  // shared: copies of an identity are the same one
  PublicKey public_key_{};
};

[[nodiscard]] bool verify(const PublicKey& key, std::string_view message,
                          const Signature& signature);

// 64 digits; and back.
std::string to_hex(const PublicKey& key);
Result<PublicKey> parse_public_key(std::string_view hex);

}  // namespace twinsift::net
