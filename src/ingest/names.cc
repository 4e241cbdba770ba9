// SPDX-License-Identifier: Apache-2.0
#include "ingest/names.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "ingest/file_system.h"

namespace twinsift {
namespace {

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
  const auto identity = [&](std::uint32_t i) { return std::tie(files[i].device, files[i].inode); };
  std::vector<std::uint32_t> order(files.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, {}, [&](std::uint32_t i) {
    const FileEntry& file = files[i];
    return std::tie(file.device, file.inode, file.argument, file.through_link, file.path);
  });
  std::vector<bool> is_link(files.size());
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    for (end = begin + 1; end < order.size() && identity(order[end]) == identity(order[begin]);) {
      is_link[order[end++]] = true;
    }
    if (end - begin > 1) collect_links(files, std::span(order).subspan(begin, end - begin));
  }
  std::uint32_t next = 0;
  std::erase_if(files, [&](const FileEntry&) { return is_link[next++]; });
  std::ranges::sort(files, {}, &FileEntry::path);
}

}  // namespace twinsift
