// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"

#include <csignal>
#include <string>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/test_dir.h"
#include "ingest/stream.h"

namespace twinsift {
namespace {

using Names = std::set<std::string>;

std::string noise(std::size_t size) {
  std::string bytes(size, '\0');
  std::uint32_t state = 1;
  for (char& c : bytes) c = static_cast<char>((state = state * 1664525U + 1013904223U) >> 24U);
  return bytes;
}

std::string uncompressed(const std::string& path) {
  auto source = open_source(path);
  if (!source) return source.error().message;
  std::string all;
  char piece[4096];
  for (;;) {
    const auto n = (*source)->read(piece);
    if (!n) return n.error().message;
    if (*n == 0) return all;
    all.append(piece, *n);
  }
}

mode_t mode_of(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 ? info.st_mode & 07777U : 0;
}

TEST(AtomicFile, IsNotThereBeforeCommitAndCompleteAfterIt) {
  const TestDir dir;
  const std::string content = noise(1'000'000);
  auto file = AtomicFile::create(dir / "out");
  ASSERT_TRUE(file);
  for (std::size_t i = 0; i < content.size(); i += 1000) {
    ASSERT_TRUE((*file)->write(std::string_view(content).substr(i, 1000)));
  }
  EXPECT_EQ(dir.names(), Names{});
  ASSERT_TRUE((*file)->commit());
  EXPECT_EQ(dir.names(), Names{"out"});
  EXPECT_EQ(dir.read("out"), content);
}

TEST(AtomicFile, WithoutCommitTheOldFileStays) {
  const TestDir dir;
  dir.write("out", "old");
  {
    auto file = AtomicFile::create(dir / "out");
    ASSERT_TRUE(file && (*file)->write(noise(1'000'000)));
  }
  EXPECT_EQ(dir.names(), Names{"out"});
  EXPECT_EQ(dir.read("out"), "old");
}

TEST(AtomicFile, KilledWriterLeavesNothing) {
  const TestDir dir;
  dir.write("out", "old");
  int pipe_ends[2];
  ASSERT_EQ(::pipe(pipe_ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    auto file = AtomicFile::create(dir / "out");
    const bool good = file && (*file)->write(noise(1'000'000));
    [[maybe_unused]] const auto n = ::write(pipe_ends[1], good ? "+" : "-", 1);
    for (;;) ::pause();
  }
  char answer = 0;
  EXPECT_EQ(::read(pipe_ends[0], &answer, 1), 1);
  EXPECT_EQ(answer, '+');
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  ::close(pipe_ends[0]);
  ::close(pipe_ends[1]);
  EXPECT_EQ(dir.names(), Names{"out"});
  EXPECT_EQ(dir.read("out"), "old");
}

TEST(AtomicFile, FullDiskIsOneErrorAndLeavesTheOldFile) {
  const TestDir dir;
  EXPECT_EQ(in_child([&dir] {
              limit_disk(dir.path());
              dir.write("out", "old");
              {
                auto file = AtomicFile::create(dir / "out");
                if (!file) return 1;
                Status written = (*file)->write(noise(1'000'000));
                if (written) written = (*file)->commit();
                if (written || written.error().code != ErrorCode::kIo) return 2;
                if (!is_disk_full(written.error().message)) return 3;
                const Status again = (*file)->commit();
                if (again || again.error().message != written.error().message) return 4;
              }
              return dir.names() == Names{"out"} && dir.read("out") == "old" ? 0 : 5;
            }),
            0);
}

TEST(AtomicFile, KeepsTheModeOfTheOldFileAndUsesTheUmaskForNewOnes) {
  const TestDir dir;
  dir.write("old", "x");
  ::chmod((dir / "old").c_str(), 0640);
  const mode_t mask = ::umask(027);
  for (const char* name : {"old", "new"}) {
    auto file = AtomicFile::create(dir / name);
    EXPECT_TRUE(file && (*file)->commit());
  }
  ::umask(mask);
  EXPECT_EQ(mode_of(dir / "old"), 0640U);
  EXPECT_EQ(mode_of(dir / "new"), 0640U);
}

TEST(AtomicFile, FollowsSymbolicLinks) {
  const TestDir dir;
  dir.write("real", "old");
  std::filesystem::create_symlink("real", dir / "link");
  auto file = AtomicFile::create(dir / "link");
  ASSERT_TRUE(file && (*file)->write("new") && (*file)->commit());
  EXPECT_EQ(dir.read("real"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(dir / "link"));
}

TEST(AtomicFile, CompressesByTheNameOfTheTarget) {
  const TestDir dir;
  const std::string content = noise(300'000) + std::string(3'000'000, 'a');
  for (const char* name : {"out.gz", "out.zst"}) {
    auto file = AtomicFile::create(dir / name);
    ASSERT_TRUE(file && (*file)->write("first\n") && (*file)->write(content));
    ASSERT_TRUE((*file)->commit());
    EXPECT_LT(dir.read(name).size(), 400'000U);
    EXPECT_EQ(uncompressed(dir / name), "first\n" + content) << name;
  }
}

TEST(AtomicFile, EmptyCompressedFilesAreValid) {
  const TestDir dir;
  for (const char* name : {"out.gz", "out.zst"}) {
    auto file = AtomicFile::create(dir / name);
    ASSERT_TRUE(file && (*file)->commit());
    EXPECT_GT(dir.read(name).size(), 0U);
    EXPECT_EQ(uncompressed(dir / name), "") << name;
  }
}

TEST(AtomicFile, WritesDevicesAndPipesDirectly) {
  auto null = AtomicFile::create("/dev/null");
  ASSERT_TRUE(null && (*null)->write("x") && (*null)->commit());
  struct stat info {};
  ASSERT_EQ(::stat("/dev/null", &info), 0);
  EXPECT_TRUE(S_ISCHR(info.st_mode));
}

TEST(AtomicFile, ClosedPipeIsCancelled) {
  EXPECT_EQ(in_child([] {
              std::signal(SIGPIPE, SIG_IGN);
              int ends[2];
              if (::pipe(ends) != 0) return 1;
              ::dup2(ends[1], STDOUT_FILENO);
              ::close(ends[1]);
              ::close(ends[0]);
              auto file = AtomicFile::create("-");
              if (!file || !(*file)->write("x")) return 2;
              const Status done = (*file)->commit();
              return !done && done.error().code == ErrorCode::kCancelled ? 0 : 3;
            }),
            0);
}

TEST(AtomicFile, WritesStandardOutput) {
  const TestDir dir;
  EXPECT_EQ(in_child([&dir] {
              const int out = ::open((dir / "out").c_str(), O_CREAT | O_WRONLY, 0600);
              ::dup2(out, STDOUT_FILENO);
              auto file = AtomicFile::create("-");
              return file && (*file)->write("x\n") && (*file)->commit() ? 0 : 1;
            }),
            0);
  EXPECT_EQ(dir.read("out"), "x\n");
}

TEST(AtomicFile, ImpossibleTargetsFailAtOnce) {
  const TestDir dir;
  const auto nowhere = AtomicFile::create(dir / "no/such/dir");
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().code, ErrorCode::kNotFound);
  const auto directory = AtomicFile::create(dir.path());
  ASSERT_FALSE(directory);
  EXPECT_NE(directory.error().message.find("is a directory"), std::string::npos);
}

}  // namespace
}  // namespace twinsift
