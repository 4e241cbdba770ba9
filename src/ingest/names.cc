// SPDX-License-Identifier: Apache-2.0
#include "ingest/names.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "base/hash.h"
#include "base/radix.h"
#include "ingest/file_system.h"

namespace twinsift {
namespace {

using FileIterator = std::vector<FileEntry>::iterator;

// A place in a folder that holds a name; unlike a path there is only one way to write it.
using DirectoryEntry = std::pair<Identity, std::string_view>;

DirectoryEntry directory_entry(std::string_view path) {
  struct stat status {};
  Identity folder;
  if (stat_path(std::string(parent_of(path)), true, status) == 0) folder = identity_of(status);
  return {folder, path.substr(path.rfind('/') + 1)};  // npos + 1 is 0
}

// Gives the first of `names`, all of one file, the others as links.
void collect_links(std::vector<FileEntry>& files, std::span<const std::uint32_t> names) {
  FileEntry& first = files[names.front()];
  std::set<DirectoryEntry> known = {directory_entry(first.path)};
  for (const std::uint32_t i : names.subspan(1)) {
    if (known.insert(directory_entry(files[i].path)).second) first.links.push_back(files[i].path);
  }
  std::ranges::sort(first.links);
}

// Calls `found` with the entries of each file that has more than one, the best name first.  Few
// have, so the entries are brought together by a hash, in linear time, and only those that share
// one are compared.
void find_same_files(const std::vector<FileEntry>& files,
                     const std::function<void(std::span<const std::uint32_t>)>& found) {
  constexpr unsigned kIndexBits = 32;
  std::vector<std::uint64_t> words;
  words.reserve(files.size());
  for (const FileEntry& file : files) {
    const std::uint64_t hash = permute64(file.inode, file.device);
    words.push_back(hash >> kIndexBits << kIndexBits | words.size());
  }
  std::vector<std::uint64_t> scratch;
  radix_sort(words, kIndexBits, scratch);
  const auto identity = [&](std::uint32_t i) { return std::tie(files[i].device, files[i].inode); };
  const auto rank = [&](std::uint32_t i) {
    const FileEntry& file = files[i];
    return std::tie(file.device, file.inode, file.argument, file.through_link, file.path);
  };
  std::vector<std::uint32_t> names;
  for (std::size_t i = 0; i < words.size();) {
    names.clear();
    const std::uint64_t hash = words[i] >> kIndexBits;
    for (; i < words.size() && words[i] >> kIndexBits == hash; ++i) {
      names.push_back(static_cast<std::uint32_t>(words[i]));
    }
    if (names.size() == 1) continue;
    std::ranges::sort(names, {}, rank);
    for (auto begin = names.begin(), end = begin; begin != names.end(); begin = end) {
      end = std::ranges::upper_bound(begin, names.end(), identity(*begin), {}, identity);
      if (end - begin > 1) found(std::span(begin, end));
    }
  }
}

// Merges [begin, middle) and [middle, end), each sorted.  Neighbours overlap little if at all.
void merge_runs(FileIterator begin, FileIterator middle, FileIterator end) {
  begin = std::ranges::upper_bound(begin, middle, middle->path, {}, &FileEntry::path);
  if (begin == middle) return;
  end = std::ranges::lower_bound(middle, end, std::prev(middle)->path, {}, &FileEntry::path);
  std::ranges::inplace_merge(begin, middle, end, {}, &FileEntry::path);
}

// A natural merge sort, because the walk finds the files of a folder in order and the folders,
// too: all is sorted already but for folders that hold both.  Names from a list may come in any
// order; for those there are better sorts.
void sort_by_path(std::vector<FileEntry>& files) {
  std::vector<FileIterator> starts;  // of the ascending runs, and the end
  for (auto run = files.begin(); run != files.end();) {
    starts.push_back(run);
    run = std::ranges::is_sorted_until(run, files.end(), {}, &FileEntry::path);
  }
  constexpr std::size_t kShortRun = 16;
  if (starts.size() > 1 && files.size() / starts.size() < kShortRun) {
    std::ranges::sort(files, {}, &FileEntry::path);
    return;
  }
  starts.push_back(files.end());
  while (starts.size() > 2) {
    std::vector<FileIterator> merged;
    for (std::size_t i = 0; i + 1 < starts.size(); i += 2) {
      if (i + 2 < starts.size()) merge_runs(starts[i], starts[i + 1], starts[i + 2]);
      merged.push_back(starts[i]);
    }
    merged.push_back(files.end());
    starts = std::move(merged);
  }
}

}  // namespace

std::string clean_argument(std::string_view argument) {
  std::string clean = argument.starts_with('/') ? "/" : "";
  for (std::size_t begin = 0; begin < argument.size();) {
    const std::size_t end = std::min(argument.find('/', begin), argument.size());
    const std::string_view segment = argument.substr(begin, end - begin);
    if (!segment.empty() && (segment != "." || clean.empty())) {
      if (!clean.empty() && !clean.ends_with('/')) clean += '/';
      clean += segment;
    }
    begin = end + 1;
  }
  return clean;
}

bool is_left_out_by_name(std::string_view name, bool hidden) {
  if (name == "$RECYCLE.BIN") return true;
  if (!name.starts_with('.')) return false;
  return !hidden || name == "." || name == ".." || name == ".git" || name.starts_with(".Trash") ||
         name.starts_with(".twinsift");
}

bool is_trash(std::string_view path) {
  constexpr std::string_view kTrash = ".local/share/Trash";
  return path.ends_with(kTrash) &&
         (path.size() == kTrash.size() || path[path.size() - kTrash.size() - 1] == '/');
}

void merge_names(std::vector<FileEntry>& files) {
  std::vector<bool> is_link(files.size());
  find_same_files(files, [&](std::span<const std::uint32_t> names) {
    collect_links(files, names);
    for (const std::uint32_t i : names.subspan(1)) is_link[i] = true;
  });
  std::uint32_t next = 0;
  std::erase_if(files, [&](const FileEntry&) { return is_link[next++]; });
  sort_by_path(files);
}

}  // namespace twinsift
