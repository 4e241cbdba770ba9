// SPDX-License-Identifier: Apache-2.0
// The pictures of a folder, in memory, and the processor time of a process and its children.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <sys/resource.h>

#include "media/picture.h"

namespace twinsift::bench {

struct PictureFile {
  std::string bytes;
  PictureKind kind;

  [[nodiscard]] Input input() const { return {"", std::as_bytes(std::span(bytes))}; }
};

inline std::vector<PictureFile> read_pictures(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  std::vector<PictureFile> files;
  for (const auto& path : paths) {
    std::ifstream in(path, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(in), {}};
    const PictureKind kind = recognise_picture(std::as_bytes(std::span(bytes)));
    if (kind != PictureKind::kNone) files.push_back({std::move(bytes), kind});
  }
  return files;
}

// Of this process and all children that have ended.
inline double processor_seconds() {
  double sum = 0;
  for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage = {};
    getrusage(who, &usage);
    for (const timeval& time : {usage.ru_utime, usage.ru_stime}) {
      sum += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    }
  }
  return sum;
}

}  // namespace twinsift::bench
