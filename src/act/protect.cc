// SPDX-License-Identifier: Apache-2.0
#include "act/protect.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <fmt/format.h>

namespace twinsift {
namespace {

// Blanks and the like stand as \040 in the table of mounts.
std::string unescaped(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto digit = [&](std::size_t at) { return text[at] >= '0' && text[at] <= '7'; };
    if (text[i] == '\\' && i + 3 < text.size() && digit(i + 1) && digit(i + 2) && digit(i + 3)) {
      out +=
          static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + text[i + 3] - '0');
      i += 3;
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace

std::set<Identity> mounted_below(const std::string& folder) {
  std::set<Identity> found;
  std::error_code error;
  const std::string real = std::filesystem::canonical(folder, error).string();
  std::ifstream table("/proc/self/mountinfo");
  for (std::string line; !error && std::getline(table, line);) {
    // Number, parent, device, root, mount point.
    std::istringstream words(line);
    std::string point;
    for (int i = 0; i < 5; ++i) words >> point;
    point = unescaped(point);
    const bool below = real == "/" || (point.starts_with(real) && point[real.size()] == '/');
    struct stat status {};
    if (below && stat_path(point, true, status) == 0) found.insert(identity_of(status));
  }
  return found;
}

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
    result.places_.merge(mounted_below(path));
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
