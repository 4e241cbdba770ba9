// SPDX-License-Identifier: Apache-2.0
// The little that walk and exact need from the operating system: descriptors that close
// themselves, paths of any length, and one wording for what went wrong.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <sys/stat.h>

#include "base/fd.h"
#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

// What a file or folder is, whatever it is called.
struct Identity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  auto operator<=>(const Identity&) const = default;
};

Identity identity_of(const struct stat& status);

std::int64_t mtime_ns_of(const struct stat& status);
std::int64_t ctime_ns_of(const struct stat& status);

// open(2) for a path of any length: beyond PATH_MAX it goes there in steps.  O_CLOEXEC is
// added.  On failure the descriptor is invalid and errno says why.
Fd open_path(const std::string& path, int flags);

// stat(2) or lstat(2) for a path of any length; never opens what it looks at.  0 or errno.
int stat_path(const std::string& path, bool follow, struct stat& status);

// Everything from here to the end; kLimit if that is more than `limit` bytes.
Result<std::string> read_up_to(int fd, std::size_t limit, std::string_view path);

// "a/b" for "a/b/c", "/" for "/x" and "." for "x".
std::string_view parent_of(std::string_view path);
// "c" for "a/b/c" and for "c".
std::string_view name_of(std::string_view path);

// Errors about files are "PATH: REASON: DETAIL" with a short and stable reason, so that they can
// become Skipped: "permission denied", "vanished", "changed while reading", "read error".
Error file_error(ErrorCode code, std::string_view reason, std::string_view path,
                 std::string_view detail);
Error file_error(int error_number, std::string_view path);
Skipped to_skipped(std::string path, const Error& error);

}  // namespace twinsift
