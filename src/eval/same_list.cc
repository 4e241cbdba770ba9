// SPDX-License-Identifier: Apache-2.0
#include "eval/same_list.h"

#include <filesystem>
#include <fstream>
#include <numeric>

#include <fmt/format.h>

namespace twinsift {
namespace {

// Sets of numbers that are equal.
class Classes {
 public:
  explicit Classes(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }
  std::uint32_t find(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::uint32_t a, std::uint32_t b) { parent_[find(a)] = find(b); }

 private:
  std::vector<std::uint32_t> parent_;
};

// A file by its path from the folder or from the working directory.
class FilesByPath {
 public:
  FilesByPath(std::span<const KnownFile> files, const std::string& folder) : folder_(folder) {
    for (std::uint32_t i = 0; i < files.size(); ++i) {
      places_.emplace(canonical(files[i].file->path), i);
      for (const std::string& link : files[i].file->links) places_.emplace(canonical(link), i);
    }
  }
  [[nodiscard]] const std::uint32_t* find(const std::string& name) const {
    for (const auto& path : {folder_ / name, std::filesystem::path(name)}) {
      if (const auto found = places_.find(canonical(path)); found != places_.end()) {
        return &found->second;
      }
    }
    return nullptr;
  }

 private:
  static std::string canonical(const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::weakly_canonical(path, ignored).string();
  }
  std::filesystem::path folder_;
  std::map<std::string, std::uint32_t> places_;
};

Status join_listed(const std::string& list, const FilesByPath& files, std::string_view thing,
                   Classes& classes) {
  std::ifstream file(list, std::ios::binary);
  if (!file) return Error{ErrorCode::kNotFound, fmt::format("{} cannot be read", list)};
  std::size_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty() || line[0] == '#') continue;
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos) {
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("{}:{} is not two paths with a tab between them", list, number)};
    }
    const std::string first = line.substr(0, tab);
    const std::string second = line.substr(tab + 1, line.find('\t', tab + 1) - tab - 1);
    const std::uint32_t* a = files.find(first);
    const std::uint32_t* b = files.find(second);
    if (a == nullptr || b == nullptr) {
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("{}:{} names {}, which is no {} here", list, number,
                               a == nullptr ? first : second, thing)};
    }
    classes.join(*a, *b);
  }
  return ok();
}

}  // namespace

Result<FileNumbers> number_files(std::span<const KnownFile> files, const std::string& folder,
                                 const std::string& same, std::string_view thing) {
  Classes classes(files.size());
  for (std::uint32_t i = 1; i < files.size(); ++i) {
    if (files[i].digest == files[i - 1].digest) classes.join(i, i - 1);
  }
  if (!same.empty()) {
    TWINSIFT_TRY([[maybe_unused]] auto done,
                 join_listed(same, FilesByPath(files, folder), thing, classes));
  }
  FileNumbers numbers;
  for (std::uint32_t i = 0; i < files.size(); ++i) {
    numbers.emplace(files[i].file->path, classes.find(i));
    for (const std::string& link : files[i].file->links) numbers.emplace(link, classes.find(i));
  }
  return numbers;
}

}  // namespace twinsift
