// SPDX-License-Identifier: Apache-2.0
#include "store/manifest.h"

#include <gtest/gtest.h>

#include "base/crc32c.h"
#include "base/test_dir.h"
#include "store/bytes.h"

namespace twinsift {
namespace {

Manifest sample() {
  return {
      .id = {0, 1, 2, 3, 0xFE},
      .data = {{.number = 1, .bytes = 1048576, .salt = 0xABCDEF}, {.number = 4, .bytes = 64}},
      .segments = {{.number = 2, .first = 1, .last = 50}, {.number = 3, .first = 51, .last = 60}},
      .covered = {.number = 4, .offset = 64, .sequence = 60},
      .detectors = {{.id = 1, .spec = "text1:words:5"}, {.id = 2, .spec = "with blanks, too"}},
      .results = {{.key = {1, 2}, .number = 1, .offset = 4096}},
      .next = 5};
}

std::string with_crc(const std::string& facts) {
  return facts + "crc " + [&] {
    char text[16];
    std::snprintf(text, sizeof text, "%08x", crc32c(as_bytes(facts)));
    return std::string(text);
  }() + "\n";
}

TEST(Manifest, ComesBack) {
  const auto back = parse_manifest(format_manifest(sample()), "M");
  ASSERT_TRUE(back);
  EXPECT_EQ(*back, sample());
  const auto empty = parse_manifest(format_manifest({}), "M");
  ASSERT_TRUE(empty);
  EXPECT_EQ(*empty, Manifest{});
}

// GOLDEN: the text of docs/FORMAT.md.
TEST(Manifest, IsTextAsDocumented) {
  Manifest manifest = sample();
  manifest.results.clear();
  EXPECT_EQ(format_manifest(manifest).substr(0, 116),
            "TWINSIFT collection 1\n"
            "id 00010203fe0000000000000000000000\n"
            "data 1 1048576 0000000000abcdef\n"
            "data 4 64 0000000000000000");
  EXPECT_EQ(data_file_name(1), "data-0000000001");
  EXPECT_EQ(segment_name(12), "seg-0000000012");
  EXPECT_TRUE(is_file_name("seg-0000000012"));
  EXPECT_FALSE(is_file_name("seg-000000001x"));
  EXPECT_FALSE(is_file_name("data-0000000001.damaged"));
}

TEST(Manifest, EveryFlippedByteAndEveryTruncationIsSeen) {
  const std::string text = format_manifest(sample());
  for (std::size_t i = 0; i < text.size(); ++i) {
    EXPECT_EQ(parse_manifest(text.substr(0, i), "M").error().code, ErrorCode::kCorrupt) << i;
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = text;
      changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
      const auto parsed = parse_manifest(changed, "M");
      ASSERT_FALSE(parsed) << i << ' ' << bit;
      EXPECT_EQ(parsed.error().code, ErrorCode::kCorrupt);
    }
  }
}

TEST(Manifest, WhatIsNewerIsNamed) {
  const auto version = parse_manifest(with_crc("TWINSIFT collection 2\n"), "M");
  ASSERT_FALSE(version);
  EXPECT_EQ(version.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(version.error().message,
            "M: has format version 2, and this twinsift reads version 1; use a newer twinsift");
  const auto line = parse_manifest(with_crc("TWINSIFT collection 1\nshard 7\n"), "M");
  ASSERT_FALSE(line);
  EXPECT_EQ(line.error().code, ErrorCode::kUnsupported);
  EXPECT_NE(line.error().message.find("'shard'"), std::string::npos);
}

TEST(Manifest, ContradictionsAreRefused) {
  const auto refused = [](auto change) {
    Manifest manifest = sample();
    change(manifest);
    const auto parsed = parse_manifest(format_manifest(manifest), "M");
    return !parsed && parsed.error().code == ErrorCode::kCorrupt;
  };
  EXPECT_FALSE(refused([](Manifest&) {}));
  EXPECT_TRUE(refused([](Manifest& m) { m.next = 4; }));
  EXPECT_TRUE(refused([](Manifest& m) { m.data[1].number = 1; }));
  EXPECT_TRUE(refused([](Manifest& m) { m.data[1].bytes = 63; }));
  EXPECT_TRUE(refused([](Manifest& m) { m.segments[0].number = 1; }));
  EXPECT_TRUE(refused([](Manifest& m) { m.segments[1].last = 50; }));
  EXPECT_TRUE(refused([](Manifest& m) { m.covered.number = 3; }));
  EXPECT_TRUE(refused([](Manifest& m) { m.covered.sequence = 59; }));
  EXPECT_TRUE(refused([](Manifest& m) { m.results[0].number = 2; }));
  EXPECT_TRUE(refused([](Manifest& m) { m.detectors[0].id = 0; }));
}

TEST(Manifest, IsReplacedWholeOrNotAtAll) {
  const TestDir dir;
  EXPECT_EQ(read_manifest(dir.path().string()).error().code, ErrorCode::kNotFound);
  ASSERT_TRUE(write_manifest(dir.path().string(), {}));
  const int wrong = in_child([&dir] {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{10, 10};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const Status written = write_manifest(dir.path().string(), sample());
    return !written && is_disk_full(written.error().message) ? 0 : 1;
  });
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(*read_manifest(dir.path().string()), format_manifest({}));
  EXPECT_EQ(dir.names(), std::set<std::string>{"MANIFEST"});
  ASSERT_TRUE(write_manifest(dir.path().string(), sample()));
  EXPECT_EQ(*read_manifest(dir.path().string()), format_manifest(sample()));
}

}  // namespace
}  // namespace twinsift
