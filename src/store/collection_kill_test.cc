// SPDX-License-Identifier: Apache-2.0
// A process that puts, drops, flushes and compacts is killed at any moment, again and again.  What
// it had been told is safe must be there, and nothing else but perhaps the operation it was at.
//
// TWINSIFT_KILLS sets how often (default 40).
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/test_dir.h"
#include "store/collection.h"
#include "store/collection_model.h"

namespace twinsift {
namespace {

Operation operation(std::uint64_t i) { return Operation(mix64(i + 77)); }

// A process that does operation after operation and says so after each.
class Child {
 public:
  Child(const std::string& path, std::uint64_t first) {
    int ends[2];
    if (::pipe(ends) != 0) std::abort();
    pid_ = ::fork();
    if (pid_ == 0) {
      ::close(ends[0]);
      work(path, first, ends[1]);
    }
    ::close(ends[1]);
    from_ = ends[0];
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Waits until it has finished so many more operations, or has ended.
  void wait_for(std::uint32_t operations) {
    char answer = 0;
    for (; operations > 0 && ::read(from_, &answer, 1) == 1; --operations) ++done_;
  }

  // How many operations it had finished, or nothing if it found a fault.
  std::optional<std::uint64_t> kill() {
    ::kill(pid_, SIGKILL);
    int status = 0;
    ::waitpid(pid_, &status, 0);
    char answers[4096];
    for (ssize_t n = 0; (n = ::read(from_, answers, sizeof answers)) > 0;) {
      done_ += static_cast<std::uint64_t>(n);
    }
    ::close(from_);
    if (!WIFSIGNALED(status)) return std::nullopt;
    return done_;
  }

 private:
  // noexcept: an exception must not lead back into the tests of the parent.
  [[noreturn]] static void work(const std::string& path, std::uint64_t first, int to) noexcept {
    auto collection = open_world(path);
    if (!collection) ::_exit(1);
    for (std::uint64_t i = first;; ++i) {
      if (!run(operation(i), path, *collection)) ::_exit(2);
      if (::write(to, "+", 1) != 1) ::_exit(3);
    }
  }

  pid_t pid_ = 0;
  int from_ = -1;
  std::uint64_t done_ = 0;
};

TEST(Kill, NothingThatWasAcknowledgedIsLost) {
  const char* wish = std::getenv("TWINSIFT_KILLS");
  const int kills = wish != nullptr ? std::atoi(wish) : 40;
  const TestDir dir;
  const std::string path = dir / "c";
  Model model;
  std::uint64_t done = 0;  // operations that the model has
  std::uint64_t in_flight = 0;
  Rng rng(123);
  for (int i = 0; i < kills; ++i) {
    Child child(path, done);
    // One in eight is killed at once, or while it opens the collection.
    if (rng.below(8) != 0) child.wait_for(1 + rng.below(40));
    std::this_thread::sleep_for(std::chrono::microseconds(rng.below(2000)));
    const auto acknowledged = child.kill();
    ASSERT_TRUE(acknowledged) << "kill " << i << ": the child gave up";
    for (std::uint64_t j = 0; j < *acknowledged; ++j) model.apply(operation(done++));

    const auto reader = open_reader(path);
    if (!reader && reader.error().code == ErrorCode::kNotFound) {
      ASSERT_EQ(done, 0U);  // killed before there was a collection
      continue;
    }
    ASSERT_TRUE(reader) << "kill " << i << ": " << reader.error().message;
    const auto text = dump(**reader);
    ASSERT_TRUE(text) << "kill " << i << ": " << text.error().message;
    if (*text != model.dump()) {  // then it was killed after the work and before the word
      model.apply(operation(done++));
      ++in_flight;
      ASSERT_EQ(*text, model.dump()) << "kill " << i << " after operation " << done;
    }
    const std::uint64_t variant = rng.below(20);
    ASSERT_EQ(*search(**reader, variant, 1), model.search(variant, 1)) << "kill " << i;
    if (i % 8 == 0) {
      ASSERT_EQ(*verify_collection(path), std::vector<std::string>{}) << "kill " << i;
    }
  }
  EXPECT_GT(done, static_cast<std::uint64_t>(kills));
  std::printf("%d kills, %llu operations, %llu in flight\n", kills,
              static_cast<unsigned long long>(done), static_cast<unsigned long long>(in_flight));
  EXPECT_EQ(*verify_collection(path), std::vector<std::string>{});
}

}  // namespace
}  // namespace twinsift
