// SPDX-License-Identifier: Apache-2.0
#include "ingest/reader.h"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <xxhash.h>

namespace twinsift {
namespace {

constexpr std::size_t kBlock = 1024 * 1024;

Digest to_digest(XXH128_hash_t hash) { return {.low = hash.low64, .high = hash.high64}; }

Error changed(const FileEntry& entry) {
  return file_error(ErrorCode::kIo, "changed while reading", entry.path,
                    "it is not what it was when it was found");
}

}  // namespace

std::string Digest::hex() const {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text(32, '0');
  for (std::size_t i = 0; i < 16; ++i) {
    text[i] = kDigits[high >> (60 - 4 * i) & 15U];
    text[16 + i] = kDigits[low >> (60 - 4 * i) & 15U];
  }
  return text;
}

Digest digest_of(std::span<const std::byte> bytes) {
  return to_digest(XXH3_128bits(bytes.data(), bytes.size()));
}

Result<FileReader> FileReader::open(const FileEntry& entry, std::size_t head) {
  const int flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | (entry.through_link ? 0 : O_NOFOLLOW);
  Fd fd = open_path(entry.path, flags);
  if (!fd) return errno == ELOOP ? changed(entry) : file_error(errno, entry.path);
  FileReader reader(std::move(fd), entry);
  TWINSIFT_TRY([[maybe_unused]] const auto same, reader.check_unchanged());
  reader.head_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(entry.size, head)));
  TWINSIFT_TRY([[maybe_unused]] const auto read, reader.read_at(0, reader.head_));
  return reader;
}

Result<std::vector<std::byte>> FileReader::read_all(std::uint64_t limit) {
  if (entry_->size > limit) {
    return file_error(ErrorCode::kLimit, "too large", entry_->path,
                      fmt::format("more than {} bytes", limit));
  }
  std::vector<std::byte> bytes(static_cast<std::size_t>(entry_->size));
  std::ranges::copy(head_, bytes.begin());
  TWINSIFT_TRY([[maybe_unused]] const auto read,
               read_at(head_.size(), std::span(bytes).subspan(head_.size())));
  TWINSIFT_TRY([[maybe_unused]] const auto same, check_unchanged());
  return bytes;
}

Result<Digest> FileReader::digest(const std::function<bool(std::uint64_t bytes)>& proceed) {
  const auto go_on = [&](std::uint64_t bytes) { return !proceed || proceed(bytes); };
  const Error cancelled{ErrorCode::kCancelled, "the reading was stopped"};
  if (!go_on(head_.size())) return cancelled;
  if (head_.size() == entry_->size) return digest_of(head_);
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(),
                                                                       &XXH3_freeState);
  if (!state) return Error{ErrorCode::kLimit, "out of memory: no room for a digest"};
  XXH3_128bits_reset(state.get());
  XXH3_128bits_update(state.get(), head_.data(), head_.size());
  ::posix_fadvise(fd_.get(), 0, 0, POSIX_FADV_SEQUENTIAL);
  const auto block = std::make_unique_for_overwrite<std::byte[]>(kBlock);
  for (std::uint64_t offset = head_.size(); offset < entry_->size;) {
    const auto size =
        static_cast<std::size_t>(std::min<std::uint64_t>(kBlock, entry_->size - offset));
    TWINSIFT_TRY([[maybe_unused]] const auto read, read_at(offset, {block.get(), size}));
    XXH3_128bits_update(state.get(), block.get(), size);
    offset += size;
    if (!go_on(size)) return cancelled;
  }
  TWINSIFT_TRY([[maybe_unused]] const auto same, check_unchanged());
  return to_digest(XXH3_128bits_digest(state.get()));
}

Status FileReader::read_at(std::uint64_t offset, std::span<std::byte> out) const {
  while (!out.empty()) {
    const ssize_t got = ::pread(fd_.get(), out.data(), out.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return file_error(errno, entry_->path);
    if (got == 0) return changed(*entry_);  // it has become shorter
    out = out.subspan(static_cast<std::size_t>(got));
    offset += static_cast<std::uint64_t>(got);
  }
  return ok();
}

Status FileReader::check_unchanged() const {
  struct stat status {};
  if (::fstat(fd_.get(), &status) != 0) return file_error(errno, entry_->path);
  const bool same = S_ISREG(status.st_mode) && status.st_dev == entry_->device &&
                    status.st_ino == entry_->inode && mtime_ns_of(status) == entry_->mtime_ns &&
                    static_cast<std::uint64_t>(status.st_size) == entry_->size;
  if (!same) return changed(*entry_);
  return ok();
}

}  // namespace twinsift
