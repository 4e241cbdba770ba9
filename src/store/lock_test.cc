// SPDX-License-Identifier: Apache-2.0
#include "store/lock.h"

#include <gtest/gtest.h>

#include "base/test_dir.h"
#include "store/volume.h"

namespace twinsift {
namespace {

// A process that has the lock and waits to be killed.
class Holder {
 public:
  explicit Holder(const std::string& folder) {
    int ends[2];
    if (::pipe(ends) != 0) std::abort();
    pid_ = ::fork();
    if (pid_ == 0) {
      const auto lock = WriteLock::take(folder);
      [[maybe_unused]] const ssize_t n = ::write(ends[1], lock ? "y" : "n", 1);
      while (true) ::pause();
    }
    char answer = 0;
    holds_ = ::read(ends[0], &answer, 1) == 1 && answer == 'y';
    ::close(ends[0]);
    ::close(ends[1]);
  }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;
  ~Holder() { die(); }
  void die() {
    if (pid_ == 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }
  [[nodiscard]] bool holds() const { return holds_; }
  [[nodiscard]] pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = 0;
  bool holds_ = false;
};

TEST(WriteLock, LiveProcessIsNamedAndDeadOneForgotten) {
  const TestDir dir;
  Holder holder(dir.path().string());
  ASSERT_TRUE(holder.holds());
  const auto refused = WriteLock::take(dir.path().string());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kIo);
  EXPECT_EQ(refused.error().message, dir.path().string() + ": process " +
                                         std::to_string(holder.pid()) +
                                         " is writing it; wait until that has ended");
  holder.die();
  EXPECT_TRUE(WriteLock::take(dir.path().string()));
}

TEST(WriteLock, IsTakenOnceAlsoWithinAProcess) {
  const TestDir dir;
  {
    const auto lock = WriteLock::take(dir.path().string());
    ASSERT_TRUE(lock);
    const auto again = WriteLock::take(dir.path().string());
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().message, dir.path().string() + ": this process is writing it already");
  }
  EXPECT_TRUE(WriteLock::take(dir.path().string()));
}

// What a crash has left in the file does not matter.
TEST(WriteLock, GarbageInTheFileIsHarmless) {
  const TestDir dir;
  dir.write("LOCK", std::string(1000, 'x'));
  const auto lock = WriteLock::take(dir.path().string());
  EXPECT_TRUE(lock);
  EXPECT_EQ(dir.read("LOCK"), std::to_string(::getpid()) + "\n");
}

TEST(Volume, BelongsToTheNearestFolder) {
  const TestDir dir;
  dir.write("a/b");
  const auto volume = volume_of(dir.path().string());
  ASSERT_TRUE(volume);
  EXPECT_EQ(*volume_of(dir / "a/b"), *volume);
  EXPECT_EQ(*volume_of(dir / "not/there/at/all"), *volume);
  EXPECT_EQ(*volume_of(dir / "a/b/below a file"), *volume);
  EXPECT_NE(*volume_of("/proc/self"), *volume);
  EXPECT_TRUE(volume_of("/"));
}

TEST(Volume, OfflineIsNotGone) {
  const TestDir dir;
  const std::uint64_t volume = *volume_of(dir.path().string());
  EXPECT_FALSE(is_offline(dir / "removed.txt", volume));
  EXPECT_TRUE(is_offline(dir / "on the stick/photo.jpg", volume + 1));
}

}  // namespace
}  // namespace twinsift
