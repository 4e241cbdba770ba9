// SPDX-License-Identifier: Apache-2.0
// Power cuts.  The calls by which a program makes things durable (fsync, fdatasync) or changes
// names (rename, link, unlink) are replaced here by ones that first do the same and then keep
// account of what a disk would surely have.  At any of them the power may fail: what was synced is
// there; of what was only written, blocks are there, missing, zero, or something else that was on
// the disk before.
//
// The collection that is left must say what the model said at some moment between the last sync
// that had returned and the cut.  TWINSIFT_CUTS sets how often (default 250).
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/test_dir.h"
#include "store/collection.h"
#include "store/collection_model.h"

namespace twinsift {
namespace {

namespace fs = std::filesystem;

std::string read_fd(int fd) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) std::abort();
  std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
  if (::pread(fd, bytes.data(), bytes.size(), 0) != status.st_size) std::abort();
  return bytes;
}

ino_t inode_of(int fd) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) std::abort();
  return status.st_ino;
}

// What a disk has of one folder.
class Disk {
 public:
  Disk(std::string folder, std::uint64_t seed) : folder_(std::move(folder)), rng_(seed) {
    for (const auto& [name, inode] : look()) files_[inode].durable = read_fd(files_[inode].fd);
    durable_ = look();
  }
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;
  ~Disk() {
    for (const auto& [inode, file] : files_) ::close(file.fd);
  }

  void before_change() {
    note_names();
    if (at_change) at_change();
  }
  void synced(int fd) {
    struct stat status {};
    if (::fstat(fd, &status) != 0) std::abort();
    if (S_ISDIR(status.st_mode)) {
      if (status.st_ino != folder_inode()) return;
      durable_ = look();
      since_.clear();
    } else {
      File& file = known(fd);
      const std::string now = read_fd(file.fd);
      if (!now.starts_with(file.durable)) wrong = "what is on the disk was changed in place";
      file.durable = now;
    }
  }
  void note_names() { since_.push_back(look()); }

  // Makes a folder of what might be left after a cut at this moment.
  void leave(const std::string& to) {
    const std::uint32_t which = rng_.below(static_cast<std::uint32_t>(since_.size()) + 1);
    const Names& names = which == since_.size() ? durable_ : since_[which];
    fs::create_directories(to);
    for (const auto& [name, inode] : names) {
      std::ofstream(to + '/' + name, std::ios::binary) << remains(files_.at(inode));
    }
  }

  std::function<void()> at_change;
  std::string wrong;

 private:
  using Names = std::map<std::string, ino_t>;
  struct File {
    int fd = -1;  // also keeps the number of the inode from being given again
    std::string durable;
  };

  ino_t folder_inode() const {
    struct stat status {};
    if (::stat(folder_.c_str(), &status) != 0) std::abort();
    return status.st_ino;
  }
  File& known(int fd) {
    File& file = files_[inode_of(fd)];
    if (file.fd < 0) {
      file.fd = ::open(("/proc/self/fd/" + std::to_string(fd)).c_str(), O_RDONLY | O_CLOEXEC);
      if (file.fd < 0) std::abort();
    }
    return file;
  }
  Names look() {
    Names names;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      const int fd = ::open(entry.path().c_str(), O_RDONLY | O_CLOEXEC);
      if (fd < 0) std::abort();
      known(fd);
      names[entry.path().filename().string()] = inode_of(fd);
      ::close(fd);
    }
    return names;
  }

  std::string remains(const File& file) {
    constexpr std::size_t kBlock = 512;
    std::string bytes = read_fd(file.fd);
    const std::size_t safe = std::min(file.durable.size(), bytes.size());
    if (safe == bytes.size()) return bytes;
    const std::uint32_t manner = rng_.below(4);
    if (manner == 0) return bytes;
    const auto extra = static_cast<std::uint32_t>(bytes.size() - safe);
    if (rng_.below(2) == 0) bytes.resize(safe + rng_.below(extra + 1));
    if (manner == 1) return bytes;
    for (std::size_t at = safe; at < bytes.size();) {
      const std::size_t end = std::min(bytes.size(), (at / kBlock + 1) * kBlock);
      const std::uint32_t fate = rng_.below(3);
      for (std::size_t i = at; i < end && fate != 0; ++i) {
        bytes[i] = manner == 2 || safe == 0 ? '\0' : bytes[i % safe];
      }
      at = end;
    }
    return bytes;
  }

  std::string folder_;
  Rng rng_;
  std::map<ino_t, File> files_;
  Names durable_;
  std::vector<Names> since_;  // how the names changed after the last sync of the folder
};

Disk* disk = nullptr;

// Runs the call; the disk is told before and after, unless it is itself at work.
template <class Call, class After>
int watched(Call call, After after) {
  Disk* const watching = std::exchange(disk, nullptr);
  if (watching != nullptr) watching->before_change();
  const auto result = static_cast<int>(call());
  const int error = errno;
  if (watching != nullptr && result == 0) after(*watching);
  disk = watching;
  errno = error;
  return result;
}

}  // namespace
}  // namespace twinsift

extern "C" int fsync(int fd) {
  return twinsift::watched([fd] { return ::syscall(SYS_fsync, fd); },
                           [fd](twinsift::Disk& disk) { disk.synced(fd); });
}
extern "C" int fdatasync(int fd) {
  return twinsift::watched([fd] { return ::syscall(SYS_fdatasync, fd); },
                           [fd](twinsift::Disk& disk) { disk.synced(fd); });
}
extern "C" int rename(const char* from, const char* to) noexcept {
  return twinsift::watched([=] { return ::syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to); },
                           [](twinsift::Disk& disk) { disk.note_names(); });
}
extern "C" int unlink(const char* path) noexcept {
  return twinsift::watched([path] { return ::syscall(SYS_unlinkat, AT_FDCWD, path, 0); },
                           [](twinsift::Disk& disk) { disk.note_names(); });
}
extern "C" int linkat(int from_folder, const char* from, int to_folder, const char* to,
                      int flags) noexcept {
  return twinsift::watched(
      [=] { return ::syscall(SYS_linkat, from_folder, from, to_folder, to, flags); },
      [](twinsift::Disk& disk) { disk.note_names(); });
}

namespace twinsift {
namespace {

// Checks what a cut at any moment leaves, while operations are run.
class Cuts {
 public:
  explicit Cuts(std::uint64_t seed) : rng_(seed), disk_((open(path_), path_), seed) {
    texts_.push_back(model_.dump());
    disk_.at_change = [this] { maybe_cut(); };
  }

  void run_one(const Operation& op) {
    model_.apply(op);
    texts_.push_back(model_.dump());
    disk = &disk_;
    const Status done = run(op, path_, collection_);
    disk = nullptr;
    ASSERT_TRUE(done) << done.error().message;
    ASSERT_EQ(disk_.wrong, "");
    if (op.kind >= Operation::Kind::kSync) safe_ = texts_.size() - 1;
    if (rng_.below(4) == 0) maybe_cut();
  }
  [[nodiscard]] int cuts() const { return cuts_; }

 private:
  void open(const std::string& path) {
    auto opened = open_world(path);
    if (!opened || !(*opened)->sync()) std::abort();
    collection_ = *std::move(opened);
  }

  void maybe_cut() {
    if (rng_.below(3) != 0) return;
    const std::string left = dir_ / "left";
    disk_.note_names();
    disk_.leave(left);
    check(left);
    fs::remove_all(left);
    ++cuts_;
  }

  void check(const std::string& left) {
    const auto reader = open_reader(left);
    ASSERT_TRUE(reader) << reader.error().message;
    const auto text = dump(**reader);
    ASSERT_TRUE(text) << text.error().message;
    const auto begin = texts_.begin() + static_cast<std::ptrdiff_t>(safe_);
    ASSERT_NE(std::find(begin, texts_.end(), *text), texts_.end())
        << "cut " << cuts_ << ": lost or wrong between operations " << safe_ << " and "
        << texts_.size() - 1;
    if (rng_.below(4) != 0) return;
    {
      auto writer = open_world(left);
      ASSERT_TRUE(writer) << writer.error().message;
      ASSERT_EQ(*dump(**writer), *text);
      ASSERT_TRUE((*writer)->put(FileRecord{.key = {.path = "/after the cut"}}));
    }
    ASSERT_EQ(*verify_collection(left), std::vector<std::string>{});
  }

  TestDir dir_;
  std::string path_ = dir_ / "c";
  Rng rng_;
  std::unique_ptr<Collection> collection_;
  Disk disk_;
  Model model_;
  std::vector<std::string> texts_;  // after each operation
  std::size_t safe_ = 0;            // the operations up to here were synced
  int cuts_ = 0;
};

TEST(PowerCut, WhatWasSyncedIsThereAndNothingIsWrong) {
  const char* wish = std::getenv("TWINSIFT_CUTS");
  const int wanted = wish != nullptr ? std::atoi(wish) : 250;
  int done = 0;
  for (std::uint64_t seed = 1; done < wanted; ++seed) {
    Cuts cuts(seed);
    Rng rng(seed);
    for (int i = 0; i < 200 && done + cuts.cuts() < wanted; ++i) {
      cuts.run_one(Operation(rng.next()));
      if (testing::Test::HasFatalFailure()) return;
    }
    done += cuts.cuts();
  }
  std::printf("%d cuts\n", done);
}

}  // namespace
}  // namespace twinsift
