// SPDX-License-Identifier: Apache-2.0
#include "act/live_file.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <mutex>

#include <fmt/format.h>

#include "act/protect.h"
#include "base/escape.h"
#include "base/parallel.h"
#include "ingest/reader.h"

namespace twinsift {
namespace {

// Empty, with errno set, if there is no such thing.
std::string real_path(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr),
                                                         &std::free);
  return real ? real.get() : "";
}

// The real folder and the name itself, which may be a link.
std::string absolute_name(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string_view name = std::string_view(path).substr(slash + 1);
  if (name.empty() || name == "." || name == "..") {
    errno = EISDIR;
    return "";
  }
  std::string folder = real_path(std::string(parent_of(path)));
  if (folder.empty()) return "";
  if (!folder.ends_with('/')) folder += '/';
  return folder.append(name);
}

FileLook failed(Error error) {
  const bool exists = error.code != ErrorCode::kNotFound;
  return {.file = {}, .error = std::move(error), .exists = exists};
}

}  // namespace

FileLook look_at(const std::string& path, const std::stop_token& stop) {
  const std::string absolute = absolute_name(path);
  if (absolute.empty()) return failed(file_error(errno, path));
  struct stat status {};
  if (const int error = stat_path(absolute, false, status); error != 0) {
    return failed(file_error(error, path));
  }
  if (S_ISLNK(status.st_mode)) {
    return failed(file_error(ErrorCode::kUnsupported, "a symbolic link", path,
                             "only the file it leads to can be planned for"));
  }
  if (!S_ISREG(status.st_mode)) {
    return failed(file_error(ErrorCode::kUnsupported, "not a file", path,
                             "a folder, FIFO, socket or device"));
  }
  FileEntry entry;
  entry.path = absolute;
  entry.size = static_cast<std::uint64_t>(status.st_size);
  entry.mtime_ns = mtime_ns_of(status);
  entry.device = status.st_dev;
  entry.inode = status.st_ino;
  auto reader = FileReader::open(entry);
  if (!reader) return failed(reader.error());
  const auto digest = reader->digest([&](std::uint64_t) { return !stop.stop_requested(); });
  if (!digest) return failed(digest.error());
  return {.file = LiveFile{.proof = {.path = absolute,
                                     .size = entry.size,
                                     .mtime_ns = entry.mtime_ns,
                                     .device = entry.device,
                                     .inode = entry.inode,
                                     .digest = digest->hex()},
                           .names = status.st_nlink},
          .error = {},
          .exists = true};
}

Result<std::vector<FileLook>> look_at_all(std::span<const std::string> paths, unsigned threads,
                                          const Callbacks& callbacks) {
  std::vector<FileLook> looks(paths.size());
  std::mutex mutex;
  Progress progress{.stage = "looking", .total_items = paths.size(), .current = {}};
  parallel_for(paths.size(), threads, callbacks.stop, [&](std::size_t i, unsigned /*worker*/) {
    looks[i] = look_at(paths[i], callbacks.stop);
    if (!callbacks.progress) return;
    const std::scoped_lock lock(mutex);
    ++progress.items;
    if (looks[i].file) progress.bytes += looks[i].file->proof.size;
    progress.current = paths[i];
    callbacks.progress(progress);
  });
  if (callbacks.stop.stop_requested()) return Error{ErrorCode::kCancelled, "the run was stopped"};
  return looks;
}

Result<ProtectedFolders> ProtectedFolders::make(const std::vector<std::string>& paths) {
  ProtectedFolders folders;
  for (const std::string& path : paths) {
    struct stat status {};
    const std::string real = real_path(path);
    const int error = real.empty() ? errno : stat_path(real, true, status);
    if (error != 0) {
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("{}; what is to be protected must be there",
                               errno_error(escape_for_terminal(path), error).message)};
    }
    folders.identities_.insert(identity_of(status));
    folders.identities_.merge(mounted_below(real));
    folders.paths_.push_back(real);
  }
  std::ranges::sort(folders.paths_);
  folders.paths_.erase(std::unique(folders.paths_.begin(), folders.paths_.end()),
                       folders.paths_.end());
  return folders;
}

bool ProtectedFolders::contains(const FileProof& file) const {
  if (identities_.empty()) return false;
  if (identities_.contains({.device = file.device, .inode = file.inode})) return true;
  for (std::string_view folder = parent_of(file.path);; folder = parent_of(folder)) {
    struct stat status {};
    const int error = stat_path(std::string(folder), true, status);
    // Nobody knows what lies above a folder that cannot be looked at: rather protected.
    if (error != 0 || identities_.contains(identity_of(status))) return true;
    if (folder == "/") return false;
  }
}

}  // namespace twinsift
