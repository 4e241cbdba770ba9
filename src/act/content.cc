// SPDX-License-Identifier: Apache-2.0
#include "act/content.h"

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>

#include <unistd.h>
#include <xxhash.h>

#include "ingest/file_system.h"
#include "ingest/reader.h"

namespace twinsift {
namespace {

constexpr std::size_t kBlock = 256 * 1024;

const Error kStopped{ErrorCode::kCancelled, "the reading was stopped"};

// Up to a block from `offset` on; fewer bytes only at the end of the file.
Result<std::size_t> read_block(const OpenContent& file, std::uint64_t offset, std::byte* block) {
  std::size_t have = 0;
  while (have < kBlock) {
    const ssize_t got =
        ::pread(file.fd, block + have, kBlock - have, static_cast<off_t>(offset + have));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return file_error(errno, file.path);
    if (got == 0) break;
    have += static_cast<std::size_t>(got);
  }
  return have;
}

}  // namespace

Result<std::string> digest_of(const OpenContent& file, const std::stop_token& stop) {
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(),
                                                                       &XXH3_freeState);
  if (!state) return Error{ErrorCode::kLimit, "out of memory: no room for a digest"};
  XXH3_128bits_reset(state.get());
  const auto block = std::make_unique_for_overwrite<std::byte[]>(kBlock);
  for (std::uint64_t offset = 0;;) {
    if (stop.stop_requested()) return kStopped;
    TWINSIFT_TRY(const std::size_t got, read_block(file, offset, block.get()));
    XXH3_128bits_update(state.get(), block.get(), got);
    if (got < kBlock) break;
    offset += got;
  }
  const XXH128_hash_t hash = XXH3_128bits_digest(state.get());
  return Digest{.low = hash.low64, .high = hash.high64}.hex();
}

Result<bool> same_bytes(const OpenContent& a, const OpenContent& b, const std::stop_token& stop) {
  const auto block_a = std::make_unique_for_overwrite<std::byte[]>(kBlock);
  const auto block_b = std::make_unique_for_overwrite<std::byte[]>(kBlock);
  for (std::uint64_t offset = 0;;) {
    if (stop.stop_requested()) return kStopped;
    TWINSIFT_TRY(const std::size_t got_a, read_block(a, offset, block_a.get()));
    TWINSIFT_TRY(const std::size_t got_b, read_block(b, offset, block_b.get()));
    if (got_a != got_b || std::memcmp(block_a.get(), block_b.get(), got_a) != 0) return false;
    if (got_a < kBlock) return true;
    offset += got_a;
  }
}

}  // namespace twinsift
