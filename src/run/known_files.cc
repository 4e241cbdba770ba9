// SPDX-License-Identifier: Apache-2.0
#include "run/known_files.h"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include <sys/stat.h>

#include "ingest/file_system.h"
#include "store/volume.h"

namespace twinsift {
namespace {

std::int64_t now_ns() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
}

// The path without links, or nothing if it is not there.
std::string real_path(const std::string& path) {
  struct Free {
    void operator()(char* text) const { std::free(text); }  // NOLINT: realpath allocates
  };
  const std::unique_ptr<char, Free> real(::realpath(path.c_str(), nullptr));
  return real ? std::string(real.get()) : std::string();
}

// Kernels keep times to about 10 ms; file systems whose times are whole seconds, to two of them.
bool may_have_changed_since(std::int64_t ctime_ns, std::int64_t seen_ns) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  const std::int64_t grain = ctime_ns % kSecond == 0 ? 2 * kSecond : kSecond / 50;
  return seen_ns - ctime_ns < grain;
}

bool unchanged(const FileView& file, const FileEntry& entry, std::uint64_t volume) {
  return file.volume == volume && file.inode == entry.inode && file.size == entry.size &&
         file.mtime_ns == entry.mtime_ns && file.ctime_ns == entry.ctime_ns &&
         !may_have_changed_since(file.ctime_ns, file.seen_ns);
}

}  // namespace

std::string absolute_path(const std::string& path) {
  if (std::string real = real_path(path); !real.empty()) return real;
  std::error_code failed;
  std::string whole = std::filesystem::absolute(path, failed).lexically_normal().string();
  while (whole.size() > 1 && whole.ends_with('/')) whole.pop_back();
  return whole;
}

FileRecord record_of_file(const std::string& path, const struct stat& status) {
  const Result<std::uint64_t> volume = volume_of(path);
  return {.key = {.path = path, .part = 0, .volume = volume ? *volume : 0},
          .device = status.st_dev,
          .inode = status.st_ino,
          .size = static_cast<std::uint64_t>(status.st_size),
          .mtime_ns = mtime_ns_of(status),
          .ctime_ns = ctime_ns_of(status),
          .seen_ns = now_ns()};
}

bool is_unchanged(const FileRecord& then, const FileRecord& now) {
  return then.inode == now.inode && then.size == now.size && then.mtime_ns == now.mtime_ns &&
         then.ctime_ns == now.ctime_ns && !may_have_changed_since(then.ctime_ns, then.seen_ns);
}

void KnownFiles::learn_places(std::span<const FileEntry> files) {
  for (const FileEntry& file : files) {
    const auto folder = std::string_view(file.path).substr(0, file.root);
    if (real_.find(folder) == real_.end()) {
      real_.emplace(folder, real_path(folder.empty() ? "." : std::string(folder)));
    }
    if (volumes_.contains(file.device)) continue;
    const Result<std::uint64_t> volume = volume_of(absolute(file));
    volumes_.emplace(file.device, volume ? *volume : 0);
  }
}

std::string KnownFiles::absolute(const FileEntry& file) const {
  std::string path = real_.find(std::string_view(file.path).substr(0, file.root))->second;
  std::string_view rest = std::string_view(file.path).substr(file.root);
  while (rest.starts_with('/')) rest.remove_prefix(1);
  if (!path.ends_with('/')) path += '/';
  return path.append(rest);
}

std::uint64_t KnownFiles::volume_of_file(const FileEntry& file) const {
  return volumes_.at(file.device);
}

FileRecord KnownFiles::record_of(const FileEntry& file) const {
  return {.key = {.path = absolute(file), .part = 0, .volume = volume_of_file(file)},
          .device = file.device,
          .inode = file.inode,
          .size = file.size,
          .mtime_ns = file.mtime_ns,
          .ctime_ns = file.ctime_ns,
          .seen_ns = now_ns()};
}

// A path that is not there, on a volume that is, has been removed or moved.
Status KnownFiles::forget_vanished(std::span<const ItemKey> keys) {
  for (const ItemKey& key : keys) {
    struct stat status {};
    const int error = stat_path(key.path, false, status);
    if ((error != ENOENT && error != ENOTDIR) || is_offline(key.path, key.volume)) continue;
    ++forgotten_;
    TWINSIFT_TRY([[maybe_unused]] auto done,
                 collection_.put(FileRecord{.key = key, .dropped = true}));
  }
  return ok();
}

// Both sides ascend by path, so one pass is enough.
Status KnownFiles::recall_below(const std::string& root, std::span<const FileEntry> files,
                                std::span<const std::uint32_t> places, bool writable,
                                std::vector<KnownFile>& known, std::vector<Digest>& digests) {
  std::size_t next = 0;
  std::string path = next < places.size() ? absolute(files[places[next]]) : std::string();
  std::vector<ItemKey> unseen;
  const auto advance = [&] {
    ++next;
    if (next < places.size()) path = absolute(files[places[next]]);
  };
  const auto take = [&](const FileView& file) -> Status {
    while (next < places.size() && path < file.path) advance();
    if (next == places.size() || path != file.path) {
      unseen.push_back({std::string(file.path), file.part, file.volume});
      return ok();
    }
    const std::uint32_t place = places[next];
    if (file.part != 0 || !unchanged(file, files[place], volume_of_file(files[place]))) return ok();
    known[place] = {.known = true,
                    .digested = file.digest.has_value(),
                    .unrecognised_by = file.unrecognised_by};
    if (file.digest) digests[place] = *file.digest;
    return ok();
  };
  TWINSIFT_TRY([[maybe_unused]] auto done, collection_.files_below(root, take));
  return writable ? forget_vanished(unseen) : ok();
}

Status KnownFiles::recall(std::span<const FileEntry> files, bool writable,
                          std::vector<KnownFile>& known, std::vector<Digest>& digests) {
  known.assign(files.size(), {});
  learn_places(files);
  std::map<std::string_view, std::vector<std::uint32_t>> by_root;
  for (std::uint32_t i = 0; i < files.size(); ++i) {
    by_root[std::string_view(files[i].path).substr(0, files[i].root)].push_back(i);
  }
  for (const auto& [folder, places] : by_root) {
    const std::string& root = real_.find(folder)->second;
    if (root.empty()) continue;
    TWINSIFT_TRY([[maybe_unused]] auto done,
                 recall_below(root, files, places, writable, known, digests));
  }
  return ok();
}

}  // namespace twinsift
