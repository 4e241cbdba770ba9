// SPDX-License-Identifier: Apache-2.0
#include "run/new_since.h"

#include <algorithm>
#include <string>

namespace twinsift {
namespace {

// All paths that begin with the folder's name and a slash are neighbours in the sorted list.
bool has_new(const std::string& folder, std::span<const std::string_view> fresh) {
  if (folder == ".") {
    // Paths below the working directory need not begin with its name.
    return std::ranges::any_of(fresh, [](std::string_view path) { return path[0] != '/'; });
  }
  const std::string prefix = folder.ends_with('/') ? folder : folder + '/';
  const auto first = std::ranges::lower_bound(fresh, std::string_view(prefix));
  return first != fresh.end() && first->starts_with(prefix);
}

}  // namespace

void keep_new_groups(Report& report, std::int64_t since_ns) {
  std::erase_if(report.groups, [&](const Group& group) {
    return std::ranges::none_of(group.members,
                                [&](const Member& member) { return member.mtime_ns >= since_ns; });
  });
  for (std::size_t i = 0; i < report.groups.size(); ++i) report.groups[i].id = i + 1;
}

void keep_new_folders(Report& report, std::span<const std::string_view> fresh) {
  std::erase_if(report.folders, [&](const FolderPair& pair) {
    return !has_new(pair.a, fresh) && !has_new(pair.b, fresh);
  });
}

void keep_new_links(Report& report, std::span<const std::string_view> fresh) {
  const auto is_new = [&](std::string_view path) {
    return std::ranges::binary_search(fresh, path);
  };
  std::erase_if(report.links,
                [&](const RecordingLink& link) { return !is_new(link.a) && !is_new(link.b); });
}

}  // namespace twinsift
