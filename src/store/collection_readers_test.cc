// SPDX-License-Identifier: Apache-2.0
// Readers beside a writer, in other threads and in other processes.
#include <atomic>
#include <csignal>
#include <thread>

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/test_dir.h"
#include "store/collection.h"
#include "store/collection_model.h"

namespace twinsift {
namespace {

constexpr std::uint64_t kOperations = 800;

Operation operation(std::uint64_t i) { return Operation(mix64(i + 5)); }

// The child: says so after each operation.  noexcept: an exception must not lead back into the
// tests.
[[noreturn]] void write_all(const std::string& path, int to) noexcept {
  auto collection = open_world(path);
  for (std::uint64_t i = 0; collection && i < kOperations; ++i) {
    if (!run(operation(i), path, *collection)) ::_exit(1);
    if (::write(to, "+", 1) != 1) ::_exit(2);
  }
  ::_exit(collection ? 0 : 3);
}

// Readers open the collection again and again while a process writes, flushes and compacts: each
// sees what was there at some moment between before and after.
TEST(Readers, SeeTheCollectionAsItWasAtSomeMoment) {
  const TestDir dir;
  const std::string path = dir / "c";
  ASSERT_TRUE(open_world(path));
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    write_all(path, ends[1]);
  }
  ::close(ends[1]);
  std::uint64_t finished = 0;
  bool over = false;
  const auto hear = [&] {
    pollfd waiting{.fd = ends[0], .events = POLLIN, .revents = 0};
    char answers[4096];
    while (!over && ::poll(&waiting, 1, 0) > 0) {
      const ssize_t n = ::read(ends[0], answers, sizeof answers);
      if (n <= 0) over = true;
      finished += static_cast<std::uint64_t>(std::max<ssize_t>(n, 0));
    }
    return finished;
  };
  std::vector<std::string> texts = {Model().dump()};
  Model model;
  int looks = 0;
  for (; !over; ++looks) {
    const std::uint64_t before = hear();
    const auto reader = open_reader(path);
    ASSERT_TRUE(reader) << reader.error().message;
    const auto text = dump(**reader);
    ASSERT_TRUE(text) << text.error().message;
    const std::uint64_t after = hear() + 1;
    while (texts.size() <= after) {
      model.apply(operation(texts.size() - 1));
      texts.push_back(model.dump());
    }
    const auto first = texts.begin() + static_cast<std::ptrdiff_t>(before);
    ASSERT_NE(std::find(first, texts.end(), *text), texts.end())
        << "between operations " << before << " and " << after;
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ::close(ends[0]);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(finished, kOperations);
  EXPECT_GT(looks, 3);
}

// Threads look things up in the collection that other threads write.
TEST(Readers, ThreadsShareACollection) {
  const TestDir dir;
  const auto collection = *open_world(dir / "c");
  constexpr std::uint64_t kContents = 400;
  std::atomic<std::uint64_t> written = 0;
  std::atomic<int> faults = 0;
  const auto digest = [](std::uint64_t i) { return World::digest(5000 + i); };
  const auto ids = [](std::uint64_t i) { return World::set(i % 20); };
  const auto expect = [&](bool good) { faults += good ? 0 : 1; };
  {
    std::jthread writer([&] {
      for (std::uint64_t i = 0; i < kContents; ++i) {
        const TokenSet set = ids(i);
        expect(collection
                   ->put(FileRecord{.key = {.path = "/f" + std::to_string(i)}, .digest = digest(i)})
                   .has_value());
        expect(collection
                   ->put(ContentRecord{.digest = digest(i),
                                       .detector = 1,
                                       .state = ContentState::kFeatures,
                                       .features = set})
                   .has_value());
        written = i + 1;
        if (i % 150 == 149) expect(collection->compact().has_value());
      }
    });
    std::jthread other([&] {
      for (std::uint64_t i = 0; written < kContents; ++i) {
        expect(
            collection->put(FileRecord{.key = {.path = "/g" + std::to_string(i % 7)}}).has_value());
        expect(collection->sync().has_value());
      }
    });
    std::vector<std::jthread> readers;
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
      readers.emplace_back([&, seed] {
        Rng rng(seed);
        while (written < kContents) {
          const std::uint64_t known = written;
          if (known == 0) continue;
          const std::uint64_t i = rng.below(static_cast<std::uint32_t>(known));
          const auto content = collection->content(1, digest(i));
          expect(content && *content && std::ranges::equal((*content)->features.ids, ids(i)));
          int files = 0;
          expect(collection
                     ->files_with(digest(i),
                                  [&files](const FileView&) {
                                    ++files;
                                    return ok();
                                  })
                     .has_value());
          expect(files == 1);
          SearchStats stats;
          const auto found =
              collection->search(ids(i), {.detector = 1, .threshold = 0.99, .recall = 1}, stats);
          expect(found && !found->empty() && found->front().score == 1.0);
          expect(collection->stat().has_value());
        }
      });
    }
  }
  EXPECT_EQ(faults, 0);
  EXPECT_EQ(collection->stat()->contents, kContents);
}

}  // namespace
}  // namespace twinsift
