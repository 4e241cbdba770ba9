// SPDX-License-Identifier: Apache-2.0
#include "net/veil.h"

#include <cstring>
#include <memory>

#include <openssl/evp.h>
#include <openssl/rand.h>

#include "base/sha256.h"

namespace twinsift::net {
namespace {

constexpr std::size_t kNonceLength = 12;
constexpr std::size_t kTagLength = 16;

using Cipher = std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)>;

unsigned char* bytes_of(char* text) { return reinterpret_cast<unsigned char*>(text); }
const unsigned char* bytes_of(const char* text) {
  return reinterpret_cast<const unsigned char*>(text);
}

}  // namespace

Veil::Veil(const Network& network) : open_(network.options().secret.empty()) {
  const std::string digest =
      sha256("twinsift veil 1" + sha256(network.options().name) + network.options().secret);
  std::memcpy(key_.data(), digest.data(), key_.size());
}

Result<std::string> Veil::cover(std::string_view bytes) const {
  if (open_) return std::string(bytes);
  std::string out(kNonceLength + bytes.size() + kTagLength, '\0');
  char* const body = out.data() + kNonceLength;
  char* const tag = body + bytes.size();
  const Cipher cipher(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free);
  int length = 0;
  const bool done = cipher != nullptr && RAND_bytes(bytes_of(out.data()), kNonceLength) == 1 &&
                    EVP_EncryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, key_.data(),
                                       bytes_of(out.data())) == 1 &&
                    EVP_EncryptUpdate(cipher.get(), bytes_of(body), &length, bytes_of(bytes.data()),
                                      static_cast<int>(bytes.size())) == 1 &&
                    EVP_EncryptFinal_ex(cipher.get(), bytes_of(tag), &length) == 1 &&
                    EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_GET_TAG, kTagLength, tag) == 1;
  if (!done) return Error{ErrorCode::kIo, "OpenSSL could not encrypt what was asked for"};
  return out;
}

Result<std::string> Veil::uncover(std::string_view covered) const {
  if (open_) return std::string(covered);
  const Error wrong{ErrorCode::kCorrupt, "an answer was not made with the secret of the network"};
  if (covered.size() < kOverhead || covered.size() > (std::size_t{1} << 30U)) return wrong;
  const std::size_t size = covered.size() - kOverhead;
  std::string tag(covered.substr(kNonceLength + size));
  std::string out(size, '\0');
  const Cipher cipher(EVP_CIPHER_CTX_new(), EVP_CIPHER_CTX_free);
  int length = 0;
  const bool done =
      cipher != nullptr &&
      EVP_DecryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, key_.data(),
                         bytes_of(covered.data())) == 1 &&
      EVP_DecryptUpdate(cipher.get(), bytes_of(out.data()), &length,
                        bytes_of(covered.data() + kNonceLength), static_cast<int>(size)) == 1 &&
      EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_SET_TAG, kTagLength, tag.data()) == 1 &&
      EVP_DecryptFinal_ex(cipher.get(), bytes_of(out.data() + size), &length) == 1;
  if (!done) return wrong;
  return out;
}

}  // namespace twinsift::net
