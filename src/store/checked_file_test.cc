// SPDX-License-Identifier: Apache-2.0
#include "store/checked_file.h"

#include <array>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "base/test_dir.h"
#include "store/bytes.h"
#include "store/section_output.h"
#include "store/test_segments.h"

namespace twinsift {
namespace {

constexpr std::array kKnown = {section_name("AAAA"), section_name("BBBB"), section_name("CCCC")};
const FileHeader kWho{.kind = StoreFile::kSegment, .id = kTestId, .number = kTestNumber};

std::string noise(std::size_t size, std::uint64_t seed) {
  Rng rng(seed);
  std::string bytes(size, '\0');
  for (char& c : bytes) c = static_cast<char>(rng.next());
  return bytes;
}

// AAAA has 5 bytes, BBBB three blocks and a bit, CCCC of detector 9 exactly one block.
std::string three_sections(const std::string& path,
                           const std::function<void(SectionOutput&)>& more = {}) {
  auto output = SectionOutput::create(path, kWho);
  EXPECT_TRUE(output->begin(kKnown[0], 0) && output->write("hello"));
  EXPECT_TRUE(output->begin(kKnown[1], 0) && output->write(noise(3 * kCheckedBlock + 100, 1)));
  EXPECT_TRUE(output->begin(kKnown[2], 9) && output->write(noise(kCheckedBlock, 2)));
  if (more) more(*output);
  EXPECT_TRUE(output->finish());
  return read_file(path);
}

Result<std::unique_ptr<CheckedFile>> open(const std::string& path) {
  return CheckedFile::open(path, kWho, kKnown);
}

std::string text_of(const CheckedFile& file, const Section& section) {
  const auto bytes = file.read(section, 0, section.length);
  EXPECT_TRUE(bytes);
  return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
}

TEST(CheckedFile, GivesBackEverySection) {
  const TestDir dir;
  three_sections(dir / "f");
  const auto file = open(dir / "f");
  ASSERT_TRUE(file);
  EXPECT_EQ((*file)->sections().size(), 3U);
  EXPECT_EQ(text_of(**file, (*file)->find(kKnown[0], 0)), "hello");
  EXPECT_EQ(text_of(**file, (*file)->find(kKnown[1], 0)), noise(3 * kCheckedBlock + 100, 1));
  EXPECT_EQ(text_of(**file, (*file)->find(kKnown[2], 9)), noise(kCheckedBlock, 2));
  EXPECT_EQ((*file)->find(kKnown[2], 8).length, 0U);
  EXPECT_TRUE((*file)->check_all());
}

TEST(CheckedFile, RefusesToReadBeyondASection) {
  const TestDir dir;
  three_sections(dir / "f");
  const auto file = open(dir / "f");
  const Section section = (*file)->find(kKnown[0], 0);
  EXPECT_TRUE((*file)->read(section, 5, 0));
  EXPECT_FALSE((*file)->read(section, 5, 1));
  EXPECT_FALSE((*file)->read(section, 6, 0));
  EXPECT_FALSE((*file)->read(section, 1, UINT64_MAX));
  EXPECT_FALSE((*file)->read(section, UINT64_MAX, 2));
}

TEST(CheckedFile, SeesDamageWhenItIsTouchedAndNotBefore) {
  const TestDir dir;
  std::string image = three_sections(dir / "f");
  const std::uint64_t b = 128;  // the offset of BBBB
  const std::uint64_t at = b + kCheckedBlock + 17;
  image[at] = static_cast<char>(image[at] ^ 1);
  dir.write("f", image);
  const auto file = open(dir / "f");
  ASSERT_TRUE(file);
  const Section section = (*file)->find(kKnown[1], 0);
  ASSERT_EQ(section.offset, b);
  EXPECT_EQ(text_of(**file, (*file)->find(kKnown[0], 0)), "hello");
  EXPECT_TRUE((*file)->read(section, 0, kCheckedBlock));
  EXPECT_TRUE((*file)->read(section, 2 * kCheckedBlock, kCheckedBlock));
  const auto damaged = (*file)->read(section, kCheckedBlock - 1, 2);
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error().code, ErrorCode::kCorrupt);
  EXPECT_EQ(damaged.error().message,
            (dir / "f") +
                ": section BBBB is damaged between its bytes 65536 and 131072; twinsift "
                "index repair makes it again");
  EXPECT_FALSE((*file)->check_all());
}

TEST(CheckedFile, PassesOverAnUnknownSectionOnlyIfItMay) {
  const TestDir dir;
  three_sections(dir / "optional", [](SectionOutput& output) {
    EXPECT_TRUE(output.begin(section_name("ZZZZ"), 0, Section::kOptional));
    EXPECT_TRUE(output.write("something new"));
  });
  const auto file = open(dir / "optional");
  ASSERT_TRUE(file);
  EXPECT_EQ((*file)->sections().size(), 3U);
  EXPECT_TRUE((*file)->check_all());

  three_sections(dir / "required", [](SectionOutput& output) {
    EXPECT_TRUE(output.begin(section_name("ZZZZ"), 0) && output.write("something new"));
  });
  const auto refused = open(dir / "required");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(refused.error().message,
            (dir / "required") +
                ": has a section ZZZZ, which this twinsift does not know; use a newer twinsift");
}

// A table that is sealed well but says something impossible.
TEST(CheckedFile, RefusesHostileTables) {
  const TestDir dir;
  const std::string good = three_sections(dir / "f");
  const auto table = load<std::uint64_t>(&good[good.size() - kTrailerBytes]);
  const std::uint64_t entry = table + kSectionEntryBytes;  // of BBBB
  const auto refused = [&](const char* what, const std::function<void(std::string&)>& change) {
    std::string bad = good;
    change(bad);
    reseal(bad);
    dir.write("bad", bad);
    const auto file = open(dir / "bad");
    EXPECT_FALSE(file) << what;
    if (!file) {
      EXPECT_EQ(file.error().code, ErrorCode::kCorrupt) << what;
    }
  };
  for (const std::uint64_t value : {std::uint64_t{0}, std::uint64_t{64}, std::uint64_t{127},
                                    std::uint64_t{192}, table, UINT64_MAX - 63, UINT64_MAX}) {
    refused("offset", [&](std::string& bad) { store(&bad[entry + 8], value); });
  }
  for (const std::uint64_t value : {std::uint64_t{0}, table, UINT64_MAX, UINT64_MAX - 64,
                                    UINT64_MAX - 128, std::uint64_t{1} << 63U}) {
    refused("length", [&](std::string& bad) { store(&bad[entry + 16], value); });
  }
  for (const std::uint32_t value : {0U, 2U, UINT32_MAX}) {
    refused("first CRC", [&](std::string& bad) { store(&bad[entry + 24], value); });
  }
  refused("twice", [&](std::string& bad) { bad.replace(entry, 4, "AAAA"); });
  refused("no name", [&](std::string& bad) { bad.replace(entry, 4, "A\nA "); });
  const std::uint64_t trailer = good.size() - kTrailerBytes;
  for (const std::uint32_t value : {0U, 2U, 4U, UINT32_MAX}) {
    refused("sections", [&](std::string& bad) { store(&bad[trailer + 8], value); });
    refused("CRCs", [&](std::string& bad) { store(&bad[trailer + 12], value); });
  }
  for (const std::uint64_t value : {std::uint64_t{0}, table - 64, table + 64, UINT64_MAX}) {
    refused("table", [&](std::string& bad) { store(&bad[trailer], value); });
  }
}

TEST(CheckedFile, SeesEveryFlippedByteAndEveryTruncation) {
  const TestDir dir;
  auto output = SectionOutput::create(dir / "f", kWho);
  ASSERT_TRUE(output->begin(kKnown[0], 0) && output->write("hello"));
  ASSERT_TRUE(output->begin(kKnown[1], 0) && output->write("there"));
  ASSERT_TRUE(output->finish());
  const std::string good = read_file(dir / "f");
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (const int bits : {1, 0x80, 0xFF}) {
      std::string bad = good;
      bad[i] = static_cast<char>(bad[i] ^ bits);
      dir.write("bad", bad);
      const auto file = open(dir / "bad");
      EXPECT_FALSE(file && (*file)->check_all()) << i;
    }
    dir.write("bad", good.substr(0, i));
    EXPECT_FALSE(open(dir / "bad")) << i;
  }
  dir.write("bad", good + '\0');
  EXPECT_FALSE(open(dir / "bad"));
}

TEST(CheckedFile, SaysWhatIsWrongWithThePath) {
  const TestDir dir;
  EXPECT_EQ(open(dir / "none").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(open(dir.path().string()).error().code, ErrorCode::kCorrupt);
  dir.write("other", std::string(200, 'x'));
  EXPECT_EQ(open(dir / "other").error().message,
            (dir / "other") + ": is no segment of a twinsift collection");
}

// Run with ThreadSanitizer, this shows that the bits are set and read without a race.
TEST(CheckedFile, IsReadByManyThreadsAtOnce) {
  const TestDir dir;
  std::string image = three_sections(dir / "f");
  image[128 + 2 * kCheckedBlock] = static_cast<char>(image[128 + 2 * kCheckedBlock] ^ 1);
  dir.write("f", image);
  const auto file = open(dir / "f");
  ASSERT_TRUE(file);
  const Section section = (*file)->find(kKnown[1], 0);
  std::atomic<int> wrong = 0;
  {
    std::vector<std::jthread> threads;
    for (std::uint64_t t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        Rng rng(t);
        for (int i = 0; i < 2000; ++i) {
          const std::uint64_t at = rng.below(static_cast<std::uint32_t>(section.length));
          const auto byte = (*file)->read(section, at, 1);
          if (byte.has_value() == (at / kCheckedBlock == 2)) ++wrong;
          if (byte && static_cast<char>(byte->front()) != image[section.offset + at]) ++wrong;
        }
      });
    }
  }
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace twinsift
