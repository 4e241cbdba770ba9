// SPDX-License-Identifier: Apache-2.0
#include "ingest/exact.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <mutex>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/random.h"
#include "base/test_dir.h"

namespace twinsift {
namespace {

namespace fs = std::filesystem;

WalkResult walk_all(const std::string& path) {
  return *walk({path}, WalkOptions{.hidden = true, .min_size = 0, .names = {}, .exclude = {}}, {});
}

FileEntry entry_of(const TestDir& dir, std::string_view name) {
  return walk({dir / name}, {}, {})->files.at(0);
}

ContentIds find_equal(const std::vector<FileEntry>& files, unsigned threads = 2,
                      const Callbacks& callbacks = {}) {
  return *find_equal_files(files, std::vector<std::uint8_t>(files.size()),
                           std::vector<Digest>(files.size()), {.threads = threads}, callbacks);
}

std::string random_text(std::uint64_t seed, std::size_t size) {
  Rng rng(seed);
  std::string text(size, ' ');
  for (char& c : text) c = static_cast<char>(rng.below(256));
  return text;
}

// The file's reader when something happened to the file after the walk.
template <class Change>
Error error_after(const TestDir& dir, const Change& change) {
  fs::remove_all(dir / "x");
  dir.write("x", random_text(1, 200'000));
  const FileEntry entry = entry_of(dir, "x");
  change(dir / "x");
  auto reader = FileReader::open(entry);
  return reader ? Error{ErrorCode::kInvalidArgument, "opened"} : reader.error();
}

TEST(Digest, IsThatOfXxhsum) {
  EXPECT_EQ(digest_of({}).hex(), "99aa06d3014798d86001c324468d497f");  // XXH128, seed 0
  EXPECT_NE(digest_of(std::as_bytes(std::span("a", 1))),
            digest_of(std::as_bytes(std::span("b", 1))));
}

TEST(FileReader, GivesHeadContentAndDigestOfFilesOfAnySize) {
  const TestDir dir;
  for (const std::size_t size :
       {1UL, 4096UL, FileReader::kHead - 1, FileReader::kHead, FileReader::kHead + 1,
        (1UL << 20U) + FileReader::kHead, 2'500'000UL}) {
    const std::string text = random_text(size, size);
    dir.write("x", text);
    const FileEntry entry = entry_of(dir, "x");
    auto reader = FileReader::open(entry);
    ASSERT_TRUE(reader);
    const auto bytes = std::as_bytes(std::span(text));
    EXPECT_TRUE(std::ranges::equal(reader->head(), bytes.first(std::min(size, FileReader::kHead))));
    EXPECT_TRUE(std::ranges::equal(*reader->read_all(size), bytes));
    EXPECT_EQ(*reader->digest(), digest_of(bytes));
    EXPECT_EQ(reader->read_all(size - 1).error().code, ErrorCode::kLimit);
  }
}

TEST(FileReader, NoticesWhatHappenedSinceTheWalk) {
  const TestDir dir;
  const auto reason = [&](const auto& change) {
    return to_skipped(dir / "x", error_after(dir, change)).reason;
  };
  const auto path = [](const std::string& p) { return p.c_str(); };
  EXPECT_EQ(reason([](const std::string&) {}), "opened");
  EXPECT_EQ(reason([](const std::string& p) { fs::remove(p); }), "vanished");
  EXPECT_EQ(reason([](const std::string& p) { fs::resize_file(p, 199'999); }),
            "changed while reading");
  EXPECT_EQ(reason([](const std::string& p) { fs::last_write_time(p, fs::file_time_type{}); }),
            "changed while reading");
  EXPECT_EQ(reason([](const std::string& p) {
              fs::copy_file(p, p + "2");
              fs::rename(p + "2", p);
            }),
            "changed while reading");
  EXPECT_EQ(reason([](const std::string& p) {
              fs::rename(p, p + "2");
              fs::create_symlink(p + "2", p);
            }),
            "changed while reading");
  EXPECT_EQ(reason([&](const std::string& p) {
              fs::remove(p);
              ASSERT_EQ(::mkfifo(path(p), 0600), 0);  // opening it must not wait for a writer
            }),
            "changed while reading");
  EXPECT_EQ(reason([](const std::string& p) {
              fs::remove(p);
              fs::create_directory(p);
            }),
            "changed while reading");
}

TEST(FileReader, NoticesAChangeBetweenOpenAndRead) {
  const TestDir dir;
  dir.write("x", random_text(1, 200'000));
  const FileEntry entry = entry_of(dir, "x");
  auto reader = FileReader::open(entry);
  ASSERT_TRUE(reader);
  fs::resize_file(dir / "x", 100'000);
  EXPECT_EQ(to_skipped(dir / "x", reader->digest().error()).reason, "changed while reading");
  EXPECT_EQ(to_skipped(dir / "x", reader->read_all(1'000'000).error()).reason,
            "changed while reading");
}

TEST(FileReader, StopsInTheMiddleOfAFile) {
  const TestDir dir;
  dir.write("x", random_text(1, 5'000'000));
  const FileEntry entry = entry_of(dir, "x");
  auto reader = FileReader::open(entry);
  ASSERT_TRUE(reader);
  std::uint64_t seen = 0;
  const auto digest = reader->digest([&](std::uint64_t bytes) {
    seen += bytes;
    return seen < 2'000'000;
  });
  EXPECT_EQ(digest.error().code, ErrorCode::kCancelled);
  EXPECT_LT(seen, 4'000'000U);
}

TEST(FileReader, FollowsALinkThatWasAnArgument) {
  const TestDir dir;
  dir.write("x", "text");
  fs::create_symlink(dir / "x", dir / "link");
  const FileEntry entry = entry_of(dir, "link");
  EXPECT_TRUE(entry.through_link);
  EXPECT_TRUE(FileReader::open(entry));
}

TEST(FindEqualFiles, TellsEqualFromDifferentAtEveryPlace) {
  const TestDir dir;
  for (const std::size_t size : {10UL, 4096UL, 65'536UL, 65'537UL, 300'000UL}) {
    const std::string folder = std::to_string(size);
    std::string text = random_text(size, size);
    dir.write(folder + "/a", text);
    dir.write(folder + "/b", text);
    text.back() = static_cast<char>(text.back() ^ 1);
    dir.write(folder + "/last byte", text);
    text = random_text(size, size);
    text[0] = static_cast<char>(text[0] ^ 1);
    dir.write(folder + "/first byte", text);
    const auto files = walk_all(dir / folder).files;
    EXPECT_EQ(find_equal(files).content, (std::vector<std::uint32_t>{0, 0, 2, 3})) << size;
  }
}

// ORACLE: against the bytes themselves, for any number of threads.
RC_GTEST_PROP(FindEqualFiles, AgreesWithTheBytes, (const std::vector<std::uint8_t>& kinds)) {
  const TestDir dir;
  std::vector<std::string> contents;
  for (std::size_t i = 0; i < std::min<std::size_t>(kinds.size(), 12); ++i) {
    const std::size_t size = kinds[i] % 3 == 0 ? 5 : kinds[i] % 3 == 1 ? 66'000 : 70'000;
    contents.push_back(random_text(kinds[i] % 8, size));
    dir.write(std::to_string(100 + i), contents.back());
  }
  const auto files = walk_all(dir.path()).files;
  const auto one = find_equal(files, 1);
  RC_ASSERT(one.content == find_equal(files, 4).content);
  for (std::size_t i = 0; i < files.size(); ++i) {
    const auto first = std::ranges::find(contents, contents[i]) - contents.begin();
    RC_ASSERT(one.content[i] == static_cast<std::uint32_t>(first));
  }
}

TEST(FindEqualFiles, DoesNotReadWhatNothingCanBeEqualTo) {
  const TestDir dir;
  dir.write("big", "x");
  dir.write("same size a", random_text(1, 100'000));
  dir.write("same size b", random_text(2, 100'000));
  fs::resize_file(dir / "big", 4'294'967'297);  // sparse; reading it would take seconds
  const auto files = walk_all(dir.path()).files;
  std::uint64_t bytes = 0;
  Callbacks callbacks;
  callbacks.progress = [&](const Progress& progress) { bytes = std::max(bytes, progress.bytes); };
  const auto ids = find_equal(files, 1, callbacks);
  EXPECT_EQ(ids.digest, std::vector<Digest>(3));
  EXPECT_EQ(ids.content, (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_LE(bytes, 2U * 4096U);
}

TEST(FindEqualFiles, ReadsLargeFilesOfOneSizeOnlyAsFarAsTheirHeads) {
  const TestDir dir;
  dir.write("a", "1");
  dir.write("b", "2");
  for (const char* name : {"a", "b"}) fs::resize_file(dir / name, 4'294'967'297);
  const auto ids = find_equal(walk_all(dir.path()).files);
  EXPECT_EQ(ids.content, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(ids.digest[0], Digest{});
}

TEST(FindEqualFiles, EmptyFilesAreNobodysDuplicates) {
  const TestDir dir;
  dir.write("a", "");
  dir.write("b", "");
  const auto files = walk_all(dir.path()).files;
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(find_equal(files).content, (std::vector<std::uint32_t>{0, 1}));
  const std::vector<Digest> known(2, digest_of({}));
  const auto ids = find_equal_files(files, std::vector<std::uint8_t>{1, 1}, known, {}, {});
  EXPECT_EQ(ids->content, (std::vector<std::uint32_t>{0, 1}));
}

TEST(FindEqualFiles, ComparesUnknownFilesWithKnownOnesWithoutOpeningThese) {
  const TestDir dir;
  const std::string text = random_text(3, 100'000);
  dir.write("known", text);
  dir.write("unknown", text);
  dir.write("unknown other", random_text(4, 100'000));
  const auto files = walk_all(dir.path()).files;
  fs::remove(dir / "known");
  std::vector<Digest> digests(3);
  digests[0] = digest_of(std::as_bytes(std::span(text)));
  const auto ids =
      find_equal_files(files, std::vector<std::uint8_t>{1, 0, 0}, digests, {.threads = 2}, {});
  ASSERT_TRUE(ids);
  EXPECT_EQ(ids->content, (std::vector<std::uint32_t>{0, 0, 2}));
  EXPECT_TRUE(ids->skipped.empty());
}

TEST(FindEqualFiles, FilesOfOneDigestButTwoSizesAreDifferent) {
  const TestDir dir;
  dir.write("a", "1");
  dir.write("b", "22");
  const auto files = walk_all(dir.path()).files;
  const std::vector<Digest> digests(2, Digest{1, 2});
  const auto ids = find_equal_files(files, std::vector<std::uint8_t>{1, 1}, digests, {}, {});
  EXPECT_EQ(ids->content, (std::vector<std::uint32_t>{0, 1}));
}

TEST(FindEqualFiles, FilesThatMisbehaveAreSkippedAndTheRestIsCompared) {
  const TestDir dir;
  const std::string text = random_text(3, 100'000);
  for (const char* name : {"a", "b", "c", "d"}) dir.write(name, text);
  const auto files = walk_all(dir.path()).files;
  fs::remove(dir / "b");
  fs::resize_file(dir / "d", 7);
  std::vector<std::string> heard;
  Callbacks callbacks;
  callbacks.skipped = [&](const Skipped& skipped) { heard.push_back(skipped.path); };
  const auto ids = find_equal(files, 1, callbacks);
  EXPECT_EQ(ids.content, (std::vector<std::uint32_t>{0, 1, 0, 3}));
  ASSERT_EQ(ids.skipped.size(), 2U);
  EXPECT_EQ(ids.skipped[0].path, dir / "b");
  EXPECT_EQ(ids.skipped[0].reason, "vanished");
  EXPECT_EQ(ids.skipped[1].reason, "changed while reading");
  EXPECT_EQ(heard, (std::vector<std::string>{dir / "b", dir / "d"}));
}

// Whoever remembers digests hears of each as soon as it is there, not when all are.
TEST(FindEqualFiles, TellsOfEveryDigestThatItReads) {
  const TestDir dir;
  const std::string text = random_text(1, 100'000);
  for (const char* name : {"a", "b", "c", "d"}) dir.write(name, text);
  dir.write("other", random_text(2, 99'999));
  const auto files = walk_all(dir.path()).files;
  std::vector<std::uint8_t> known(files.size(), 0);
  std::vector<Digest> digests(files.size());
  known[0] = 1;
  digests[0] = digest_of(std::as_bytes(std::span(text)));
  std::mutex mutex;
  std::map<std::uint32_t, Digest> told;
  EqualFilesOptions options{.threads = 2};
  options.digested = [&](std::uint32_t file, const Digest& digest) {
    const std::scoped_lock lock(mutex);
    told[file] = digest;
  };
  const auto ids = *find_equal_files(files, known, digests, options, {});
  const std::map<std::uint32_t, Digest> expected = {
      {1, ids.digest[1]}, {2, ids.digest[2]}, {3, ids.digest[3]}};
  EXPECT_EQ(told, expected);
  EXPECT_EQ(ids.digest[1], digests[0]);
  options.all = true;
  EXPECT_NE(find_equal_files(files, known, digests, options, {})->digest[4], Digest{});
  EXPECT_EQ(told.size(), 4U);
}

TEST(FindEqualFiles, StopsWhenAsked) {
  const TestDir dir;
  for (const char* name : {"a", "b"}) dir.write(name, random_text(3, 100'000));
  const auto files = walk_all(dir.path()).files;
  std::stop_source source;
  source.request_stop();
  Callbacks callbacks;
  callbacks.stop = source.get_token();
  const auto ids =
      find_equal_files(files, std::vector<std::uint8_t>(2), std::vector<Digest>(2), {}, callbacks);
  ASSERT_FALSE(ids);
  EXPECT_EQ(ids.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace twinsift
