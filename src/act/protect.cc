// SPDX-License-Identifier: Apache-2.0
#include "act/protect.h"

#include <cerrno>

#include <fcntl.h>
#include <fmt/format.h>

namespace twinsift {

Result<Protected> Protected::resolve(const std::vector<std::string>& paths) {
  Protected result;
  for (const std::string& path : paths) {
    struct stat status {};
    if (const int error = stat_path(path, true, status); error != 0) {
      return Error{ErrorCode::kNotFound,
                   fmt::format("{}; it is to be protected, so it must be there",
                               errno_error(path, error).message)};
    }
    result.places_.insert(identity_of(status));
  }
  return result;
}

Result<bool> Protected::holds(const OpenSpot& file) const {
  if (places_.empty()) return false;
  const auto itself = look_at(file.spot());
  if (itself && places_.contains(identity_of(*itself))) return true;
  Fd folder(::openat(file.folder(), ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
  Identity below{};
  for (;;) {
    struct stat status {};
    if (!folder || ::fstat(folder.get(), &status) != 0) return file_error(errno, file.path());
    const Identity here = identity_of(status);
    if (places_.contains(here)) return true;
    if (here == below) return false;  // the root is its own parent
    below = here;
    folder = Fd(::openat(folder.get(), "..", O_PATH | O_DIRECTORY | O_CLOEXEC));
  }
}

}  // namespace twinsift
