// SPDX-License-Identifier: Apache-2.0
// A collection that cannot be written, or not any more.
#include <filesystem>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/random.h"
#include "base/test_dir.h"
#include "store/collection.h"
#include "store/collection_model.h"

namespace twinsift {
namespace {

using Mode = CollectionOptions::Mode;

const FileRecord kFile = {.key = {.path = "/x", .part = 0, .volume = 1}, .size = 5};

// Nobody but the owner may write; whoever may read can open it.
TEST(Collection, ReadOnlyFolderCanBeRead) {
  const TestDir dir;
  std::filesystem::permissions(dir.path(), std::filesystem::perms::all);
  {
    const auto collection = *open_world(dir / "c");
    ASSERT_TRUE(collection->put(kFile));
    ASSERT_TRUE(collection->flush());
  }
  for (const auto& entry : std::filesystem::directory_iterator(dir / "c")) {
    ::chmod(entry.path().c_str(), 0444);
  }
  ::chmod((dir / "c").c_str(), 0555);
  const int wrong = in_child([&dir] {
    if (::geteuid() == 0 && ::seteuid(65534) != 0) return 1;
    const auto reader = open_reader(dir / "c");
    if (!reader || !*(*reader)->file(kFile.key)) return 2;
    const auto writer = Collection::open(dir / "c", {.mode = Mode::kWrite});
    if (writer || writer.error().code != ErrorCode::kIo) return 3;
    if (writer.error().message !=
        (dir / "c") + ": permission denied; it can be read, but not written") {
      return 4;
    }
    const auto fresh = Collection::open(dir / "c/new", {.mode = Mode::kCreate});
    return fresh || fresh.error().code != ErrorCode::kIo ? 5 : 0;
  });
  EXPECT_EQ(wrong, 0);
}

// What was acknowledged stays, what was not is not there, and the error names the reason.
TEST(Collection, FullDiskLosesNothing) {
  const TestDir dir;
  const std::string path = dir / "c";
  std::filesystem::create_directory(path);
  const int wrong = in_child([&path] {
    constexpr rlim_t kFileBytes = 16 << 10;  // its files are many and small
    limit_disk(path, kFileBytes);
    auto collection = open_world(path);
    if (!collection) return 1;
    Model model;
    Rng rng(5);
    int failures = 0;
    for (int i = 0; i < 6000 && failures < 50; ++i) {
      const Operation op(rng.next());
      // Reopening may fail for want of room, too, and compacting makes room: that would never end.
      if (op.kind == Operation::Kind::kReopen || op.kind == Operation::Kind::kCompact) continue;
      const Status done = run(op, path, *collection);
      if (done) {
        model.apply(op);
      } else if (is_disk_full(done.error().message)) {
        ++failures;
      } else {
        return 2;
      }
      if (failures > 0 && *dump(**collection) != model.dump()) return 3;
    }
    if (failures == 0) return 4;
    if (const auto reader = open_reader(path); !reader || *dump(**reader) != model.dump()) return 5;
    collection->reset();
    const auto reader = open_reader(path);
    if (!reader || *dump(**reader) != model.dump()) return 6;
    const auto sound = verify_collection(path);
    return sound && sound->empty() ? 0 : 7;
  });
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace twinsift
