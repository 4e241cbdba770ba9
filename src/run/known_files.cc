// SPDX-License-Identifier: Apache-2.0
#include "run/known_files.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include <fcntl.h>
#include <sys/stat.h>

#include "ingest/file_system.h"
#include "store/memory_part.h"
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

bool is_below(std::string_view path, std::string_view folder) {
  if (!path.starts_with(folder)) return false;
  return folder.ends_with('/') || path.size() == folder.size() || path[folder.size()] == '/';
}

// What follows the folder of the argument.
std::string_view below_root(const FileEntry& file) {
  std::string_view rest = std::string_view(file.path).substr(file.root);
  while (rest.starts_with('/')) rest.remove_prefix(1);
  return rest;
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

bool same_file(const FileRecord& then, const FileRecord& now) {
  return then.inode == now.inode && then.size == now.size && then.mtime_ns == now.mtime_ns &&
         then.ctime_ns == now.ctime_ns;
}

// Whether what the record says of its path is known to hold no longer.
bool is_gone(const FileRecord& then) {
  if (has_vanished(then.key.path, then.key.volume)) return true;
  if (then.key.part != 0) return false;  // documents change when the corpus is indexed again
  struct stat status {};
  if (stat_path(then.key.path, true, status) != 0) return false;
  const FileRecord now = record_of_file(then.key.path, status);
  return now.key.volume == then.key.volume && !same_file(then, now);
}

}  // namespace

KnownFiles::KnownFiles(Collection& collection) : collection_(collection), begun_ns_(now_ns()) {}

std::string absolute_path(const std::string& path) {
  if (std::string real = real_path(path); !real.empty()) return real;
  std::error_code failed;
  const auto named = std::filesystem::absolute(path, failed);
  // As far as it is there, links are resolved as they were when the path was recorded.
  auto resolved = std::filesystem::weakly_canonical(named, failed);
  std::string whole = (failed ? named.lexically_normal() : resolved).string();
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
  return same_file(then, now) && !may_have_changed_since(then.ctime_ns, then.seen_ns);
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
  if (!path.ends_with('/')) path += '/';
  return path.append(below_root(file));
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
          .seen_ns = begun_ns_};
}

// That the disk is full is no reason to give up the search.
void KnownFiles::forget_gone(std::span<const FileRecord> records) {
  for (const FileRecord& record : records) {
    if (failure_ || !is_gone(record)) continue;
    const Status put = collection_.put(FileRecord{.key = record.key, .dropped = true});
    if (put) ++forgotten_;
    if (!put) failure_ = put.error();
  }
}

void KnownFiles::take_known(const FileView& file, std::uint32_t place, Task& task) const {
  const FileEntry& entry = task.files[place];
  if (file.part != 0 || !unchanged(file, entry, volume_of_file(entry))) return;
  task.known[place] = {
      .known = true, .digested = file.digest.has_value(), .unrecognised_by = file.unrecognised_by};
  if (file.digest) task.digests[place] = *file.digest;
}

// A file that was named itself says nothing about its neighbours.
Status KnownFiles::recall_one(std::uint32_t place, Task& task) const {
  const FileEntry& entry = task.files[place];
  TWINSIFT_TRY(const auto file,
               collection_.file({.path = absolute(entry), .volume = volume_of_file(entry)}));
  if (file) take_known(view_of(*file, 0), place, task);
  return ok();
}

// Both sides ascend by path, so one pass is enough; and all paths begin with the root, so only
// what follows it is compared.
Status KnownFiles::recall_below(const std::string& root, const Places& places, Task& task) {
  std::size_t next = 0;
  std::vector<FileRecord> unseen;
  const auto below = [&](const Places::value_type& place) { return below_root(task.files[place]); };
  const auto take = [&](const FileView& file) -> Status {
    std::string_view rest = file.path.substr(std::min(root.size(), file.path.size()));
    if (rest.starts_with('/')) rest.remove_prefix(1);
    while (next < places.size() && below(places[next]) < rest) ++next;
    if (next == places.size() || below(places[next]) != rest) {
      unseen.push_back(twinsift::record_of(file));
    } else {
      take_known(file, places[next], task);
    }
    return ok();
  };
  TWINSIFT_TRY([[maybe_unused]] auto done, collection_.files_below(root, take));
  if (task.writable) forget_gone(unseen);
  return ok();
}

Status KnownFiles::recall(std::span<const FileEntry> files, std::span<const std::string> arguments,
                          bool writable, std::vector<KnownFile>& known,
                          std::vector<Digest>& digests) {
  known.assign(files.size(), {});
  learn_places(files);
  Task task{.files = files, .known = known, .digests = digests, .writable = writable};
  std::vector<std::string> folders;  // of each argument, links resolved; empty: none to be read
  for (const std::string& argument : arguments) {
    const bool readable = static_cast<bool>(open_path(argument, O_RDONLY | O_DIRECTORY));
    folders.push_back(readable ? real_path(argument) : std::string());
  }
  std::map<std::string_view, Places> by_root;
  for (std::uint32_t i = 0; i < files.size(); ++i) {
    if (folders[files[i].argument].empty()) {
      TWINSIFT_TRY([[maybe_unused]] auto done, recall_one(i, task));
    } else {
      by_root[std::string_view(files[i].path).substr(0, files[i].root)].push_back(i);
    }
  }
  std::vector<std::string> done_below;
  for (const auto& [folder, places] : by_root) {
    const std::string& root = real_.find(folder)->second;
    if (root.empty()) continue;
    TWINSIFT_TRY([[maybe_unused]] auto done, recall_below(root, places, task));
    done_below.push_back(root);
  }
  // Folders in which the walk has found nothing.
  for (const std::string& folder : folders) {
    const auto holds = [&](const std::string& root) { return is_below(folder, root); };
    if (folder.empty() || std::ranges::any_of(done_below, holds)) continue;
    TWINSIFT_TRY([[maybe_unused]] auto done, recall_below(folder, {}, task));
    done_below.push_back(folder);
  }
  return ok();
}

}  // namespace twinsift
