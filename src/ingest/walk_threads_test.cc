// SPDX-License-Identifier: Apache-2.0
// However many threads walk, what they find is what one finds.
#include <algorithm>
#include <array>
#include <filesystem>
#include <thread>
#include <tuple>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/random.h"
#include "base/test_dir.h"
#include "ingest/file_system.h"
#include "ingest/walk.h"

namespace twinsift {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

auto facts(const FileEntry& file) {
  return std::tie(file.path, file.size, file.mtime_ns, file.ctime_ns, file.device, file.inode,
                  file.argument, file.root, file.through_link, file.links);
}

auto facts(const Skipped& skipped) {
  return std::tie(skipped.path, skipped.reason, skipped.detail);
}

bool same(const WalkResult& a, const WalkResult& b) {
  const auto equal = [](const auto& x, const auto& y) { return facts(x) == facts(y); };
  return std::ranges::equal(a.files, b.files, equal) &&
         std::ranges::equal(a.skipped, b.skipped, equal) && a.directories == b.directories &&
         a.special == b.special;
}

// What one thread finds, after a look at whether more find the same.
WalkResult checked_walk(const Names& arguments, const WalkOptions& options = {}) {
  auto alone = walk(arguments, options, {}, 1);
  EXPECT_TRUE(alone);
  for (const unsigned threads : {0U, 2U, 8U, 100U}) {
    const auto together = walk(arguments, options, {}, threads);
    EXPECT_TRUE(together);
    EXPECT_TRUE(same(*alone, *together)) << threads << " threads";
  }
  return *std::move(alone);
}

void make_file(const std::string& path, std::uint64_t size) {
  const Fd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  if (::ftruncate(fd.get(), static_cast<off_t>(size)) != 0) std::abort();
}

// Files 0, 1, ... of 0, 1, ... bytes.
void make_files(const std::string& folder, unsigned count) {
  fs::create_directories(folder);
  for (unsigned i = 0; i < count; ++i) make_file(folder + "/" + std::to_string(i), i);
}

WalkOptions everything() {
  WalkOptions options;
  options.min_size = 0;
  return options;
}

TEST(WalkThreads, ManyFilesInOneFolder) {
  const TestDir dir;
  make_files(dir / "f", 5000);
  const WalkResult result = checked_walk({dir.path()}, everything());
  ASSERT_EQ(result.files.size(), 5000U);
  EXPECT_TRUE(std::ranges::is_sorted(result.files, {}, &FileEntry::path));
  for (const FileEntry& file : result.files) {
    EXPECT_EQ(file.path, dir / "f/" + std::to_string(file.size));
  }
}

TEST(WalkThreads, SizesAndNamesLeaveOutTheSame) {
  const TestDir dir;
  for (const char* folder : {"a", "b", "c/d"}) make_files(dir / folder, 1000);
  WalkOptions options;
  options.min_size = 100;
  options.max_size = 899;
  EXPECT_EQ(checked_walk({dir.path()}, options).files.size(), 3 * 800U);
  options.names = {"*5", "c/*/7*"};
  EXPECT_EQ(checked_walk({dir.path()}, options).files.size(), 3 * 80U + 90);
  options.exclude = {"b", "*55"};
  EXPECT_EQ(checked_walk({dir.path()}, options).files.size(), 2 * 72U + 90);
}

TEST(WalkThreads, IgnoreFilesHoldForTheSame) {
  const TestDir dir;
  dir.write(".twinsiftignore", "*1\n!keep/*1\n");
  for (const char* folder : {"a", "a/b", "keep", "keep/c"}) make_files(dir / folder, 500);
  dir.write("a/b/.twinsiftignore", "*2\n!*11\n");
  const WalkResult result = checked_walk({dir.path()}, everything());
  EXPECT_EQ(result.files.size(), 450U + (400 + 5) + 500 + 450);
}

TEST(WalkThreads, LinksLeadToTheSame) {
  const TestDir dir;
  for (const char* folder : {"t/a", "t/z", "outside"}) make_files(dir / folder, 700);
  for (unsigned i = 0; i < 300; ++i) {
    const std::string name = std::to_string(i);
    fs::create_hard_link(dir / "t/z/" + name, dir / "t/a/hard-" + name);
    fs::create_symlink("../z/" + name, dir / "t/a/soft-" + name);
  }
  fs::create_directory_symlink("../../outside", dir / "t/a/out");
  fs::create_directory_symlink("..", dir / "t/a/up");
  fs::create_symlink("nothing", dir / "t/broken");
  WalkOptions options = everything();
  EXPECT_EQ(checked_walk({dir / "t"}, options).files.size(), 1400U);
  options.follow_links = true;
  const WalkResult result = checked_walk({dir / "t"}, options);
  EXPECT_EQ(result.files.size(), 2100U);
  EXPECT_EQ(result.skipped.size(), 1U);
  const auto hard = std::ranges::find(result.files, dir / "t/a/hard-7", &FileEntry::path);
  ASSERT_NE(hard, result.files.end());
  EXPECT_EQ(hard->links, (Names{dir / "t/a/soft-7", dir / "t/z/7"}));
}

TEST(WalkThreads, OverlappingArgumentsGiveTheSame) {
  const TestDir dir;
  for (const char* folder : {"a", "a/b", "c"}) make_files(dir / folder, 600);
  const WalkResult result =
      checked_walk({dir / "a/b", dir / "c/7", dir.path(), dir / "a", dir / "no"}, everything());
  ASSERT_EQ(result.files.size(), 1800U);
  std::array<unsigned, 4> of_argument{};
  for (const FileEntry& file : result.files) {
    ++of_argument.at(file.argument);
    EXPECT_EQ(file.root, (file.argument == 0   ? dir / "a/b"
                          : file.argument == 1 ? dir / "c"
                                               : dir.path().string())
                             .size());
    EXPECT_TRUE(file.links.empty());
  }
  EXPECT_EQ(of_argument, (std::array<unsigned, 4>{600, 1, 1199, 0}));
  EXPECT_EQ(result.skipped.size(), 1U);
}

// What cannot be looked at is told of by the calling thread, whoever found out.
TEST(WalkThreads, UnreadableThingsAreSkippedByTheSameRuleAndToldOfHere) {
  const TestDir dir;
  for (const char* folder : {"list-only", "closed", "open"}) make_files(dir / folder, 1000);
  fs::permissions(dir.path(), fs::perms::all);
  fs::permissions(dir / "open", fs::perms::all);
  fs::permissions(dir / "closed", fs::perms::owner_exec);
  fs::permissions(dir / "list-only", fs::perms::others_read);
  const int result = in_child([&] {
    constexpr uid_t kNobody = 65534;
    if (::geteuid() == 0 && (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0)) return 2;
    std::vector<std::thread::id> told_by;
    Callbacks callbacks;
    callbacks.skipped = [&](const Skipped&) { told_by.push_back(std::this_thread::get_id()); };
    const auto alone = walk({dir.path()}, everything(), {}, 1);
    const auto together = walk({dir.path()}, everything(), callbacks, 8);
    if (!same(*alone, *together)) return 3;
    if (together->files.size() != 1000 || together->skipped.size() != 1001) return 4;
    if (together->skipped[1].reason != "permission denied") return 5;
    if (told_by != std::vector(1001, std::this_thread::get_id())) return 6;
    return 0;
  });
  EXPECT_EQ(result, 0);
  for (const char* folder : {"list-only", "closed"}) {
    fs::permissions(dir / folder, fs::perms::owner_all);
  }
}

TEST(WalkThreads, FilesThatVanishMeanwhileAreSkippedAndTheRestIsFound) {
  for (const unsigned threads : {1U, 2U, 8U}) {
    const TestDir dir;
    make_files(dir / "a", 600);
    for (unsigned i = 0; i < 600; ++i) make_file(dir / "a/gone" + std::to_string(i), 1);
    Callbacks callbacks;
    callbacks.progress = [&](const Progress& /*progress*/) {
      for (unsigned i = 0; i < 600; ++i) fs::remove(dir / "a/gone" + std::to_string(i));
    };
    const auto result = walk({dir.path()}, everything(), callbacks, threads);
    ASSERT_TRUE(result);
    std::size_t stayed = 0;
    for (const FileEntry& file : result->files) {
      if (file.path.find("gone") == std::string::npos) ++stayed;
    }
    EXPECT_EQ(stayed, 600U);
    EXPECT_FALSE(result->skipped.empty());
    for (const Skipped& skipped : result->skipped) {
      EXPECT_EQ(skipped.reason, "vanished");
      EXPECT_NE(skipped.path.find("gone"), std::string::npos);
    }
  }
}

// A long way down, and at its end many folders that the walk has left before their files have
// been looked at: with one descriptor more than 64, something would be skipped.
TEST(WalkThreads, DescriptorsStayWithinTheBudget) {
  const TestDir dir;
  std::string bottom = dir.path();
  for (int i = 0; i < 70; ++i) bottom += "/d";
  for (int i = 0; i < 60; ++i) make_files(bottom + "/leaf" + std::to_string(i), 60);
  dir.write(bottom.substr(dir.path().string().size() + 1) + "/leaf9/.twinsiftignore", "7\n");
  for (const unsigned threads : {1U, 2U, 8U}) {
    const int result = in_child([&] {
      if (::close_range(3, ~0U, 0) != 0) return 2;
      const rlimit limit{3 + 64, 3 + 64};
      if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) return 3;
      for (int i = 0; i < 5; ++i) {
        const auto seen = walk({dir.path()}, everything(), {}, threads);
        if (!seen || !seen->skipped.empty()) return 4;
        if (seen->files.size() != 60 * 60 - 1 || seen->directories != 131) return 5;
      }
      return 0;
    });
    EXPECT_EQ(result, 0) << threads << " threads";
  }
}

TEST(WalkThreads, DeepTreesGiveTheSame) {
  const TestDir dir;
  std::string path = dir.path();
  for (int i = 0; i < 150; ++i) {
    path += "/d";
    make_files(path, 20);
    if (i % 10 == 0) make_files(path + "/e", 20);
  }
  const WalkResult result = checked_walk({dir.path()}, everything());
  EXPECT_EQ(result.files.size(), 165U * 20);
  EXPECT_TRUE(result.skipped.empty());
}

TEST(WalkThreads, StopWhenAskedInTheMiddle) {
  const TestDir dir;
  for (int i = 0; i < 20; ++i) make_files(dir / std::to_string(i), 200);
  for (const unsigned threads : {1U, 2U, 8U}) {
    std::stop_source source;
    Callbacks callbacks;
    callbacks.stop = source.get_token();
    int calls = 0;
    callbacks.progress = [&](const Progress& /*progress*/) {
      ++calls;
      source.request_stop();
    };
    const auto result = walk({dir.path()}, everything(), callbacks, threads);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::kCancelled);
    EXPECT_EQ(calls, 1);
  }
}

TEST(WalkThreads, SmallTreesAreWalkedByOneThread) {
  const TestDir dir;
  make_files(dir / "a", 100);
  const auto threads_now = [] {
    return std::distance(fs::directory_iterator("/proc/self/task"), fs::directory_iterator());
  };
  const auto before = threads_now();
  std::ptrdiff_t most = 0;
  Callbacks callbacks;
  callbacks.skipped = [&](const Skipped& /*skipped*/) { most = std::max(most, threads_now()); };
  ASSERT_TRUE(walk({dir / "a", dir / "told-after-the-first"}, everything(), callbacks, 8));
  EXPECT_EQ(most, before);
  make_files(dir / "b", 2000);
  ASSERT_TRUE(walk({dir / "b", dir / "told-after-the-first"}, everything(), callbacks, 8));
  EXPECT_EQ(most, before + 7);
}

// A tree of random shape, with files of both kinds of links to each other, and ignore files.
void make_random_tree(const TestDir& dir, Rng& random) {
  Names folders = {dir.path()};
  Names files;
  while (files.size() < 900) {
    const std::string folder = folders[random.below(static_cast<std::uint32_t>(folders.size()))] +
                               "/" + std::string(1, static_cast<char>('a' + random.below(26)));
    if (fs::exists(folder)) continue;
    fs::create_directory(folder);
    folders.push_back(folder);
    const unsigned count = random.below(4) == 0 ? random.below(600) : random.below(20);
    for (unsigned i = 0; i < count; ++i) {
      const std::string path = folder + "/" + std::to_string(random.next() % 100'000);
      if (fs::exists(path)) continue;
      const unsigned kind = files.empty() ? 9 : random.below(20);
      const auto other = files.empty() ? 0 : random.below(static_cast<std::uint32_t>(files.size()));
      if (kind == 0) {
        fs::create_hard_link(files[other], path);
      } else if (kind == 1) {
        fs::create_symlink(random.below(2) == 0 ? files[other] : files[other] + "-none", path);
      } else {
        make_file(path, random.below(50));
        files.push_back(path);
      }
    }
    if (random.below(6) == 0) {
      fs::create_directory_symlink(
          folders[random.below(static_cast<std::uint32_t>(folders.size()))], folder + "/link");
    }
    if (random.below(6) == 0) {
      dir.write(folder.substr(dir.path().string().size() + 1) + "/.twinsiftignore", "*7\nb/\n");
    }
  }
}

TEST(WalkThreads, RandomTreesGiveTheSame) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE(seed);
    Rng random(seed);
    const TestDir dir;
    make_random_tree(dir, random);
    WalkOptions options;
    options.follow_links = random.below(2) == 0;
    options.min_size = random.below(3);
    options.max_size = random.below(2) == 0 ? 0 : 30;
    if (random.below(3) == 0) options.names = {"*[0-4]", "*8?"};
    if (random.below(3) == 0) options.exclude = {"*9", "c"};
    Names arguments = {dir.path()};
    if (random.below(2) == 0) arguments.insert(arguments.begin(), dir / "a");
    EXPECT_FALSE(checked_walk(arguments, options).files.empty());
  }
}

}  // namespace
}  // namespace twinsift
