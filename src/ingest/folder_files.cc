// SPDX-License-Identifier: Apache-2.0
#include "ingest/folder_files.h"

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <utility>

#include <fcntl.h>

#include "ingest/file_system.h"
#include "ingest/ignore.h"

namespace twinsift {
namespace {

constexpr std::size_t kAlone = 512;  // files; to start a thread costs about as much
constexpr unsigned kMaxThreads = 8;  // one reads folders, and cannot keep more others busy

}  // namespace

OpenDir open_dir(Fd fd) {
  DIR* dir = ::fdopendir(fd.get());
  if (dir == nullptr) return nullptr;
  static_cast<void>(fd.release());  // now it belongs to dir
  return {dir, [](DIR* open) { ::closedir(open); }};
}

void add_file(std::string path, const struct stat& status, bool through_link, const Origin& origin,
              const WalkOptions& options, std::vector<FileEntry>& files) {
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size < options.min_size || (options.max_size != 0 && size > options.max_size)) return;
  if (!options.names.empty() && !matches_any(options.names, path, origin.relative)) return;
  files.push_back({.path = std::move(path),
                   .size = size,
                   .mtime_ns = mtime_ns_of(status),
                   .ctime_ns = ctime_ns_of(status),
                   .device = status.st_dev,
                   .inode = status.st_ino,
                   .argument = origin.argument,
                   .root = origin.root,
                   .through_link = through_link,
                   .links = {}});
}

void look_at_files(FolderFiles& batch, const WalkOptions& options, const std::stop_token& stop) {
  const OpenDir dir = std::exchange(batch.dir, nullptr);
  const std::string names = std::exchange(batch.names, {});
  batch.files.reserve(batch.count);
  for (std::size_t begin = 0; begin < names.size() && !stop.stop_requested();) {
    const std::string_view name(&names[begin]);
    begin += name.size() + 1;
    std::string path;
    path.reserve(batch.path.size() + name.size());
    path.append(batch.path).append(name);
    struct stat status {};
    if (::fstatat(::dirfd(dir.get()), name.data(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
      const Error error = file_error(errno, path);
      batch.skipped.push_back(to_skipped(std::move(path), error));
    } else if (!S_ISREG(status.st_mode)) {
      batch.skipped.push_back({std::move(path), "vanished", "something else has taken its name"});
    } else {
      add_file(std::move(path), status, false, batch.origin, options, batch.files);
    }
  }
}

FileLookers::FileLookers(const WalkOptions& options, std::stop_token stop, unsigned threads)
    : options_(options),
      stop_(std::move(stop)),
      helpers_(std::clamp(threads, 1U, kMaxThreads) - 1, kMaxFolders) {}

void FileLookers::look_at(FolderFiles batch) {
  given_ += batch.count;
  Batch& last = batches_.emplace_back();
  last.work = std::move(batch);
  const auto task = [this, &last] {
    look_at_files(last.work, options_, stop_);
    last.done.store(true, std::memory_order_release);
  };
  if (given_ <= kAlone) return task();
  helpers_.run(task);
}

std::optional<FolderFiles> FileLookers::next() {
  if (batches_.empty() || !batches_.front().done.load(std::memory_order_acquire)) return {};
  FolderFiles first = std::move(batches_.front().work);
  batches_.pop_front();
  return first;
}

}  // namespace twinsift
