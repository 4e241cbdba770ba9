// SPDX-License-Identifier: Apache-2.0
#include "net/peer_identity.h"

#include <cassert>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"

namespace twinsift::net {
namespace {

constexpr std::string_view kHeader = "twinsift key 1\n";
constexpr std::size_t kSeedBytes = 32;
constexpr std::size_t kFileBytes = kHeader.size() + 2 * kSeedBytes + 1;

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

std::string hex_of(std::string_view bytes) {
  std::string hex;
  for (const char byte : bytes) {
    fmt::format_to(std::back_inserter(hex), "{:02x}", static_cast<unsigned char>(byte));
  }
  return hex;
}

// Empty if these are no lower-case digits.
std::string from_hex(std::string_view hex) {
  std::string bytes;
  const auto digit = [](char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  };
  if (hex.size() % 2 != 0) return {};
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    const int high = digit(hex[i]);
    const int low = digit(hex[i + 1]);
    if (high < 0 || low < 0) return {};
    bytes.push_back(static_cast<char>(16 * high + low));
  }
  return bytes;
}

// What must be true of the open file before its content counts.
Status check_private(const struct stat& info, const std::string& path) {
  if (!S_ISREG(info.st_mode)) {
    return Error{ErrorCode::kIo, path + ": a key must be in a regular file"};
  }
  if (info.st_uid != geteuid()) {
    return Error{ErrorCode::kIo, path + ": this key belongs to somebody else"};
  }
  if ((info.st_mode & 077U) != 0) {
    return Error{ErrorCode::kIo,
                 fmt::format("{}: others can get at this key (mode {:04o}): run 'chmod 600' on it, "
                             "and make a new one if somebody may have read it",
                             path, info.st_mode & 07777U)};
  }
  return ok();
}

Status create(const std::string& path, std::string_view seed) {
  const Fd file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file) return errno_error(path, errno);
  TWINSIFT_TRY([[maybe_unused]] const auto written,
               write_all(file.get(), std::string(kHeader) + hex_of(seed) + "\n", path));
  if (fsync(file.get()) != 0) return errno_error(path, errno);
  return ok();
}

}  // namespace

Result<Identity> Identity::from_seed(std::string_view seed) {
  assert(seed.size() == kSeedBytes);
  Identity identity;
  identity.key_.reset(
      EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, bytes_of(seed), seed.size()),
      EVP_PKEY_free);
  std::size_t length = identity.public_key_.size();
  if (identity.key_ == nullptr ||
      EVP_PKEY_get_raw_public_key(identity.key_.get(), identity.public_key_.data(), &length) != 1) {
    return Error{ErrorCode::kUnsupported, "OpenSSL does not know Ed25519 keys"};
  }
  return identity;
}

Result<Identity> Identity::generate() {
  std::array<char, kSeedBytes> seed{};
  if (RAND_bytes(reinterpret_cast<unsigned char*>(seed.data()), kSeedBytes) != 1) {
    return Error{ErrorCode::kIo, "there are no random numbers to make a key of"};
  }
  return from_seed({seed.data(), seed.size()});
}

Result<Identity> Identity::load(const std::string& path) {
  const Fd file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) return errno_error(path, errno);
  struct stat info {};
  if (fstat(file.get(), &info) != 0) return errno_error(path, errno);
  TWINSIFT_TRY([[maybe_unused]] const auto checked, check_private(info, path));
  const Error wrong{ErrorCode::kCorrupt,
                    path + ": is no key of twinsift; name another file, or none for a new key"};
  if (info.st_size != static_cast<off_t>(kFileBytes)) return wrong;
  std::string content(kFileBytes, '\0');
  if (read(file.get(), content.data(), content.size()) != static_cast<ssize_t>(kFileBytes)) {
    return wrong;
  }
  const std::string_view text = content;
  if (!text.starts_with(kHeader) || text.back() != '\n') return wrong;
  const std::string seed = from_hex(text.substr(kHeader.size(), 2 * kSeedBytes));
  if (seed.size() != kSeedBytes) return wrong;
  return from_seed(seed);
}

Result<Identity> Identity::load_or_create(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) == 0 || errno != ENOENT) return load(path);
  std::array<char, kSeedBytes> seed{};
  if (RAND_bytes(reinterpret_cast<unsigned char*>(seed.data()), kSeedBytes) != 1) {
    return Error{ErrorCode::kIo, "there are no random numbers to make a key of"};
  }
  TWINSIFT_TRY([[maybe_unused]] const auto made, create(path, {seed.data(), seed.size()}));
  return from_seed({seed.data(), seed.size()});
}

Signature Identity::sign(std::string_view message) const {
  Signature signature{};
  std::size_t length = signature.size();
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        EVP_MD_CTX_free);
  [[maybe_unused]] const bool signed_it =
      EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key_.get()) == 1 &&
      EVP_DigestSign(context.get(), signature.data(), &length, bytes_of(message), message.size()) ==
          1;
  assert(signed_it);  // Ed25519 cannot fail on a good key
  return signature;
}

bool verify(const PublicKey& key, std::string_view message, const Signature& signature) {
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> handle(
      EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, key.data(), key.size()),
      EVP_PKEY_free);
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        EVP_MD_CTX_free);
  return handle != nullptr && context != nullptr &&
         EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, handle.get()) == 1 &&
         EVP_DigestVerify(context.get(), signature.data(), signature.size(), bytes_of(message),
                          message.size()) == 1;
}

std::string to_hex(const PublicKey& key) {
  return hex_of({reinterpret_cast<const char*>(key.data()), key.size()});
}

Result<PublicKey> parse_public_key(std::string_view hex) {
  const std::string bytes = from_hex(hex);
  PublicKey key{};
  if (bytes.size() != key.size()) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("\"{}\" is no public key: it has 64 digits, 0 to 9 and a to f", hex)};
  }
  std::memcpy(key.data(), bytes.data(), key.size());
  return key;
}

}  // namespace twinsift::net
