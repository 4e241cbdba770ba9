// SPDX-License-Identifier: Apache-2.0
#include "config_files.h"

#include <cerrno>
#include <cstdlib>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/fd.h"

namespace twinsift::cli {
namespace {

constexpr std::string_view kProjectName = ".twinsift.toml";
constexpr std::size_t kMostBytes = std::size_t{1} << 20U;
// Deeper than any path that the system takes, so that the way up ends whatever happens.
constexpr int kMostFolders = 1024;

std::string variable(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets it
  return value == nullptr ? "" : value;
}

// Never waits: a pipe that nobody writes to is empty.
Fd open_file(const std::string& path) {
  return Fd(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
}

Result<std::string> read_text(const Fd& file, const std::string& name) {
  std::string text(kMostBytes + 1, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t got = ::read(file.get(), text.data() + size, text.size() - size);
    if (got == 0) break;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno_error(name, errno);
    size += static_cast<std::size_t>(got);
  }
  if (size > kMostBytes) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("{}: a configuration file has at most 1 MiB", name)};
  }
  text.resize(size);
  return text;
}

// Why somebody else could have written it, or nothing.
std::string suspicion(const struct stat& status) {
  if (status.st_uid != ::geteuid() && status.st_uid != 0) return "it belongs to another user";
  if ((status.st_mode & S_IWOTH) != 0) return "everybody may write it";
  // Many systems give each user a group of their own and let it write.
  if ((status.st_mode & S_IWGRP) != 0 && status.st_gid != ::getegid()) {
    return "another group may write it";
  }
  return "";
}

bool same(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

struct Found {
  std::string folder;  // "./", "../", "../../", ...
  Fd file;
  int error = 0;  // why it could not be opened
};

// Goes up by "..", which is where the folders really are, whatever links led here.
std::optional<Found> find_project_file() {
  struct stat start {};
  struct stat home {};
  struct stat here {};
  struct stat above {};
  const std::string home_path = home_folder();
  const bool has_home = !home_path.empty() && ::stat(home_path.c_str(), &home) == 0;
  if (::stat(".", &start) != 0) return std::nullopt;
  here = start;
  std::string folder = "./";
  for (int i = 0; i < kMostFolders; ++i) {
    Found found{folder, open_file(folder + std::string(kProjectName)), 0};
    if (found.file) return found;
    found.error = errno;
    if (found.error != ENOENT && found.error != ENOTDIR) return found;
    if (has_home && same(here, home)) return std::nullopt;
    folder = i == 0 ? "../" : folder + "../";
    if (::stat(folder.c_str(), &above) != 0 || above.st_dev != start.st_dev || same(above, here)) {
      return std::nullopt;
    }
    here = above;
  }
  return std::nullopt;
}

}  // namespace

std::string home_folder() {
  std::string home = variable("HOME");
  while (home.size() > 1 && home.ends_with('/')) home.pop_back();
  return home.starts_with('/') ? home : "";
}

Result<std::optional<ConfigFile>> read_user_file() {
  const std::string named = variable("TWINSIFT_CONFIG");
  std::string path = named;
  if (path.empty()) {
    // The XDG specification says that relative paths are to be ignored.
    const std::string config = variable("XDG_CONFIG_HOME");
    const std::string home = home_folder();
    if (config.starts_with('/')) {
      path = config + "/twinsift/config.toml";
    } else if (!home.empty()) {
      path = home + "/.config/twinsift/config.toml";
    } else {
      return std::optional<ConfigFile>();
    }
  }
  const std::string name = escape_for_terminal(path);
  const Fd file = open_file(path);
  if (!file && named.empty() && (errno == ENOENT || errno == ENOTDIR)) {
    return std::optional<ConfigFile>();
  }
  if (!file) return errno_error(name, errno);
  TWINSIFT_TRY(std::string text, read_text(file, name));
  return std::optional(ConfigFile{name, Trust::kUser, "", std::move(text)});
}

Result<std::optional<ConfigFile>> read_project_file(std::vector<std::string>& notes) {
  const auto found = find_project_file();
  if (!found) return std::optional<ConfigFile>();
  const std::string name = found->folder + std::string(kProjectName);
  struct stat status {};
  const bool known =
      found->file ? ::fstat(found->file.get(), &status) == 0 : ::lstat(name.c_str(), &status) == 0;
  const std::string why = known ? suspicion(status) : "it cannot be looked at";
  if (!why.empty()) {
    notes.push_back(fmt::format("{} is ignored, because {}", name, why));
    return std::optional<ConfigFile>();
  }
  if (!found->file) return errno_error(name, found->error);
  TWINSIFT_TRY(std::string text, read_text(found->file, name));
  return std::optional(ConfigFile{name, Trust::kProject, found->folder, std::move(text)});
}

}  // namespace twinsift::cli
