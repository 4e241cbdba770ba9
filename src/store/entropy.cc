// SPDX-License-Identifier: Apache-2.0
#include "store/entropy.h"

#include <cerrno>

#include <sys/random.h>

#include "base/fd.h"

namespace twinsift {
namespace {

Status fill(void* to, std::size_t bytes) {
  // Up to 256 bytes come whole or not at all.
  while (::getrandom(to, bytes, 0) != static_cast<ssize_t>(bytes)) {
    if (errno != EINTR) return errno_error("random numbers", errno);
  }
  return ok();
}

}  // namespace

Result<CollectionId> random_id() {
  CollectionId id{};
  TWINSIFT_TRY([[maybe_unused]] auto filled, fill(id.data(), id.size()));
  return id;
}

Result<std::uint64_t> random_salt() {
  std::uint64_t salt = 0;
  TWINSIFT_TRY([[maybe_unused]] auto filled, fill(&salt, sizeof salt));
  return salt;
}

}  // namespace twinsift
