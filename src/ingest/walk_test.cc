// SPDX-License-Identifier: Apache-2.0
#include "ingest/walk.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/test_dir.h"
#include "ingest/file_system.h"
#include "ingest/names.h"
#include "ingest/reader.h"

namespace twinsift {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

WalkResult walk_result(const Names& arguments, const WalkOptions& options = {}) {
  auto result = walk(arguments, options, {});
  EXPECT_TRUE(result);
  return *std::move(result);
}

// The paths below `dir` that a walk of it finds.
Names found(const TestDir& dir, const WalkOptions& options = {}) {
  Names names;
  for (const FileEntry& file : walk_result({dir.path()}, options).files) {
    names.push_back(file.path.substr(dir.path().string().size() + 1));
  }
  return names;
}

Names paths(const WalkResult& result) {
  Names names;
  for (const FileEntry& file : result.files) names.push_back(file.path);
  return names;
}

std::optional<Skipped> skip_of(const WalkResult& result, const std::string& path) {
  const auto at = std::ranges::find(result.skipped, path, &Skipped::path);
  return at == result.skipped.end() ? std::nullopt : std::optional(*at);
}

// Runs a check in a child without root's right to read everything; true if it held.
bool as_nobody(const std::function<bool()>& check) {
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr uid_t kNobody = 65534;
    if (::geteuid() == 0 && (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0)) ::_exit(2);
    ::_exit(check() ? 0 : 1);
  }
  int status = 0;
  return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Leaves the current folder for one test.
class WorkingDirectory {
 public:
  explicit WorkingDirectory(const std::string& path) : before_(fs::current_path()) {
    fs::current_path(path);
  }
  ~WorkingDirectory() { fs::current_path(before_); }
  WorkingDirectory(const WorkingDirectory&) = delete;
  WorkingDirectory& operator=(const WorkingDirectory&) = delete;

 private:
  fs::path before_;
};

TEST(Walk, FindsFilesInByteOrderWithTheirFacts) {
  const TestDir dir;
  dir.write("b", "four");
  dir.write("a/z", "12");
  dir.write("a-b/x");
  const auto result = walk_result({dir.path()});
  EXPECT_EQ(paths(result), (Names{dir / "a-b/x", dir / "a/z", dir / "b"}));
  EXPECT_EQ(result.directories, 3U);
  EXPECT_EQ(result.files[2].size, 4U);
  EXPECT_EQ(result.files[2].root, dir.path().string().size());
  struct stat status {};
  ASSERT_EQ(::stat((dir / "b").c_str(), &status), 0);
  EXPECT_EQ(result.files[2].inode, status.st_ino);
  EXPECT_EQ(result.files[2].mtime_ns, mtime_ns_of(status));
}

TEST(Walk, WritesPathsAsTheUserDid) {
  const TestDir dir;
  dir.write_all({"a/x", "-rf"});
  const WorkingDirectory here(dir.path());
  EXPECT_EQ(paths(walk_result({"a"})), (Names{"a/x"}));
  EXPECT_EQ(paths(walk_result({"a//"})), (Names{"a/x"}));
  EXPECT_EQ(paths(walk_result({"./a/."})), (Names{"./a/x"}));
  EXPECT_EQ(paths(walk_result({"."})), (Names{"./-rf", "./a/x"}));
  EXPECT_EQ(paths(walk_result({"a/../a"})), (Names{"a/../a/x"}));
  EXPECT_EQ(paths(walk_result({"a/x"})), (Names{"a/x"}));
}

TEST(Walk, ArgumentsAreCleanedButKeepTheirMeaning) {
  EXPECT_EQ(clean_argument("/"), "/");
  EXPECT_EQ(clean_argument("///a//b/"), "/a/b");
  EXPECT_EQ(clean_argument("./"), ".");
  EXPECT_EQ(clean_argument("././a/./b"), "./a/b");
  EXPECT_EQ(clean_argument("/./a"), "/a");
  EXPECT_EQ(clean_argument("a/../b"), "a/../b");
  EXPECT_EQ(clean_argument(""), "");
}

TEST(Walk, OverlappingArgumentsGiveEachFileOnceAndToTheFirst) {
  const TestDir dir;
  dir.write_all({"a/b/x", "a/y"});
  const std::string root = dir.path();
  const auto inner_last = walk_result({root, root + "/a/b", root + "/a/y", root + "/a/../a/"});
  EXPECT_EQ(paths(inner_last), (Names{dir / "a/b/x", dir / "a/y"}));
  for (const FileEntry& file : inner_last.files) {
    EXPECT_EQ(file.argument, 0U);
    EXPECT_TRUE(file.links.empty()) << file.links[0];
  }
  const auto inner_first = walk_result({root + "/a/../a/b", root});
  EXPECT_EQ(paths(inner_first), (Names{dir / "a/../a/b/x", dir / "a/y"}));
  EXPECT_EQ(inner_first.files[0].argument, 0U);
  EXPECT_EQ(inner_first.files[1].argument, 1U);
  EXPECT_TRUE(inner_first.files[0].links.empty());
}

TEST(Walk, HardLinksAreOneFileWithSeveralNames) {
  const TestDir dir;
  dir.write("m");
  fs::create_hard_link(dir / "m", dir / "z");
  fs::create_directory(dir / "d");
  fs::create_hard_link(dir / "m", dir / "d/a");
  const auto result = walk_result({dir.path()});
  ASSERT_EQ(paths(result), (Names{dir / "d/a"}));
  EXPECT_EQ(result.files[0].links, (Names{dir / "m", dir / "z"}));
  const auto named = walk_result({dir / "z", dir.path()});
  ASSERT_EQ(paths(named), (Names{dir / "z"}));
  EXPECT_EQ(named.files[0].links, (Names{dir / "d/a", dir / "m"}));
}

TEST(Walk, LinksBelowTheArgumentsAreLeftAlone) {
  const TestDir dir;
  dir.write_all({"real/x", "target"});
  fs::create_directory_symlink(dir / "real", dir / "real/link");
  fs::create_symlink(dir / "target", dir / "real/file-link");
  fs::create_symlink(dir / "nothing", dir / "real/broken");
  const auto result = walk_result({dir / "real"});
  EXPECT_EQ(paths(result), (Names{dir / "real/x"}));
  EXPECT_TRUE(result.skipped.empty());
}

TEST(Walk, AnArgumentThatIsALinkIsFollowed) {
  const TestDir dir;
  dir.write_all({"real/x"});
  fs::create_directory_symlink("real", dir / "link");
  fs::create_symlink("real/x", dir / "file-link");
  EXPECT_EQ(paths(walk_result({dir / "link"})), (Names{dir / "link/x"}));
  const auto file = walk_result({dir / "file-link"});
  EXPECT_EQ(paths(file), (Names{dir / "file-link"}));
  EXPECT_TRUE(file.files[0].through_link);
}

TEST(Walk, FollowedLinksNeverLoopAndRealNamesWin) {
  const TestDir dir;
  dir.write_all({"t/a/x", "t/z/y", "outside/o"});
  fs::create_directory_symlink("..", dir / "t/a/up");
  fs::create_directory_symlink("../z", dir / "t/a/0-to-z");
  fs::create_directory_symlink("../../outside", dir / "t/a/out");
  fs::create_directory_symlink("../t", dir / "outside/back");
  fs::create_symlink("self", dir / "t/self");
  fs::create_symlink("nothing", dir / "t/broken");
  fs::create_symlink("x", dir / "t/a/0-to-x");
  const auto result =
      walk_result({dir / "t"}, WalkOptions{.follow_links = true, .names = {}, .exclude = {}});
  EXPECT_EQ(paths(result), (Names{dir / "t/a/out/o", dir / "t/a/x", dir / "t/z/y"}));
  EXPECT_EQ(result.files[1].links, (Names{dir / "t/a/0-to-x"}));
  EXPECT_FALSE(result.files[1].through_link);
  ASSERT_EQ(result.skipped.size(), 2U);
  EXPECT_EQ(result.skipped[0].reason, "broken link");
  EXPECT_EQ(result.skipped[1].reason, "too many links");
}

TEST(Walk, SpecialFilesAreNeverOpened) {
  const TestDir dir;
  dir.write("x");
  ASSERT_EQ(::mkfifo((dir / "fifo").c_str(), 0600), 0);  // opening it would wait for ever
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  (dir / "socket").copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  ::close(socket);
  const auto below = walk_result({dir.path()});
  EXPECT_EQ(paths(below), (Names{dir / "x"}));
  EXPECT_EQ(below.special, 2U);
  EXPECT_TRUE(below.skipped.empty());
  const auto named = walk_result({dir / "fifo", "/dev/null", dir / "x"});
  EXPECT_EQ(paths(named), (Names{dir / "x"}));
  EXPECT_EQ(skip_of(named, dir / "fifo")->reason, "not a regular file");
  EXPECT_EQ(skip_of(named, "/dev/null")->reason, "not a regular file");
}

TEST(Walk, WhatIsMissingIsSkippedAndTheRestIsWalked) {
  const TestDir dir;
  dir.write("x");
  Names heard;
  Callbacks callbacks;
  callbacks.skipped = [&](const Skipped& skipped) { heard.push_back(skipped.path); };
  const auto result = walk({dir / "no", dir / "x/no", "", dir / "x"}, {}, callbacks);
  ASSERT_TRUE(result);
  EXPECT_EQ(paths(*result), (Names{dir / "x"}));
  ASSERT_EQ(result->skipped.size(), 3U);
  for (const Skipped& skipped : result->skipped) EXPECT_EQ(skipped.reason, "not found");
  EXPECT_EQ(heard, (Names{dir / "no", dir / "x/no", ""}));
}

TEST(Walk, UnreadableFoldersAreSkippedAndTheRestIsWalked) {
  const TestDir dir;
  dir.write_all({"closed/x", "open/y"});
  fs::permissions(dir.path(), fs::perms::all);
  fs::permissions(dir / "closed", fs::perms::owner_exec);
  const bool held = as_nobody([&] {
    const auto result = walk_result({dir.path()});
    const auto skipped = skip_of(result, dir / "closed");
    return paths(result) == Names{dir / "open/y"} && result.skipped.size() == 1 && skipped &&
           skipped->reason == "permission denied";
  });
  EXPECT_TRUE(held);
  fs::permissions(dir / "closed", fs::perms::owner_all);
}

TEST(Walk, NamesOfAnyBytesAreKept) {
  const TestDir dir;
  const Names strange = {"\x1b[31mred", "-", "\xff\xfe not UTF-8", "a\nb", "new\r", "\\x41", " "};
  for (const std::string& name : strange) dir.write("d/" + name);
  Names expected;
  for (const std::string& name : strange) expected.push_back(dir / "d/" + name);
  std::ranges::sort(expected);
  EXPECT_EQ(paths(walk_result({dir.path()})), expected);
}

TEST(Walk, LeavesOutHiddenThingsTrashAndItsOwnFiles) {
  const TestDir dir;
  dir.write_all({"x", ".hidden", ".config/y", ".git/z", ".Trash-1000/t", "$RECYCLE.BIN/r",
                 ".twinsift/index", ".local/share/Trash/files/w", ".local/share/app",
                 "local/share/Trash/v", "sub/.git"});
  EXPECT_EQ(found(dir), (Names{"local/share/Trash/v", "x"}));
  EXPECT_EQ(found(dir, {.hidden = true, .names = {}, .exclude = {}}),
            (Names{".config/y", ".hidden", ".local/share/app", "local/share/Trash/v", "x"}));
  EXPECT_EQ(paths(walk_result({dir / ".git", dir / ".hidden"})),
            (Names{dir / ".git/z", dir / ".hidden"}));
}

TEST(Walk, SizesLimitWhatIsLookedAt) {
  const TestDir dir;
  dir.write("0", "");
  dir.write("1", "1");
  dir.write("3", "333");
  EXPECT_EQ(found(dir), (Names{"1", "3"}));
  EXPECT_EQ(found(dir, {.min_size = 0, .max_size = 2, .names = {}, .exclude = {}}),
            (Names{"0", "1"}));
  EXPECT_TRUE(walk_result({dir / "0"}).files.empty());
}

TEST(Walk, DepthLimitsWhatIsLookedAt) {
  const TestDir dir;
  dir.write_all({"1", "a/2", "a/b/3"});
  EXPECT_EQ(found(dir, {.max_depth = 0, .names = {}, .exclude = {}}), (Names{}));
  EXPECT_EQ(found(dir, {.max_depth = 1, .names = {}, .exclude = {}}), (Names{"1"}));
  EXPECT_EQ(found(dir, {.max_depth = 2, .names = {}, .exclude = {}}), (Names{"1", "a/2"}));
  EXPECT_EQ(
      paths(walk_result({dir.path(), dir / "a"}, {.max_depth = 1, .names = {}, .exclude = {}})),
      (Names{dir / "1", dir / "a/2"}));
  EXPECT_EQ(walk_result({dir / "1"}, {.max_depth = 0, .names = {}, .exclude = {}}).files.size(),
            1U);
}

TEST(Walk, GlobsChooseNamesAndExcludePaths) {
  const TestDir dir;
  dir.write_all(
      {"a.txt", "b.jpg", "sub/c.txt", "sub/skip/d.txt", "build/e.txt", "sub/build/f.txt"});
  EXPECT_EQ(found(dir, {.names = {"*.txt"}, .exclude = {"build"}}),
            (Names{"a.txt", "sub/c.txt", "sub/skip/d.txt"}));
  EXPECT_EQ(found(dir, {.names = {"sub/*"}, .exclude = {}}), (Names{"sub/c.txt"}));
  EXPECT_EQ(found(dir, {.names = {}, .exclude = {"sub/skip", "build/", "*.jpg"}}),
            (Names{"a.txt", "sub/c.txt"}));
  EXPECT_EQ(found(dir, {.names = {}, .exclude = {dir / "sub", "build/*"}}),
            (Names{"a.txt", "b.jpg"}));
  EXPECT_EQ(paths(walk_result({dir / "a.txt", dir / "b.jpg"}, {.names = {}, .exclude = {"*.jpg"}})),
            (Names{dir / "a.txt"}));
}

TEST(Walk, TheNearestIgnoreFileWins) {
  const TestDir dir;
  dir.write(".twinsiftignore", "*.log\n/only-here\ncache/\n");
  dir.write("sub/.twinsiftignore", "!keep.log\n*.tmp\n");
  dir.write_all({"a.log", "only-here", "sub/only-here", "sub/keep.log", "sub/deep/keep.log",
                 "sub/b.log", "sub/c.tmp", "d.tmp", "cache/x", "sub/cache/y", "sub/deep/cache"});
  EXPECT_EQ(found(dir), (Names{"d.tmp", "sub/deep/cache", "sub/deep/keep.log", "sub/keep.log",
                               "sub/only-here"}));
}

TEST(Walk, IgnoreFilesHoldBehindFollowedLinks) {
  const TestDir dir;
  dir.write("t/.twinsiftignore", "*.log");
  dir.write_all({"out/a.log", "out/b"});
  fs::create_directory_symlink("../out", dir / "t/link");
  const auto result =
      walk_result({dir / "t"}, WalkOptions{.follow_links = true, .names = {}, .exclude = {}});
  EXPECT_EQ(paths(result), (Names{dir / "t/link/b"}));
}

TEST(Walk, OddIgnoreFilesDoNoHarm) {
  const TestDir dir;
  dir.write_all({"fifo/x", "folder/x", "huge/x"});
  ASSERT_EQ(::mkfifo((dir / "fifo/.twinsiftignore").c_str(), 0600), 0);
  fs::create_directory(dir / "folder/.twinsiftignore");
  dir.write("huge/.twinsiftignore", "x");
  fs::resize_file(dir / "huge/.twinsiftignore", 5'000'000'000);
  const auto result = walk_result({dir.path()});
  EXPECT_EQ(result.files.size(), 3U);
  ASSERT_EQ(result.skipped.size(), 1U);
  EXPECT_EQ(result.skipped[0].path, dir / "huge/.twinsiftignore");
  EXPECT_EQ(result.skipped[0].reason, "too large");
}

// Goes down and comes back by descriptors, because no path to the bottom can be used at once.
TEST(Walk, TreesDeeperThanAnyPathMayBeAreWalkedAndRead) {
  constexpr int kDepth = 10'000;
  const TestDir dir;
  Fd fd(::open(dir.path().c_str(), O_RDONLY | O_DIRECTORY));
  std::string path = dir.path();
  for (int i = 0; i < kDepth; ++i) {
    ASSERT_EQ(::mkdirat(fd.get(), "d", 0700), 0);
    if (i % 2500 == 0) {
      ASSERT_EQ(::mkdirat(fd.get(), "e", 0700), 0);
    }
    fd = Fd(::openat(fd.get(), "d", O_RDONLY | O_DIRECTORY));
    path += "/d";
  }
  const Fd file(::openat(fd.get(), "deepest", O_WRONLY | O_CREAT, 0600));
  ASSERT_EQ(::write(file.get(), "text", 4), 4);
  const auto result = walk_result({dir.path()});
  EXPECT_TRUE(result.skipped.empty());
  EXPECT_EQ(result.directories, kDepth + 5U);
  ASSERT_EQ(paths(result), (Names{path + "/deepest"}));
  const auto reader = FileReader::open(result.files[0]);
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->head().size(), 4U);
  EXPECT_EQ(paths(walk_result({path + "/deepest"})), (Names{path + "/deepest"}));
}

TEST(Walk, StopsWhenAsked) {
  const TestDir dir;
  dir.write("x");
  std::stop_source source;
  source.request_stop();
  Callbacks callbacks;
  callbacks.stop = source.get_token();
  const auto result = walk({dir.path()}, {}, callbacks);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kCancelled);
}

TEST(Walk, TellsHowFarItIs) {
  const TestDir dir;
  for (int i = 0; i < 600; ++i) dir.write(std::to_string(i));
  std::uint64_t calls = 0;
  Callbacks callbacks;
  callbacks.progress = [&](const Progress& progress) {
    ++calls;
    EXPECT_EQ(progress.stage, "walk");
    EXPECT_LE(progress.items, 600U);
    EXPECT_TRUE(progress.current.starts_with(dir.path().string()));
  };
  ASSERT_TRUE(walk({dir.path()}, {}, callbacks));
  EXPECT_GE(calls, 1U);
}

TEST(ReadFileList, SplitsAtNulAndKeepsEverythingElse) {
  const TestDir dir;
  using namespace std::string_view_literals;
  dir.write("list", "a\nb\0\0\xff c\0last"sv);
  const auto names = read_file_list(dir / "list");
  ASSERT_TRUE(names);
  EXPECT_EQ(*names, (Names{"a\nb", "\xff c", "last"}));
  EXPECT_EQ(read_file_list(dir / "none").error().code, ErrorCode::kNotFound);
  EXPECT_FALSE(read_file_list(dir.path()));
}

}  // namespace
}  // namespace twinsift
