// SPDX-License-Identifier: Apache-2.0
#include "ingest/stream.h"

#include <string>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/compress.h"
#include "base/test_dir.h"

namespace twinsift {
namespace {

std::string compressed(std::string_view text, std::string_view suffix) {
  std::string out;
  EXPECT_TRUE(make_encoder_for(suffix)->encode(text, true, out));
  return out;
}

std::string numbers(int from, int to) {
  std::string text;
  for (int i = from; i < to; ++i) text += std::to_string(i * 7919) + "\n";
  return text;
}

// All that can be read, and the error that ended it, if any.
struct Outcome {
  std::string bytes;
  std::string error;
  ErrorCode code = ErrorCode::kInvalidArgument;
};

Outcome read_all(ByteSource& source, std::size_t piece = 1000) {
  Outcome outcome;
  std::string buffer(piece, '\0');
  for (;;) {
    const auto n = source.read(buffer);
    if (!n) {
      outcome.error = n.error().message;
      outcome.code = n.error().code;
      return outcome;
    }
    if (*n == 0) return outcome;
    outcome.bytes.append(buffer, 0, *n);
  }
}

Outcome read_path(const std::string& path) {
  auto source = open_source(path);
  if (!source) return {"", source.error().message, source.error().code};
  return read_all(**source);
}

const std::string kSkippable("\x53\x2A\x4D\x18\x03\x00\x00\x00xyz", 11);

TEST(Stream, TellsTheCompressionByContentNotByName) {
  const TestDir dir;
  const std::string text = numbers(0, 10'000);
  EXPECT_EQ(read_path(dir.write("plain.gz", text)).bytes, text);
  EXPECT_EQ(read_path(dir.write("a.zst", compressed(text, ".gz"))).bytes, text);
  EXPECT_EQ(read_path(dir.write("b.txt", compressed(text, ".zst"))).bytes, text);
  EXPECT_EQ(read_path(dir.write("empty", "")).bytes, "");
  EXPECT_EQ(read_path(dir.write("short", "ab")).bytes, "ab");
}

TEST(Stream, ReadsSeveralMembersAndFrames) {
  const TestDir dir;
  const std::string a = numbers(0, 5'000);
  const std::string b = numbers(5'000, 9'000);
  const std::string gz = compressed(a, ".gz") + compressed("", ".gz") + compressed(b, ".gz");
  EXPECT_EQ(read_path(dir.write("gz", gz)).bytes, a + b);
  EXPECT_EQ(read_path(dir.write("padded", gz + std::string(512, '\0'))).bytes, a + b);
  const std::string zst = kSkippable + compressed(a, ".zst") + kSkippable + compressed(b, ".zst");
  const Outcome outcome = read_path(dir.write("zst", zst + kSkippable));
  EXPECT_EQ(outcome.bytes, a + b);
  EXPECT_EQ(outcome.error, "");
}

// Whatever the length at which a file was cut off, what is given is a prefix of the text, and
// the cut is reported unless it fell between two members.
TEST(Stream, TruncationAtEveryLengthIsReportedAfterTheDataBeforeIt) {
  const TestDir dir;
  const std::string a = numbers(0, 300);
  const std::string b = numbers(300, 500);
  for (const std::string_view suffix : {".gz", ".zst"}) {
    const std::string first = compressed(a, suffix);
    const std::string whole = first + compressed(b, suffix);
    for (std::size_t length = 4; length < whole.size(); ++length) {
      const Outcome outcome = read_path(dir.write("cut", whole.substr(0, length)));
      EXPECT_TRUE((a + b).starts_with(outcome.bytes));
      EXPECT_TRUE(length < first.size() || outcome.bytes.starts_with(a)) << length;
      if (length == first.size()) {
        EXPECT_EQ(outcome.error, "");
        continue;
      }
      EXPECT_EQ(outcome.code, ErrorCode::kCorrupt) << suffix << length;
      EXPECT_EQ(outcome.error, dir / "cut" + ": the compressed data end too early");
    }
  }
}

TEST(Stream, EveryFlippedByteIsSurvived) {
  const TestDir dir;
  const std::string text = numbers(0, 100);
  int reported = 0;
  for (const std::string_view suffix : {".gz", ".zst"}) {
    const std::string whole = compressed(text, suffix);
    for (std::size_t i = 4; i < whole.size(); ++i) {
      std::string broken = whole;
      broken[i] = static_cast<char>(broken[i] ^ 0x55);
      const Outcome outcome = read_path(dir.write("broken", broken));
      reported += outcome.error.empty() ? 0 : 1;
      EXPECT_LT(outcome.bytes.size(), 1U << 20U);
    }
  }
  EXPECT_GT(reported, 100);
}

TEST(Stream, GarbageAfterAMemberIsReportedAfterTheMember) {
  const TestDir dir;
  const std::string text = numbers(0, 100);
  for (const std::string_view suffix : {".gz", ".zst"}) {
    const Outcome outcome = read_path(dir.write("x", compressed(text, suffix) + "garbage"));
    EXPECT_EQ(outcome.bytes, text);
    EXPECT_EQ(outcome.code, ErrorCode::kCorrupt);
  }
}

// A zstd frame of "abc" whose header asks for a window of 2^log bytes.
std::string frame_with_window(int log) {
  std::string frame("\x28\xB5\x2F\xFD\x00", 5);
  frame.push_back(static_cast<char>((log - 10) << 3));
  return frame + std::string("\x19\x00\x00", 3) + "abc";
}

TEST(Stream, LongWindowsAreReadUpToTwoGibibytes) {
  const TestDir dir;
  EXPECT_EQ(read_path(dir.write("31", frame_with_window(31))).bytes, "abc");
  EXPECT_EQ(read_path(dir.write("32", frame_with_window(32))).code, ErrorCode::kLimit);
}

TEST(Stream, DirectoriesAndMissingFilesAreClearErrors) {
  const TestDir dir;
  EXPECT_EQ(read_path(dir.path()).error,
            dir.path().string() + ": is a directory, not a corpus file");
  EXPECT_EQ(read_path(dir / "none").code, ErrorCode::kNotFound);
  EXPECT_EQ(read_path(dir / "none").error, dir / "none" + ": no such file or directory");
}

TEST(Stream, RewindsFilesOfEveryKind) {
  const TestDir dir;
  const std::string text = numbers(0, 1'000);
  for (const std::string& bytes : {text, compressed(text, ".gz"), compressed(text, ".zst")}) {
    auto source = open_source(dir.write("x", bytes));
    ASSERT_TRUE(source);
    char some[100];
    ASSERT_TRUE((*source)->read(some));
    ASSERT_TRUE((*source)->rewind());
    EXPECT_EQ(read_all(**source).bytes, text);
    ASSERT_TRUE((*source)->rewind());
    EXPECT_EQ(read_all(**source).bytes, text);
  }
}

// Writes into a FIFO from another thread while the test reads it.
class FifoWriter {
 public:
  FifoWriter(const std::string& path, std::string bytes) {
    EXPECT_EQ(::mkfifo(path.c_str(), 0600), 0);
    thread_ = std::jthread(
        [path, bytes = std::move(bytes)] { std::ofstream(path, std::ios::binary) << bytes; });
  }

 private:
  std::jthread thread_;
};

TEST(Stream, PipesAreReadOnceUnlessSpooled) {
  const TestDir dir;
  const std::string text = numbers(0, 50'000);
  {
    const FifoWriter writer(dir / "a", text);
    auto source = open_source(dir / "a");
    ASSERT_TRUE(source);
    EXPECT_EQ(read_all(**source).bytes, text);
    EXPECT_FALSE((*source)->random_access());
    EXPECT_EQ((*source)->rewind().error().code, ErrorCode::kUnsupported);
  }
  const FifoWriter writer(dir / "b", text);
  auto source = open_source(dir / "b");
  ASSERT_TRUE(source);
  auto spool = make_spool(*std::move(source), dir.path());
  ASSERT_TRUE(spool);
  std::string some(70'000, '\0');
  ASSERT_TRUE((*spool)->read(some));
  ASSERT_TRUE((*spool)->rewind());  // before the end: reading goes on in the pipe
  EXPECT_EQ(read_all(**spool).bytes, text);
  ASSERT_TRUE((*spool)->rewind());
  EXPECT_EQ(read_all(**spool, 777).bytes, text);
  ASSERT_TRUE((*spool)->read_at(1234, some));
  EXPECT_EQ(some, text.substr(1234, some.size()));
  EXPECT_EQ((*spool)->read_at(text.size() - 10, some).error().code, ErrorCode::kIo);
  EXPECT_EQ(dir.names(), (std::set<std::string>{"a", "b"}));
}

TEST(Stream, SpoolRepeatsTheErrorOfItsSource) {
  const TestDir dir;
  const std::string whole = compressed(numbers(0, 1'000), ".gz");
  auto source = open_source(dir.write("cut", whole.substr(0, whole.size() - 5)));
  ASSERT_TRUE(source);
  auto spool = make_spool(*std::move(source), dir.path());
  ASSERT_TRUE(spool);
  const Outcome first = read_all(**spool);
  ASSERT_TRUE((*spool)->rewind());
  const Outcome second = read_all(**spool);
  EXPECT_EQ(first.bytes, second.bytes);
  EXPECT_NE(first.error, "");
  EXPECT_EQ(first.error, second.error);
}

TEST(Stream, FullDiskUnderTheSpoolIsAnError) {
  const TestDir dir;
  const TestDir temp;
  const std::string path = dir.write("x", compressed(numbers(0, 100'000), ".gz"));
  EXPECT_EQ(in_child([&] {
              limit_disk(temp.path());
              auto source = open_source(path);
              if (!source) return 1;
              auto spool = make_spool(*std::move(source), temp.path());
              if (!spool) return 2;
              const Outcome outcome = read_all(**spool);
              return outcome.code == ErrorCode::kIo && is_disk_full(outcome.error) ? 0 : 3;
            }),
            0);
}

TEST(Stream, StandardInputBeginsWhereItStands) {
  const TestDir dir;
  const std::string path = dir.write("x", "head\nbody\n");
  EXPECT_EQ(in_child([&path] {
              ::dup2(::open(path.c_str(), O_RDONLY), STDIN_FILENO);
              ::lseek(STDIN_FILENO, 5, SEEK_SET);
              auto source = open_source("-");
              if (!source || read_all(**source).bytes != "body\n") return 1;
              if (!(*source)->rewind() || read_all(**source).bytes != "body\n") return 2;
              char two[2];
              if (!(*source)->read_at(2, two)) return 3;
              return std::string_view(two, 2) == "dy" ? 0 : 4;
            }),
            0);
}

RC_GTEST_PROP(Stream, AnyBytesSurviveCompression, (const std::string& a, const std::string& b)) {
  const TestDir dir;
  for (const std::string_view suffix : {".gz", ".zst"}) {
    const std::string path = dir.write("x", compressed(a, suffix) + compressed(b, suffix));
    auto source = open_source(path);
    RC_ASSERT(source.has_value());
    const Outcome outcome = read_all(**source, 3);
    RC_ASSERT(outcome.bytes == a + b);
    RC_ASSERT(outcome.error.empty());
  }
}

}  // namespace
}  // namespace twinsift
