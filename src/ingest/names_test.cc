// SPDX-License-Identifier: Apache-2.0
#include "ingest/names.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace twinsift {
namespace {

// The definition, without a thought of speed.  Requires: no two names are one directory entry.
std::vector<FileEntry> merged_by_definition(const std::vector<FileEntry>& files) {
  using Key = std::pair<std::uint64_t, std::uint64_t>;
  std::map<Key, std::vector<FileEntry>> same;
  for (const FileEntry& file : files) same[{file.device, file.inode}].push_back(file);
  std::vector<FileEntry> merged;
  for (auto& [identity, names] : same) {
    std::ranges::sort(names, {}, [](const FileEntry& file) {
      return std::tie(file.argument, file.through_link, file.path);
    });
    FileEntry first = names.front();
    for (std::size_t i = 1; i < names.size(); ++i) first.links.push_back(names[i].path);
    std::ranges::sort(first.links);
    merged.push_back(first);
  }
  std::ranges::sort(merged, {}, &FileEntry::path);
  return merged;
}

auto facts(const FileEntry& file) {
  return std::tie(file.path, file.size, file.device, file.inode, file.argument, file.through_link,
                  file.links);
}

// Entries whose paths come in ascending runs of `run`, as a walk's do; few are the same file.
std::vector<FileEntry> some_files(std::size_t run) {
  const auto numbers = *rc::gen::container<std::vector<std::uint32_t>>(rc::gen::inRange(0U, 900U));
  std::vector<FileEntry> files;
  for (const std::uint32_t number : numbers) {
    FileEntry file;
    file.path = "/no/such/" + std::to_string(number % 7) + "/" + std::to_string(number) + "-" +
                std::to_string(files.size());
    file.size = files.size();
    file.device = 40 + number % 2;
    file.inode = number;
    file.argument = number % 3;
    file.through_link = files.size() % 5 == 0;
    files.push_back(std::move(file));
  }
  for (std::size_t begin = 0; begin < files.size(); begin += run) {
    const auto from = files.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto count = std::min(run, files.size() - begin);
    std::ranges::sort(from, from + static_cast<std::ptrdiff_t>(count), {}, &FileEntry::path);
  }
  return files;
}

RC_GTEST_PROP(MergeNames, AgreesWithItsDefinition, ()) {
  const auto run = *rc::gen::element<std::size_t>(1, 3, 20, 40, 1000);
  std::vector<FileEntry> files =
      *rc::gen::resize(400, rc::gen::exec([&] { return some_files(run); }));
  const auto expected = merged_by_definition(files);
  merge_names(files);
  RC_ASSERT(files.size() == expected.size());
  for (std::size_t i = 0; i < files.size(); ++i) RC_ASSERT(facts(files[i]) == facts(expected[i]));
}

TEST(MergeNames, FilesOfFoldersThatHoldFoldersAreSortedIn) {
  std::vector<FileEntry> files;
  const auto add = [&](const std::string& path) {
    files.emplace_back().path = path;
    files.back().inode = files.size();
  };
  // As the walk finds them: a folder's files, then the folders in it.
  for (char c = 'a'; c <= 'z'; ++c) add(std::string("r/") + c);
  for (const char* folder : {"r/a-/", "r/a/", "r/m/", "r/zz/"}) {
    for (char c = 'a'; c <= 'z'; ++c) add(std::string(folder) + c);
    for (char c = 'a'; c <= 'z'; ++c) add(std::string(folder) + "k/" + c);
  }
  merge_names(files);
  ASSERT_EQ(files.size(), 26U * 9);
  EXPECT_TRUE(std::ranges::is_sorted(files, {}, &FileEntry::path));
}

TEST(MergeNames, NothingBecomesNothing) {
  std::vector<FileEntry> files;
  merge_names(files);
  EXPECT_TRUE(files.empty());
}

}  // namespace
}  // namespace twinsift
