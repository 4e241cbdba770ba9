// SPDX-License-Identifier: Apache-2.0
#include "store/data_file.h"

#include <gtest/gtest.h>

#include "base/test_dir.h"
#include "store/bytes.h"
#include "store/data_writer.h"

namespace twinsift {
namespace {

constexpr FileHeader kHeader{
    .kind = StoreFile::kData, .id = {1, 2, 3}, .number = 1, .first_sequence = 1, .salt = 99};

RecordBytes record(std::uint64_t i) {
  return *encode(RemovedRecord{.digest = {i, i}, .path = std::string(i % 30, 'x')});
}

struct Written {
  std::string bytes;
  std::vector<std::uint64_t> offsets;  // of records; the last is the end
  std::uint64_t mark = 0;              // where it stands
};

// Five records, a mark, three more.
Written write_some(const std::string& path) {
  Written written;
  DataWriter writer = *DataWriter::create(path, kHeader);
  for (std::uint64_t i = 1; i <= 8; ++i) {
    written.offsets.push_back(*writer.append(record(i), i));
    if (i != 5) continue;
    written.mark = writer.end();
    EXPECT_TRUE(writer.sync(i));
  }
  written.offsets.push_back(writer.end());
  written.bytes = read_file(path);
  return written;
}

// Many records at once are the same bytes as one after another.
TEST(DataFile, RecordsTogetherAreRecordsOneByOne) {
  const TestDir dir;
  constexpr std::uint64_t kMany = 1500;  // more pieces than a system call takes
  std::vector<RecordBytes> records;
  std::vector<std::uint64_t> places;
  {
    DataWriter one_by_one = *DataWriter::create(dir / "a", kHeader);
    for (std::uint64_t i = 1; i <= kMany; ++i) {
      records.push_back(record(i));
      places.push_back(*one_by_one.append(records.back(), i));
    }
  }
  DataWriter together = *DataWriter::create(dir / "b", kHeader);
  EXPECT_EQ(*together.append(records, 1), places);
  EXPECT_EQ(read_file(dir / "b"), read_file(dir / "a"));
  EXPECT_EQ(together.end(), read_file(dir / "b").size());
}

// The numbers of the records that replay() finds; empty optional: damage.
std::optional<std::vector<std::uint64_t>> replayed(const std::string& path,
                                                   std::uint64_t known = 0) {
  const auto file = DataFile::open(path);
  EXPECT_TRUE(file);
  std::vector<std::uint64_t> numbers;
  const auto end = replay(**file, kFileHeaderBytes, known, 0, [&](const StoredRecord& record) {
    if (record.type() == RecordType::kRemoved) {
      EXPECT_EQ(decode_removed_record(record.payload)->digest.low, record.frame.sequence);
      numbers.push_back(record.frame.sequence);
    }
    return ok();
  });
  if (!end) {
    EXPECT_EQ(end.error().code, ErrorCode::kCorrupt);
    return std::nullopt;
  }
  return numbers;
}

std::vector<std::uint64_t> up_to(std::uint64_t n) {
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t i = 1; i <= n; ++i) numbers.push_back(i);
  return numbers;
}

TEST(DataFile, RecordsComeBackInOrder) {
  const TestDir dir;
  const Written written = write_some(dir / "d");
  EXPECT_EQ(replayed(dir / "d"), up_to(8));
  const auto file = DataFile::open(dir / "d");
  ASSERT_TRUE(file);
  EXPECT_EQ((*file)->header(), kHeader);
  for (std::uint64_t i = 1; i <= 8; ++i) {
    const auto read = (*file)->read(written.offsets[i - 1]);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->frame.sequence, i);
  }
  EXPECT_EQ((*file)->read(written.offsets[0] + 8).error().code, ErrorCode::kCorrupt);
  EXPECT_FALSE((*file)->read(written.offsets[8]));
  EXPECT_FALSE((*file)->read(UINT64_MAX - 7));
}

// CORRUPT: what is cut off behind the mark is a crash; before it, it is damage only if something
// says that it was there.
TEST(DataFile, EveryTruncation) {
  const TestDir dir;
  const Written written = write_some(dir / "d");
  for (std::uint64_t n = kFileHeaderBytes; n <= written.bytes.size(); ++n) {
    dir.write("d", written.bytes.substr(0, n));
    std::uint64_t whole = 0;
    while (whole < 8 && written.offsets[whole + 1] <= n) ++whole;
    if (n >= written.mark && n < written.offsets[5]) whole = 5;
    EXPECT_EQ(replayed(dir / "d"), up_to(whole)) << n;
    EXPECT_EQ(replayed(dir / "d", n + 1), std::nullopt) << n;
  }
}

TEST(DataFile, EveryFlippedByte) {
  const TestDir dir;
  const Written written = write_some(dir / "d");
  for (std::uint64_t at = 0; at < written.bytes.size(); ++at) {
    std::string bytes = written.bytes;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
    dir.write("d", bytes);
    if (at < kFileHeaderBytes) {
      EXPECT_FALSE(DataFile::open(dir / "d")) << at;
      continue;
    }
    std::uint64_t whole = 0;
    while (whole < 8 && written.offsets[whole + 1] <= at) ++whole;
    const bool in_mark = at >= written.mark && at < written.offsets[5];
    if (in_mark) whole = 5;
    if (at < written.mark) {
      EXPECT_EQ(replayed(dir / "d"), std::nullopt) << at;
    } else {
      EXPECT_EQ(replayed(dir / "d"), up_to(whole)) << at;
      EXPECT_EQ(replayed(dir / "d", written.bytes.size()), std::nullopt) << at;
    }
    // Whatever is left is found, and nothing else: one flipped byte costs one record.
    const auto file = DataFile::open(dir / "d");
    std::vector<std::uint64_t> found;
    std::uint64_t damages = 0;
    const auto take = [&](const StoredRecord& good) {
      if (good.type() == RecordType::kRemoved) found.push_back(good.frame.sequence);
      return ok();
    };
    ASSERT_TRUE(salvage(**file, written.bytes.size(), take, [&](const Damage&) { ++damages; }));
    EXPECT_EQ(damages, 1U) << at;
    auto expected = up_to(8);
    if (!in_mark) std::erase(expected, whole + 1);
    EXPECT_EQ(found, expected) << at;
  }
}

TEST(DataFile, RecordsOfAnotherFileDoNotCount) {
  const TestDir dir;
  const Written written = write_some(dir / "d");
  FileHeader other = kHeader;
  other.salt = 100;
  const DataWriter writer = *DataWriter::create(dir / "e", other);
  dir.write("e", dir.read("e") + written.bytes.substr(kFileHeaderBytes));
  EXPECT_EQ(replayed(dir / "e"), up_to(0));
}

TEST(DataFile, NumbersMustAscend) {
  const TestDir dir;
  DataWriter writer = *DataWriter::create(dir / "d", kHeader);
  ASSERT_TRUE(writer.append(record(1), 1));
  ASSERT_TRUE(writer.append(record(2), 2));
  ASSERT_TRUE(writer.append(record(2), 2));
  EXPECT_EQ(replayed(dir / "d"), up_to(2));
  EXPECT_EQ(replayed(dir / "d", writer.end()), std::nullopt);
}

TEST(DataFile, ViewsOutliveGrowth) {
  const TestDir dir;
  DataWriter writer = *DataWriter::create(dir / "d", kHeader);
  const auto file = DataFile::open(dir / "d", std::uint64_t{64} << 20U);
  ASSERT_TRUE(file);
  std::vector<StoredRecord> views;
  TokenSet ids(5000);
  for (std::uint64_t i = 1; i <= 200; ++i) {
    for (std::size_t j = 0; j < ids.size(); ++j) ids[j] = i * 10000 + j;
    const auto offset = writer.append(
        *encode(ContentRecord{
            .digest = {i, i}, .detector = 1, .state = ContentState::kFeatures, .features = ids}),
        i);
    ASSERT_TRUE(offset);
    (*file)->grow(writer.end());
    views.push_back(*(*file)->read(*offset));
  }
  for (std::uint64_t i = 1; i <= 200; ++i) {
    const auto content = decode_content_record(views[i - 1].payload);
    ASSERT_TRUE(content);
    EXPECT_EQ(content->features.ids[4999], i * 10000 + 4999);
  }
}

TEST(DataWriter, ReopeningCutsOffWhatIsTorn) {
  const TestDir dir;
  const Written written = write_some(dir / "d");
  dir.write("d", written.bytes + "torn");
  {
    DataWriter writer = *DataWriter::reopen(dir / "d", kHeader, written.bytes.size());
    ASSERT_TRUE(writer.append(record(9), 9));
  }
  EXPECT_EQ(replayed(dir / "d"), up_to(9));
}

// A full disk takes nothing away, and when there is room again, writing goes on.
TEST(DataWriter, FullDiskLeavesTheFileUsable) {
  const TestDir dir;
  const int wrong = in_child([&dir] {
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit limit{100000, RLIM_INFINITY};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    DataWriter writer = *DataWriter::create(dir / "d", kHeader);
    const TokenSet ids = [] {
      TokenSet set(3000);
      for (std::size_t i = 0; i < set.size(); ++i) set[i] = i;
      return set;
    }();
    const auto big = *encode(ContentRecord{
        .digest = {1, 1}, .detector = 1, .state = ContentState::kFeatures, .features = ids});
    std::uint64_t i = 1;
    while (true) {
      const auto put = writer.append(big, i);
      if (put) {
        ++i;
        continue;
      }
      if (!is_disk_full(put.error().message)) return 1;
      break;
    }
    if (i != 5) return 2;
    if (read_file(dir / "d").size() != writer.end()) return 3;
    if (!writer.append(record(i), i)) return 4;  // a small one still fits
    if (!writer.sync(i)) return 5;
    limit.rlim_cur = RLIM_INFINITY;
    ::setrlimit(RLIMIT_FSIZE, &limit);
    return writer.append(big, i + 1) ? 0 : 6;
  });
  ASSERT_EQ(wrong, 0);
  const auto file = DataFile::open(dir / "d");
  std::uint64_t records = 0;
  const auto end = replay(**file, kFileHeaderBytes, 0, 0, [&](const StoredRecord&) {
    ++records;
    return ok();
  });
  ASSERT_TRUE(end);
  EXPECT_EQ(*end, (*file)->size());
  EXPECT_EQ(records, 7U);  // four, one, a mark, one
}

}  // namespace
}  // namespace twinsift
