// SPDX-License-Identifier: Apache-2.0
// Collections on disks that are full or cannot be written.
#include <sched.h>
#include <sys/mount.h>
#include <sys/vfs.h>

#include "bad_collection.h"

namespace twinsift::cli {
namespace {

class CollectionDisk : public BadCollection {};

// Mounts of a test are seen by nobody else and end with it.  False if that is not permitted.
bool may_mount() {
  static const bool may =
      unshare(CLONE_NEWNS) == 0 && mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
  return may;
}

class Mounted {
 public:
  Mounted(const std::string& path, bool done) : path_(path), done_(done) {}
  Mounted(const Mounted&) = delete;
  Mounted& operator=(const Mounted&) = delete;
  ~Mounted() {
    if (done_) umount(path_.c_str());
  }
  [[nodiscard]] bool done() const { return done_; }

  static Mounted read_only(const std::string& path) {
    const char* at = path.c_str();
    const bool bound = mount(at, at, nullptr, MS_BIND, nullptr) == 0;
    const bool closed =
        bound && mount(nullptr, at, nullptr, MS_BIND | MS_REMOUNT | MS_RDONLY, nullptr) == 0;
    if (bound && !closed) umount(at);
    return {path, closed};
  }
  static Mounted small(const std::string& path, const std::string& options) {
    return {path, mount("none", path.c_str(), "tmpfs", 0, options.c_str()) == 0};
  }
  [[nodiscard]] bool grow(const std::string& options) const {
    return mount(nullptr, path_.c_str(), nullptr, MS_REMOUNT, options.c_str()) == 0;
  }

 private:
  std::string path_;
  bool done_;
};

TEST_F(CollectionDisk, AReadOnlyDiskCanBeReadAndFindGoesOn) {
  if (!may_mount()) GTEST_SKIP() << "mounting is not permitted here";
  const Mounted disk = Mounted::read_only(folder / "c");
  if (!disk.done()) GTEST_SKIP() << "a folder cannot be mounted read-only here";
  std::vector<Words> writers = kWriting;
  writers.push_back({"index", "repair"});
  expect_refused("c: read-only file system; it can be read, but not written", writers);
  for (const Words& words : kReading) expect_c(words, 0);
  const Outcome found = with_c({"find", "d", "--json"});
  EXPECT_EQ(found.status, 0) << found.err;
  EXPECT_TRUE(contains(found.err, "this run will not be remembered: c: read-only")) << found.err;
  EXPECT_EQ(groups_of(found), groups_);
}

// Neither can one be made there.
TEST_F(CollectionDisk, ANewOneCannotBeMadeOnAReadOnlyDisk) {
  if (!may_mount()) GTEST_SKIP() << "mounting is not permitted here";
  fs::create_directory(folder / "closed");
  const Mounted disk = Mounted::read_only(folder / "closed");
  if (!disk.done()) GTEST_SKIP() << "a folder cannot be mounted read-only here";
  expect({"index", "add", "d", "--index", "closed/c"}, 6, {"closed/c: read-only file system"});
  const Outcome found = run({"find", "d", "--json", "--index", "closed/c"});
  EXPECT_EQ(found.status, 0) << found.err;
  EXPECT_EQ(groups_of(found), groups_);
  expect({"query", "d/a.txt", "--index", "closed/c"}, 2, {"there is no collection"});
}

// A disk of so many kilobytes.  Whatever does not fit, what is there stays good.
TEST_F(CollectionDisk, AFullDiskCostsNothingButTheMemory) {
  if (!may_mount()) GTEST_SKIP() << "mounting is not permitted here";
  for (const std::string kilobytes : {"4", "12", "40", "100"}) {
    SCOPED_TRACE(kilobytes + " kB");
    fs::remove_all(folder / "c");
    fs::create_directory(folder / "c");
    const Mounted disk = Mounted::small(folder / "c", "size=" + kilobytes + "k");
    if (!disk.done()) GTEST_SKIP() << "no file system can be mounted here";
    write("more/long.txt", random_text(3, 20000));
    for (int i = 0; i < 2; ++i) {
      const Outcome found = with_c({"find", "d", "more", "--json"});
      EXPECT_EQ(found.status, 0) << found.err;
      EXPECT_EQ(groups_of(found), groups_);
      EXPECT_TRUE(contains(found.err, "will not be remembered")) << found.err;
      EXPECT_TRUE(contains(found.err, "no space left on device")) << found.err;
    }
    expect_c({"index", "add", "d", "more"}, 6, {"no space left on device"});
    if (!exists("c/MANIFEST")) continue;
    expect_c({"index", "verify"}, 0);
    expect_c({"index", "stat"}, 0);
    const Outcome compacted = with_c({"index", "compact"});
    EXPECT_TRUE(compacted.status == 0 || compacted.status == 6) << compacted.err;
    expect_c({"index", "verify"}, 0);
    const Outcome repaired = with_c({"index", "repair"});
    EXPECT_TRUE(repaired.status == 0 || repaired.status == 6) << repaired.err;
    expect_c({"index", "verify"}, 0);
    // With room again everything is learnt, also what was half known.
    ASSERT_TRUE(disk.grow("size=8m"));
    EXPECT_EQ(groups(), groups_);
    const Outcome added = with_c({"index", "add", "d"});
    EXPECT_TRUE(contains(added.out, "4 files, 4 of them known already")) << added.out << added.err;
    EXPECT_EQ(lines_of(with_c({"query", "d/b.txt"}).out).size(), 3U);
  }
}

std::string volume_of(const std::string& path) {
  struct statfs system {};
  EXPECT_EQ(statfs(path.c_str(), &system), 0);
  return std::string(reinterpret_cast<const char*>(&system.f_fsid), sizeof system.f_fsid) +
         std::to_string(system.f_type);
}

// The folder in which it was mounted is there, empty and can be read.
TEST_F(CollectionDisk, WhatIsOnADiskThatIsNotPluggedInIsNotForgotten) {
  if (!may_mount()) GTEST_SKIP() << "mounting is not permitted here";
  fs::create_directory(folder / "usb");
  {
    const Mounted disk = Mounted::small(folder / "usb", "size=1m");
    if (!disk.done()) GTEST_SKIP() << "no file system can be mounted here";
    if (volume_of(folder / "usb") == volume_of(folder.path())) {
      GTEST_SKIP() << "this kernel gives all such file systems the same number";
    }
    write("usb/e.txt", random_text(8, 100));
    expect_c({"index", "add", "usb"}, 0);
  }
  ASSERT_TRUE(fs::is_empty(folder / "usb"));
  write("question.txt", random_text(8, 100));
  for (const Words& words :
       {Words{"find", "usb"}, Words{"find", "usb", "d"}, Words{"index", "add", "usb"}}) {
    expect_c(words, 0);
    EXPECT_TRUE(contains(with_c({"query", "question.txt"}).out, "usb/e.txt (offline)"));
  }
}

// Where nobody may mount: a file that may not grow.
TEST_F(CollectionDisk, AFileThatMayNotGrowCostsNothingButTheMemory) {
  write("more/long.txt", random_text(3, 20000));
  const auto limit = [] {
    static_cast<void>(std::signal(SIGXFSZ, SIG_IGN));
    const rlimit most = {.rlim_cur = 50'000, .rlim_max = 50'000};
    setrlimit(RLIMIT_FSIZE, &most);
  };
  const Outcome found =
      Program(folder, {"find", "d", "more", "--json", "--index", "c"}, {.before = limit}).wait();
  EXPECT_EQ(found.status, 0) << found.err;
  EXPECT_EQ(groups_of(found), groups_);
  EXPECT_TRUE(contains(found.err, "will not be remembered")) << found.err;
  const Outcome added =
      Program(folder, {"index", "add", "more", "--index", "c"}, {.before = limit}).wait();
  EXPECT_EQ(added.status, 6) << added.err;
  expect_c({"index", "verify"}, 0);
  EXPECT_EQ(groups(), groups_);
}

}  // namespace
}  // namespace twinsift::cli
